"""Insomnia exports of both formats: their requests with folders, environments, bodies and authorization."""

import io
import json
from typing import Any

import pytest
import yaml

from gatecrash.core.message import Request
from gatecrash.formats import opening
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.draft import Draft
from gatecrash.formats.saved.insomnia import read

BASE = "{{ _.base.url }}"


def listed(*requests: dict[str, Any], **beside: Any) -> bytes:
    """Format 4: the requests in a folder of a workspace."""
    resources: list[dict[str, Any]] = [
        {
            "_id": "env_1",
            "parentId": "wrk_1",
            "_type": "environment",
            "data": {"base": {"url": "http://a.example/v1"}, "n": 7},
        },
        {"_id": "env_2", "parentId": "env_1", "_type": "environment", "data": {"n": 9}},
        {"_id": "wrk_1", "parentId": None, "_type": "workspace", "name": "Shop"},
        {
            "_id": "fld_1",
            "parentId": "wrk_1",
            "_type": "request_group",
            "name": "Orders",
            "environment": {"token": "t-1"},
        },
    ]
    asked = [{"_id": f"req_{at}", "_type": "request", "parentId": "fld_1", **one} for at, one in enumerate(requests)]
    return json.dumps({"_type": "export", "__export_format": 4, "resources": resources + asked, **beside}).encode()


def nested(*requests: dict[str, Any]) -> bytes:
    """Format 5: the same."""
    folder = {"name": "Orders", "environment": {"token": "t-1"}, "children": list(requests)}
    environments = {"name": "Base", "data": {"base": {"url": "http://a.example/v1"}, "n": 7}}
    document = {
        "type": "collection.insomnia.rest/5.0",
        "name": "Shop",
        "collection": [folder],
        "environments": environments,
    }
    return yaml.safe_dump(document, sort_keys=False).encode()


def one(request: dict[str, Any], form: Any = listed) -> Request:
    """The request with nothing optional in it."""
    (draft,) = read(io.BytesIO(form(request)))
    assert isinstance(draft, Draft), draft
    assert draft.drafted
    return draft.spare or draft.request


ASKED: dict[str, Any] = {
    "name": "Get",
    "method": "GET",
    "url": BASE + "/orders/{{ n }}?full=1#top",
    "parameters": [{"name": "sort", "value": "a b"}, {"name": "off", "value": "x", "disabled": True}],
    "headers": [{"name": "X-A", "value": "{{ _.n }}"}, {"name": "", "value": "x"}],
    "authentication": {"type": "bearer", "token": "{{ _.token }}"},
    "body": {},
}


@pytest.mark.parametrize("form", [listed, nested])
def test_variables_come_from_the_base_environment_and_the_folders(form: Any) -> None:
    request = one(ASKED, form)
    assert (request.method, request.host, request.target) == ("GET", "a.example", b"/v1/orders/7?full=1&sort=a%20b")
    assert (request.first(b"X-A"), request.first(b"Authorization")) == (b"7", b"Bearer t-1")


def test_a_parameter_that_is_off_is_optional() -> None:
    (draft,) = read(io.BytesIO(listed(ASKED)))
    assert isinstance(draft, Draft)
    assert draft.request.target == b"/v1/orders/7?full=1&sort=a%20b&off=x"


@pytest.mark.parametrize("form", [listed, nested])
def test_an_export_is_known_by_its_beginning(form: Any) -> None:
    capture = opening.opened(io.BytesIO(form(ASKED)))
    assert (capture.kind, capture.drafted) == ("insomnia", True)
    assert len(list(capture.items)) == 1


@pytest.mark.parametrize(
    ("body", "kind", "sent"),
    [
        ({"mimeType": "application/json", "text": '{"n": {{ _.n }}}'}, b"application/json", b'{"n": 7}'),
        (
            {
                "mimeType": "application/x-www-form-urlencoded",
                "params": [{"name": "a", "value": "1 2"}, {"name": "b", "disabled": True}],
            },
            b"application/x-www-form-urlencoded",
            b"a=1%202",
        ),
        ({"mimeType": "text/xml", "text": "<a/>"}, b"text/xml", b"<a/>"),
        ({}, None, b""),
    ],
)
def test_bodies(body: Any, kind: bytes | None, sent: bytes) -> None:
    request = one({"name": "B", "method": "POST", "url": BASE, "body": body})
    assert (request.first(b"Content-Type"), request.body) == (kind, sent)


def test_files_of_a_form_are_small_texts() -> None:
    params = [{"name": "f", "type": "file", "fileName": "/pictures/a.png"}, {"name": "n", "value": "v"}]
    body = one(
        {"name": "B", "method": "POST", "url": BASE, "body": {"mimeType": "multipart/form-data", "params": params}}
    ).body
    assert b'name="f"; filename="a.png"' in body
    assert b"\r\n\r\nv\r\n" in body


@pytest.mark.parametrize(
    ("told", "header", "value", "target"),
    [
        ({"type": "basic", "username": "a", "password": "b"}, b"Authorization", b"Basic YTpi", b"/v1"),
        ({"type": "bearer", "token": "x", "prefix": "Token"}, b"Authorization", b"Token x", b"/v1"),
        ({"type": "apikey", "key": "X-Key", "value": "k", "addTo": "header"}, b"X-Key", b"k", b"/v1"),
        ({"type": "apikey", "key": "key", "value": "k", "addTo": "queryParams"}, b"X-Key", None, b"/v1?key=k"),
        ({"type": "basic", "username": "a", "password": "b", "disabled": True}, b"Authorization", None, b"/v1"),
        ({}, b"Authorization", None, b"/v1"),
    ],
)
def test_authorization(told: Any, header: bytes, value: bytes | None, target: bytes) -> None:
    request = one({"name": "A", "method": "GET", "url": BASE, "authentication": told})
    assert (request.first(header), request.target) == (value, target)


def test_a_tag_has_no_value_and_what_cannot_be_read_is_told_with_its_place() -> None:
    tagged = {
        "name": "T",
        "method": "GET",
        "url": BASE + "/x",
        "headers": [{"name": "X-A", "value": "{% uuid 'v4' %}"}],
    }
    file = {"name": "F", "method": "POST", "url": BASE, "body": {"mimeType": "image/png", "fileName": "/a.png"}}
    good, bad = read(io.BytesIO(listed(tagged, file)))
    assert isinstance(good, Draft)
    assert b"uuid" not in (good.request.first(b"X-A") or b"uuid")
    assert isinstance(bad, Malformed)
    assert (bad.place, bad.why.partition(":")[0]) == (2, "Orders / F")


@pytest.mark.parametrize("document", [b"{}", b'{"resources": 5}', b'{"collection": {}}', b"- 1", b"{"])
def test_what_is_no_export_is_refused(document: bytes) -> None:
    with pytest.raises(UnreadableCapture):
        list(read(io.BytesIO(document)))


def test_folders_that_hold_each_other_end() -> None:
    ring = {"_id": "fld_2", "parentId": "fld_2", "_type": "request_group", "name": "Ring"}
    document = json.loads(listed(ASKED | {"parentId": "fld_2"}))
    document["resources"].append(ring)
    assert len(list(read(io.BytesIO(json.dumps(document).encode())))) == 1
