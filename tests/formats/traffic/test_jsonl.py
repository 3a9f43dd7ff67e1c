"""Our own JSON lines."""

import base64
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.formats import capture
from gatecrash.formats.capture import Malformed
from gatecrash.formats.draft import Draft
from gatecrash.formats.traffic import jsonl


def read(*lines: object) -> list[Exchange | Malformed]:
    raw = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    return list(jsonl.read(io.BytesIO(raw)))


def test_a_line_becomes_the_exchange_it_describes() -> None:
    line = {
        "method": "GET",
        "url": "http://a.example/x?",
        "headers": [["A", "1"], ["a", "2"]],
        "time": "2026-11-20T10:00:00Z",
        "status": 401,
        "response_headers": {"B": ["3", "4"]},
        "connection": "c",
        "client": "192.0.2.7",
    }
    assert read(line) == [
        Exchange(
            Request("GET", b"/x?", ((b"A", b"1"), (b"a", b"2")), b"", "http", "a.example", 80),
            Response(401, ((b"B", b"3"), (b"B", b"4"))),
            1795168800.0,
            None,
            "c",
            "192.0.2.7",
        )
    ]


def test_without_a_status_no_answer_was_seen() -> None:
    (exchange,) = read({"method": "GET", "url": "http://a.example/"})
    assert isinstance(exchange, Exchange)
    assert exchange.response is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{", "truncated"),
        (b"[]", "object"),
        ({"method": "GET"}, "url"),
        (b'{"method": "GET", "url": "http://a/", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        ({"method": "GET", "url": "/relative"}, "not http"),
        ({"method": "GET", "url": "http://a:99999/"}, "ort"),
        ({"method": "GET", "url": "http://a/", "status": 20}, "no HTTP status"),
        ({"method": "GET", "url": "http://a/", "time": "2026-11-20T10:00:00"}, "offset"),
        ({"method": "GET", "url": "http://a/", "time": 1e300}, "not in UNIX seconds"),
        ({"method": "GET", "url": "http://a/", "time": -1}, "not in UNIX seconds"),
        ({"method": "GET", "url": "http://a/", "body_base64": "*"}, "base64"),
        ({"method": "GET", "url": "http://a/", "headers": [["a"]]}, "headers"),
    ],
)
def test_a_broken_line_costs_only_itself(line: object, why: str) -> None:
    good = {"method": "GET", "url": "http://a.example/"}
    first, second, third = read(good, line, good)
    assert isinstance(first, Exchange)
    assert isinstance(third, Exchange)
    assert isinstance(second, Malformed)
    assert second.place == 2
    assert why in second.why


def test_an_endless_line_is_passed_over_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "MOST_BYTES_A_LINE", 100)
    first, second = read(b"x" * 1000, {"method": "GET", "url": "http://a/"})
    assert first == Malformed(1, "the line is longer than 100 bytes")
    assert isinstance(second, Exchange)


@given(st.binary())
def test_bodies_in_base64_come_back(body: bytes) -> None:
    (exchange,) = read({"method": "PUT", "url": "http://a/", "body_base64": base64.b64encode(body).decode()})
    assert isinstance(exchange, Exchange)
    assert exchange.request.body == body


@given(st.lists(st.binary()))
def test_no_bytes_raise(lines: list[bytes]) -> None:
    list(jsonl.read(io.BytesIO(b"\n".join(lines))))


def test_what_is_drafted_is_to_be_sent_once() -> None:
    draft, sent = read(
        {"method": "POST", "url": "http://a/", "drafted": True},
        {"method": "POST", "url": "http://a/", "drafted": True, "status": 200},
    )
    assert isinstance(draft, Draft)
    assert draft.drafted
    assert not isinstance(sent, Draft), "it has its answer"


def test_a_file_says_what_is_for_everybody_and_a_service_does_not() -> None:
    for told in ({"status": 200}, {"drafted": True}):
        line = {"method": "GET", "url": "http://a/", "public": True, **told}
        (found,) = read(line)
        assert isinstance(found, Exchange)
        assert found.public
        reported = jsonl.exchange(1, json.dumps(line).encode())
        assert isinstance(reported, Exchange)
        assert not reported.public


@given(st.binary(), st.binary(), st.booleans(), st.booleans())
def test_a_written_line_is_read_as_what_it_was(body: bytes, answer: bytes, drafted: bool, public: bool) -> None:
    headers = ((b"Host", b"a.example:81"), (b"X-One", b"\xe9"), (b"X-Two", b"1"), (b"X-Two", b"2"))
    request = Request("POST", b"/a?b=%20", headers, body, host="a.example", port=81)
    response = None if drafted else Response(200, ((b"Set-Cookie", b"a=1"), (b"Set-Cookie", b"b=2")), answer)
    written = jsonl.line_of(Exchange(request, response, started=2.5, drafted=drafted, public=public))
    (back,) = jsonl.read(io.BytesIO(written))
    assert isinstance(back, Exchange)
    assert (back.request, back.response, back.drafted, back.public) == (request, response, drafted, public)
