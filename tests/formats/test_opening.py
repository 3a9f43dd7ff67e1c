"""A capture is known by its first bytes."""

import gzip
import io
import json
import os

import pytest

from gatecrash.core.message import Exchange
from gatecrash.formats import opening
from gatecrash.formats.capture import UnreadableCapture

LINE = b'{"method": "GET", "url": "http://a.example/x"}\n'
HAR = json.dumps(
    {
        "log": {
            "entries": [
                {"startedDateTime": "2026-11-20T10:00:00Z", "request": {"method": "GET", "url": "http://a.example/x"}}
            ]
        }
    }
).encode()


@pytest.mark.parametrize(
    "data",
    [LINE, HAR, b"\xef\xbb\xbf" + HAR, b"  \n" + LINE, gzip.compress(LINE, mtime=0), gzip.compress(HAR, mtime=0)],
)
def test_every_kind_is_recognised_gzipped_or_not(data: bytes) -> None:
    (exchange,) = opening.opened(io.BytesIO(data)).items
    assert isinstance(exchange, Exchange)
    assert exchange.request.target == b"/x"


NGINX = b'{"msec":"1795168800.5","request_method":"GET","http_host":"a.example","request_uri":"/x","status":"200"}\n'
ENVOY = (
    b'{"start_time":"2026-11-20T10:00:00Z","method":"GET","authority":"a.example","path":"/x","response_code":200}\n'
)


@pytest.mark.parametrize(("data", "kind"), [(LINE, "jsonl"), (HAR, "har"), (NGINX, "nginx"), (ENVOY, "envoy")])
def test_a_capture_says_its_kind(data: bytes, kind: str) -> None:
    capture = opening.opened(io.BytesIO(data))
    assert capture.kind == kind == opening.kind_of(data)
    (exchange,) = capture.items
    assert isinstance(exchange, Exchange)
    assert (exchange.request.host, exchange.request.target) == ("a.example", b"/x")


@pytest.mark.parametrize("name", [b"http_authorization", b"http_cookie"])
def test_a_log_without_fields_for_credentials_says_so(name: bytes) -> None:
    assert opening.opened(io.BytesIO(NGINX)).blind
    assert not opening.opened(io.BytesIO(NGINX.replace(b"}", b',"' + name + b'":""}'))).blind
    assert not opening.opened(io.BytesIO(LINE)).blind, "who writes JSON lines chooses the headers"


def test_a_pipe_is_read_like_a_file() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(gzip.compress(LINE, mtime=0))
    with os.fdopen(reading, "rb") as stream:
        assert len(list(opening.opened(stream).items)) == 1


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", "empty"), (b"<xml/>", "neither HAR nor JSON lines"), (gzip.compress(LINE, mtime=0)[:-9], "broken")],
)
def test_what_is_no_capture_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(UnreadableCapture, match=why):
        list(opening.opened(io.BytesIO(data)).items)


DESCRIPTIONS = {
    "openapi": (
        b'{"info": {"description": "the \\"log\\""}, "openapi": "3.0.0", "paths": {}}',
        b'{"components": {"schemas": {}}, "info": {}, "paths": {}}',
        b"# a comment\n---\nopenapi: 3.1.0\npaths: {}\n",
        b"info: {}\n'openapi': '3.1.0'\n",
    ),
    "swagger": (b'{"swagger": "2.0", "paths": {}}', b'{"basePath": "/", "definitions": {}}', b'swagger: "2.0"\n'),
    "graphql": (
        b'{"data": {"__schema": {"queryType": {"name": "Query"}, "types": [',
        b'{"__schema": {"types": []}}',
        b'{"endpoint": "/api", "data": {"__schema": {}}, "pages": ["/"]}',
        b"# Of ours\ntype Query { teas: [String] }",
        b'"""Root"""\nschema { query: Query }',
        b"extend type Query { tea: Int }",
    ),
    "postman": (
        b'{"info": {"_postman_id": "x", "name": "n"',
        b'{"item": [], "info": {}}',
        b'{"collection": {"info": {}}}',
    ),
    "curl": (
        b"curl http://h.example/",
        b"#!/bin/sh\n# words\n$ curl -v http://h.example/\n",
        b"TOKEN=x curl.exe h.example",
    ),
}


@pytest.mark.parametrize(
    ("kind", "data"), [(kind, data) for kind, all_data in DESCRIPTIONS.items() for data in all_data]
)
def test_a_description_is_known_by_its_members_or_its_commands(kind: str, data: bytes) -> None:
    assert opening.kind_of(data) == kind


def test_descriptions_say_that_nothing_in_them_was_sent() -> None:
    assert opening.opened(io.BytesIO(b"curl http://h.example/")).drafted
    assert not opening.opened(io.BytesIO(HAR)).drafted


def test_a_line_of_traffic_that_speaks_of_openapi_stays_traffic() -> None:
    assert (
        opening.kind_of(b'{"method": "GET", "url": "http://h.example/openapi.json", "openapi_seen": true}') == "jsonl"
    )


def test_a_number_with_an_exponent_beyond_any_is_no_obstacle() -> None:
    line = b'{"took": 1E+99999999999999999999999, "method": "GET", "url": "http://a.example/x"}\n'
    capture = opening.opened(io.BytesIO(line + LINE))
    assert capture.kind == "jsonl"
    assert [type(item) for item in capture.items][-1] is Exchange


def test_utf_16_is_named() -> None:
    with pytest.raises(UnreadableCapture, match=r"UTF-16\. Save it as UTF-8"):
        opening.kind_of('{"log": {}}'.encode("utf-16"))


def test_what_a_file_is_is_known_at_once_however_deep_it_is_nested() -> None:
    assert opening.kind_of(b'{"log":{"entries":[' + b"[" * 65_000) == "har"


@pytest.mark.parametrize("beginning", [b"<??>", b"<!---->", b"<? a ?>\n"])
def test_what_stands_before_the_first_element_is_read_once(beginning: bytes) -> None:
    assert opening.kind_of(beginning * 3 + b'<items burpVersion="1">') == opening.kind_of(b'<items burpVersion="1">')
    with pytest.raises(UnreadableCapture):
        opening.kind_of(beginning * 300 + b"<other>")
