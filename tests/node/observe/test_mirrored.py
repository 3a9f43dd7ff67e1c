"""Both ways in which proxies mirror, and what is believed on which."""

import pytest
from tests.node.observe.collecting import MIRROR

from gatecrash.core.auth.head_reader import HeadReader
from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request
from gatecrash.node.observe.mirrored import read_mirrored, reader_for

NOW = 1_795_168_800.0
READER = HeadReader()


def request_of(raw: bytes, body: bytes = b"") -> Request:
    exchange = read_mirrored(READER, raw.removesuffix(b"\r\n\r\n"), body, NOW).exchange
    assert (exchange.started, exchange.response) == (NOW, None)
    return exchange.request


def test_a_proxy_tells_the_original_in_headers_of_its_own() -> None:
    headers = ((b"Host", b"api.example.com"), (b"Authorization", b"Bearer abcdefgh"))
    assert request_of(MIRROR, b"x") == Request("PUT", b"/a?b=1", headers, b"x", "https", "api.example.com", 443)


def test_the_proxy_tells_the_clients_address() -> None:
    assert read_mirrored(READER, MIRROR.removesuffix(b"\r\n\r\n"), b"", NOW)[0].client == "192.0.2.7"


def test_a_request_that_is_mirrored_as_it_is_keeps_all_but_the_proxys_headers() -> None:
    raw = b"GET /x HTTP/1.1\r\nHost: A.example:81\r\nConnection: close\r\nX-Original-URI: /faked\r\nX-Forwarded-Proto: https\r\n\r\n"
    request = request_of(raw)
    assert (request.url, request.host) == ("https://a.example:81/x", "a.example")
    assert request.first(b"X-Original-URI") == b"/faked", "a client's own header is no word of the proxy"
    assert request.first(b"Connection") is None


@pytest.mark.parametrize(("header", "host"), [(b"X-Envoy-Internal: true", "a.example"), (b"A: b", "a.example-shadow")])
def test_envoys_mark_on_the_host_is_taken_off(header: bytes, host: str) -> None:
    assert request_of(b"GET / HTTP/1.1\r\nHost: a.example-shadow\r\n" + header + b"\r\n\r\n").host == host


@pytest.mark.parametrize(
    "raw",
    [
        b"GET / HTTP/1.1",
        b"GET / HTTP/1.1\r\nHost: a b",
        b"GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: ftp",
        b"GET /gatecrash/v1/mirror HTTP/1.1\r\nHost: a",
        MIRROR.replace(b"X-Original-Method: PUT", b"X-Original-Method: P(T"),
        MIRROR.replace(b"/a?b=1", b"a?b=1"),
        b"",
        b"\xff\xfe",
    ],
)
def test_what_cannot_be_counted_is_refused(raw: bytes) -> None:
    with pytest.raises(GatecrashError):
        request_of(raw)


def test_the_key_is_given_apart() -> None:
    raw = MIRROR.removesuffix(b"\r\n\r\n") + b"\r\nX-Gatecrash-Key: k"
    exchange, key, _ = read_mirrored(READER, raw, b"", NOW)
    assert key == b"k"
    assert exchange.request.first(b"X-Gatecrash-Key") is None


def test_a_reader_for_counting_leaves_out_what_nobody_asks_for() -> None:
    reader = reader_for({b"AUTHORIZATION"}.__contains__)
    raw = b"GET / HTTP/1.1\r\nHost: a-shadow\r\nAccept: */*\r\nauthorization: x\r\nX-Envoy-Internal: true\r\nX-Forwarded-Proto: https"
    request = read_mirrored(reader, raw, b"", NOW)[0].request
    assert [name for name, _ in request.headers] == [
        b"Host",
        b"authorization",
        b"X-Envoy-Internal",
        b"X-Forwarded-Proto",
    ]
    assert (request.host, request.scheme) == ("a", "https")
