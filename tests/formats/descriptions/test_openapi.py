"""Every operation of an OpenAPI 3 document becomes a request that the document calls valid."""

import io
import json
from typing import Any

import pytest

from gatecrash.core.message import Exchange
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions import openapi
from gatecrash.formats.draft import Draft

YAML = b"""
# as written by hand
openapi: 3.1.0
info: {title: Orders, version: 1.0}
servers: [{url: "https://{stage}.example.com/v2/", variables: {stage: {default: test}}}]
security: [{bearer: [], tenant: []}]
paths:
  /users/{userId}/orders/{order_id}:
    parameters:
      - {name: userId, in: path, required: true, schema: {type: integer, minimum: 10}}
    get:
      parameters:
        - $ref: '#/components/parameters/Order'
        - {name: state, in: query, schema: {type: array, items: {type: string, enum: [open, closed]}}}
        - {name: on, in: query, schema: {type: string, format: date}}
        - {name: X-Trace, in: header, schema: {type: string, pattern: '^[A-F0-9]{4}$'}}
        - {name: Authorization, in: header, schema: {type: string}}
        - {name: lang, in: cookie, example: de}
      responses: {200: {description: good, content: {application/json: {}}}}
    put:
      security: []
      requestBody: {$ref: '#/components/requestBodies/Order'}
  /gone:
    get:
      parameters: [{$ref: '#/nowhere'}]
webhooks: {told: {post: {}}}
components:
  parameters:
    Order: {name: order_id, in: path, required: true, schema: {type: string, example: 2026-01-31}}
  requestBodies:
    Order:
      content:
        application/xml: {schema: {$ref: '#/components/schemas/Order'}}
        application/json: {schema: {$ref: '#/components/schemas/Order'}}
  schemas:
    Order: {type: object, properties: {note: {type: string, default: yes}, id: {type: integer, readOnly: true}}}
"""


def read(document: bytes | dict[str, Any]) -> list[Any]:
    data = json.dumps(document).encode() if isinstance(document, dict) else document
    return list(openapi.read(io.BytesIO(data)))


def test_a_request_has_the_values_that_the_document_shows_or_allows() -> None:
    get = read(YAML)[0]
    assert isinstance(get, Draft)
    assert get.drafted
    assert get.response is None
    assert get.request.method == "GET"
    assert get.request.url == "https://test.example.com/v2/users/10/orders/2026-01-31?state=open&on=2026-01-15"
    assert dict(get.request.headers) == {
        b"Host": b"test.example.com",
        b"X-Trace": b"AAAA",
        b"Cookie": b"lang=de",
        b"Accept": b"application/json, */*;q=0.5",
    }


def test_holes_are_the_values_that_name_things_and_say_whether_the_document_showed_them() -> None:
    get = read(YAML)[0]
    assert {(hole.name, tuple(hole.point), hole.given, hole.loose) for hole in get.holes} == {
        ("userId", ("path", "2"), False, False),
        ("order_id", ("path", "4"), True, False),
        ("on", ("get", "on"), False, True),
    }


def test_credentials_are_left_out_and_named_unless_the_operation_needs_none() -> None:
    get, put, *_ = read(YAML)
    assert (get.wants, put.wants) == (("bearer", "tenant"), ())


def test_a_body_is_written_as_json_and_as_xml_where_both_are_taken() -> None:
    _, as_json, as_xml, _ = read(YAML)
    assert json.loads(as_json.request.body) == {"note": "yes"}, (
        "YAML 1.2: a plain yes is text; readOnly is no request's"
    )
    assert as_xml.request.body.endswith(b"<Order><note>yes</note></Order>")
    assert [one.request.first(b"Content-Type") for one in (as_json, as_xml)] == [
        b"application/json",
        b"application/xml",
    ]


def test_an_operation_that_cannot_be_written_is_told_with_its_place_and_costs_no_other() -> None:
    items = read(YAML)
    assert [item for item in items if isinstance(item, Malformed)] == [
        Malformed(3, "GET /gone: the $ref #/nowhere leads nowhere")
    ]
    assert len([item for item in items if isinstance(item, Exchange)]) == 3


def test_a_path_that_holds_no_operations_is_told_and_an_extension_is_none() -> None:
    paths = {"/a": 5, "/b": None, "x-groups": ["a"], "/c": {"get": {}}}
    told, one = read({"openapi": "3.0.0", "servers": [{"url": "http://h"}], "paths": paths})
    assert told == Malformed(1, "/a: it is no object, and has no operations")
    assert one.request.target == b"/c"


def test_a_server_that_is_only_a_path_leaves_the_host_to_the_user() -> None:
    (one,) = read({"openapi": "3.0.0", "servers": [{"url": "/api"}], "paths": {"/a": {"get": {}}}})
    assert (one.request.host, one.request.target, one.request.first(b"Host")) == ("", b"/api/a", None)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (b'{"openapi": "3.0.0", "paths": {', "line 1"),
        (b"openapi: 3.0.0\npaths:\n  - a: [", "line 4"),
        (b"openapi: 4.0.0\npaths: {/a: {}}", "4.0.0"),
        (b"openapi: 3.0.0", "no `paths`"),
        (b"- openapi", "no object"),
        (b"openapi: !!python/object/apply:os.system [ls]\npaths: {}", "no YAML"),
    ],
)
def test_a_document_that_is_none_is_told_with_the_place_of_the_fault(document: bytes, told: str) -> None:
    with pytest.raises(UnreadableCapture, match=told):
        read(document)


@pytest.mark.parametrize(
    "servers",
    [[{"url": "ftp://a.example"}], [{"url": "https://{a}.example"}], [{"url": "https:///x"}]],
)
def test_a_server_that_cannot_be_asked_is_told(servers: list[Any]) -> None:
    (one,) = read({"openapi": "3.0.0", "servers": servers, "paths": {"/a": {"get": {}}}})
    assert isinstance(one, Malformed)


def test_whatever_stands_in_the_document_no_operation_raises() -> None:
    odd: list[Any] = [None, 1, "x", [], [1], {}, {"$ref": 1}, {"$ref": "other.yaml#/a"}, {"$ref": "#/paths"}]
    for one in odd:
        operation = {"parameters": one, "requestBody": one, "security": one, "responses": one, "servers": one}
        for body in (operation, {"parameters": [{"name": "a", "in": "query", "schema": one, "content": one}]}):
            read({"openapi": "3.0.0", "paths": {"/a": {"get": body, "parameters": one}, "/b": one}})
