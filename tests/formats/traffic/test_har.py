"""HAR files, as browsers and proxies write them, and as nobody should."""

import base64
import io
import json
import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Exchange
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.traffic import har


def entry(**changes: Any) -> dict[str, Any]:
    request = {
        "method": "POST",
        "url": "https://Api.Example.com:8443/a%2Fb//c?x=1&&y=%zz",
        "httpVersion": "h2",
        "headers": [
            {"name": ":authority", "value": "x"},
            {"name": "X-A", "value": "1"},
            {"name": "x-a", "value": "2 "},
        ],
        "postData": {"mimeType": "application/json", "text": '{"é": 1}'},
    }
    response = {
        "status": 201,
        "statusText": "Created",
        "headers": [],
        "content": {"text": "aGk=", "encoding": "base64"},
    }
    whole = {
        "startedDateTime": "2026-11-20T10:00:00.500Z",
        "request": request,
        "response": response,
        "timings": {"wait": 12.5},
        "connection": "443",
    }
    return whole | changes


def read(*entries: Any) -> list[Exchange | Malformed]:
    return list(har.read(io.BytesIO(json.dumps({"log": {"version": "1.2", "entries": entries}}).encode())))


def test_a_websocket_is_its_opening_with_what_its_client_may_ask_again_and_what_the_server_said() -> None:
    request = {"method": "GET", "url": "wss://a.example/live?room=7", "headers": []}
    messages = [
        {"type": "receive", "opcode": 1, "data": '{"hello": 1}'},
        {"type": "send", "opcode": 1, "data": '{"type": "subscribe", "room": 7}'},
        {"type": "send", "opcode": 1, "data": '{"type": "order", "tea": 3}'},
        {"type": "receive", "opcode": 2, "data": "AAE="},
        {"type": "receive", "opcode": 1, "data": '{"room": 7}'},
    ]
    opened = entry(request=request, response={"status": 101, "headers": []}, _webSocketMessages=messages)
    refused = entry(request=request, response={"status": 403, "content": {"text": "no"}}, _webSocketMessages=[])
    exchange, other = read(opened, refused)
    assert isinstance(exchange, Exchange)
    assert isinstance(other, Exchange)
    assert exchange.request.url == "https://a.example/live?room=7"
    assert exchange.request.first(b"Upgrade") == b"websocket"
    assert exchange.request.body == b'{"type": "subscribe", "room": 7}'
    assert exchange.response is not None
    assert exchange.response.body == b'{"hello": 1}\n{"room": 7}'
    assert other.response is not None
    assert (other.request.body, other.response.body) == (b"", b"no")


def test_an_entry_becomes_the_exchange_it_describes() -> None:
    (exchange,) = read(entry())
    assert isinstance(exchange, Exchange)
    request, response = exchange.request, exchange.response
    assert (request.method, request.target, request.host, request.port) == (
        "POST",
        b"/a%2Fb//c?x=1&&y=%zz",
        "api.example.com",
        8443,
    )
    # The body's type was told beside it alone.
    assert request.headers == ((b"X-A", b"1"), (b"x-a", b"2"), (b"Content-Type", b"application/json"))
    assert request.body == '{"é": 1}'.encode()
    assert response is not None
    assert (response.status, response.body, response.reason) == (201, b"hi", b"Created")
    assert (exchange.started, exchange.elapsed, exchange.connection) == (1795168800.5, 0.0125, "443")


def test_a_form_exported_as_parameters_becomes_a_body() -> None:
    changed = entry()
    changed["request"]["postData"] = {
        "mimeType": "application/x-www-form-urlencoded",
        "params": [{"name": "a b", "value": "1&2"}],
    }
    (exchange,) = read(changed)
    assert isinstance(exchange, Exchange)
    assert exchange.request.body == b"a+b=1%262"


def test_an_answer_that_can_be_asked_for_again_is_truncated_where_the_exporter_left_its_text_out() -> None:
    kept, left_out, changing = read(
        *(
            entry(request={"method": method, "url": "http://a/"}, response={"status": 200, "content": content})
            for method, content in (("GET", {"text": "hi", "size": 2}), ("GET", {"size": 9}), ("POST", {"size": 9}))
        )
    )
    answers = [
        one.response for one in (kept, left_out, changing) if isinstance(one, Exchange) and one.response is not None
    ]
    assert [(one.body, one.truncated, one.size) for one in answers] == [
        (b"hi", False, None),
        (b"", True, 9),
        (b"", False, None),
    ]


def test_status_zero_is_no_answer() -> None:
    (exchange,) = read(entry(response={"status": 0}))
    assert isinstance(exchange, Exchange)
    assert exchange.response is None


def test_a_moment_without_an_offset_means_the_same_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        bare, told = read(
            entry(startedDateTime="2026-11-20T10:00:00"), entry(startedDateTime="2026-11-20T05:00:00-05:00")
        )
    finally:
        monkeypatch.undo()
        time.tzset()
    assert isinstance(bare, Exchange)
    assert isinstance(told, Exchange)
    assert bare.started == told.started == 1795168800.0


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("text", "no object"),
        ({}, "no request"),
        (entry(request={"method": "GET", "url": "ftp://x/"}), "not http"),
        (entry(request={"method": "GET", "url": "http:///x"}), "no host"),
        (entry(request={"url": "http://x/"}), "no method"),
        (entry(startedDateTime="yesterday"), "yesterday"),
        (entry(response={"status": 200, "content": {"text": "!", "encoding": "base64"}}), "base64|padding|characters"),
    ],
)
def test_a_broken_entry_costs_only_itself(broken: object, why: str) -> None:
    first, second, third = read(entry(), broken, entry())
    assert isinstance(first, Exchange)
    assert isinstance(third, Exchange)
    assert isinstance(second, Malformed)
    assert second.place == 2
    assert re.search(why, second.why)


@pytest.mark.parametrize(
    "data", [b"", b"{", b'{"log": {"entries": [', b'{"log": {"entries": [{}, nope]}}', b"\xff\xfe"]
)
def test_a_file_that_is_no_json_says_so(data: bytes) -> None:
    with pytest.raises(UnreadableCapture, match="Export it again"):
        list(har.read(io.BytesIO(data)))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "request",
                        "url",
                        "method",
                        "headers",
                        "name",
                        "value",
                        "postData",
                        "text",
                        "response",
                        "status",
                        "content",
                        "startedDateTime",
                    ]
                ),
                inner,
            )
        ),
    )
)
def test_no_entry_raises(value: object) -> None:
    assert len(read(value, entry())) == 2


@given(st.binary())
def test_bodies_in_base64_come_back(body: bytes) -> None:
    (exchange,) = read(
        entry(response={"status": 200, "content": {"text": base64.b64encode(body).decode(), "encoding": "base64"}})
    )
    assert isinstance(exchange, Exchange)
    assert exchange.response is not None
    assert exchange.response.body == body


def test_a_body_is_decompressed_already_whatever_its_header_says() -> None:
    entry = {
        "startedDateTime": "2026-11-20T10:00:00Z",
        "request": {"method": "GET", "url": "http://h/", "headers": []},
        "response": {
            "status": 200,
            "headers": [{"name": "content-encoding", "value": "br"}, {"name": "X-A", "value": "1"}],
            "content": {"text": "plain"},
        },
    }
    (exchange,) = har.read(io.BytesIO(json.dumps({"log": {"entries": [entry]}}).encode()))
    assert isinstance(exchange, Exchange)
    assert exchange.response is not None
    assert (exchange.response.headers, exchange.response.body) == (((b"X-A", b"1"),), b"plain")


def test_an_entry_that_is_nested_too_deeply_costs_only_itself() -> None:
    deep = b'{"startedDateTime": "2026-11-20T10:00:00Z", "request": {"method": ' + b"[" * 5000 + b"]" * 5000
    items = list(har.read(io.BytesIO(b'{"log": {"entries": [' + deep + b', "url": "http://a/"}}]}}')))
    assert all(isinstance(item, Malformed) for item in items)


@pytest.mark.parametrize("unit", [b"[", b'{"a":'])
def test_a_file_that_only_opens_brackets_is_refused_before_it_costs_minutes(unit: bytes) -> None:
    with pytest.raises(UnreadableCapture, match="nested too deeply"):
        list(har.read(io.BytesIO(b'{"log":{"entries":[' + unit * 200_000)))


def test_text_that_is_no_utf_8_is_told_in_one_line() -> None:
    broken = json.dumps({"log": {"entries": [entry()]}}).encode().replace(b"Created", b"Cr\xe9ated")
    with pytest.raises(
        UnreadableCapture, match=r"broken after entry 0: lexical error: invalid bytes in UTF8 string\. Export"
    ):
        list(har.read(io.BytesIO(broken)))


@pytest.mark.parametrize(
    ("item", "why"),
    [
        (None, "the entry is no object"),
        (5, "the entry is no object"),
        ({"request": None}, "the entry's request is no object"),
    ],
)
def test_an_entry_that_is_none_is_told_in_words_of_the_file(item: object, why: str) -> None:
    assert list(har.read(io.BytesIO(json.dumps({"log": {"entries": [item]}}).encode()))) == [Malformed(1, why)]


def posted(data: dict[str, object], kind: str = "multipart/form-data; boundary=-b1", **more: object) -> Any:
    headers = [{"name": "Content-Type", "value": kind}]
    (found,) = read(entry(request={"method": "POST", "url": "http://x/", "headers": headers, "postData": data, **more}))
    assert isinstance(found, Exchange), found
    return found.request


def test_a_form_of_parts_that_was_exported_as_parameters_becomes_a_body() -> None:
    """As Firefox does where the text is left out."""
    file = {"name": "f", "value": "x", "fileName": "a.txt", "contentType": "text/plain"}
    request = posted({"mimeType": "multipart/form-data; boundary=-b1", "params": [file, {"name": "g", "value": "1"}]})
    assert request.body == (
        b'---b1\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nx\r\n'
        b'---b1\r\nContent-Disposition: form-data; name="g"\r\n\r\n1\r\n---b1--\r\n'
    )


def test_a_body_that_is_missing_is_known_by_its_size() -> None:
    left_out = {"name": "f", "fileName": "a.bin"}
    request = posted({"mimeType": "multipart/form-data", "params": [left_out]}, bodySize=900)
    assert (request.body, request.first(b"Content-Length")) == (b"", b"900")
    assert posted({"mimeType": "text/plain", "text": "x"}, bodySize=1).first(b"Content-Length") is None


def test_headers_that_an_exporter_joined_by_line_ends_are_headers_of_their_own() -> None:
    (found,) = read(entry(response={"status": 200, "headers": [{"name": "Set-Cookie", "value": "a=1\nb=2"}]}))
    assert isinstance(found, Exchange)
    assert found.response is not None
    assert list(found.response.all(b"Set-Cookie")) == [b"a=1", b"b=2"]


def test_an_entry_of_no_known_time_is_one() -> None:
    made = entry()
    del made["startedDateTime"]
    (found,) = read(made)
    assert isinstance(found, Exchange)
    assert found.started == 0.0


def test_cookies_and_the_query_are_read_from_their_lists_where_they_stand_nowhere_else() -> None:
    def asked(**changes: Any) -> Any:
        cookies = [{"name": "sid", "value": "a1"}, {"name": "b", "value": ""}, {"value": "none"}]
        query = [{"name": "x y", "value": "1&2"}]
        request = {"method": "GET", "url": "http://a/b", "headers": [], "cookies": cookies, "queryString": query}
        (exchange,) = read(entry(request=request | changes))
        assert isinstance(exchange, Exchange)
        return exchange.request

    assert asked().target == b"/b?x+y=1%262"
    assert asked().first(b"Cookie") == b"sid=a1; b="
    assert asked(url="http://a/b?z=1", queryString=[]).target == b"/b?z=1"
    assert asked(url="http://a/b?z=1").target == b"/b?z=1"
    assert asked(headers=[{"name": "cookie", "value": "sid=a2"}]).first(b"Cookie") == b"sid=a2"
    assert (asked(cookies="x").first(b"Cookie"), asked(queryString=[3]).target) == (None, b"/b")
