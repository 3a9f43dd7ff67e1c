"""The XML of intercepting proxies: items with raw requests and answers."""

import base64
import io
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Exchange
from gatecrash.formats import opening
from gatecrash.formats.capture import Malformed, UnreadableCapture

DOCTYPE = '<?xml version="1.0"?>\n<!DOCTYPE items [\n<!ELEMENT items (item*)>\n<!ATTLIST items v CDATA "">\n]>\n'
REQUEST = b"POST /a?q=%41 HTTP/1.1\r\nHost: a.example\r\nCookie: s=1\r\n\r\nx=\x00\xff"
ANSWER = b"HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\n\r\nmade"


def item(
    request: bytes = REQUEST, answer: bytes | None = ANSWER, place: str | None = None, encoded: bool = True
) -> str:
    """One item as a proxy writes it."""

    def field(name: str, raw: bytes) -> str:
        text = base64.b64encode(raw).decode() if encoded else escape(raw.decode())
        return f'<{name} base64="{str(encoded).lower()}">{text}</{name}>'

    where = (
        "<host ip='127.0.0.1'>A.example</host><port>8443</port><protocol>https</protocol>" if place is None else place
    )
    answered = field("response", answer) if answer is not None else "<response></response>"
    time = "<time>Sat Nov 21 12:00:00 UTC 2026</time>"
    return f"<item>{time}<url><![CDATA[https://a.example:8443/a]]></url>{where}{field('request', request)}{answered}</item>"


def read(*items: str, before: str = DOCTYPE) -> list[Exchange | Malformed]:
    document = f"{before}<items v='1'>{''.join(items)}</items>"
    capture = opening.opened(io.BytesIO(document.encode()))
    assert (capture.kind, capture.drafted) == ("xml", False)
    return list(capture.items)


def test_an_item_is_an_exchange_byte_for_byte() -> None:
    (exchange,) = read(item())
    assert isinstance(exchange, Exchange)
    request = exchange.request
    assert (request.method, request.target, request.body) == ("POST", b"/a?q=%41", b"x=\x00\xff")
    assert (request.scheme, request.host, request.port) == ("https", "a.example", 8443)
    assert request.headers == ((b"Host", b"a.example"), (b"Cookie", b"s=1"))
    assert exchange.response is not None
    assert (exchange.response.status, exchange.response.body) == (201, b"made")
    assert exchange.started == 1795262400


def test_items_without_base64_an_answer_or_a_place_of_their_own() -> None:
    plain, proxied = read(
        item(b"GET /p HTTP/2\r\nAccept: <a>\r\n\r\n", None, encoded=False),
        item(b"GET http://b.example/q?r HTTP/1.1\r\nHost: b.example\r\n\r\n", place="<host/><port/>"),
    )
    assert isinstance(plain, Exchange)
    assert isinstance(proxied, Exchange)
    assert (plain.request.version, plain.request.headers, plain.response) == ("2", ((b"Accept", b"<a>"),), None)
    assert (proxied.request.target, proxied.request.host, proxied.request.port) == (b"/q?r", "a.example", 8443)


def test_a_broken_item_costs_itself() -> None:
    broken = item().replace(base64.b64encode(REQUEST).decode(), "????")
    found = read(broken, "<item><url>http://a.example/</url></item>", item(b"no request"), item())
    assert [type(each) for each in found] == [Malformed, Malformed, Malformed, Exchange]
    assert [(each.place, each.why) for each in found[:2]] == [  # type: ignore[union-attr]
        (1, "the item's base64 is broken"),
        (2, "the item has no request"),
    ]


def test_entities_are_refused_and_broken_files_are_told() -> None:
    bomb = '<!DOCTYPE items [<!ENTITY a "aaaa">]>'
    with pytest.raises(UnreadableCapture, match="declares the entity a"):
        read(item(), before=bomb)
    half = (DOCTYPE + "<items>" + item()).encode()
    items = opening.opened(io.BytesIO(half)).items
    assert isinstance(next(items), Exchange)
    with pytest.raises(UnreadableCapture, match="broken after item 1"):
        next(items)


def test_a_large_file_is_read_item_by_item() -> None:
    many = (
        item(b"GET /%d HTTP/1.1\r\nHost: a.example\r\n\r\n" % number, b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 2000)
        for number in range(900)
    )
    found = read(*many)
    assert [each.request.target for each in found if isinstance(each, Exchange)] == [b"/%d" % n for n in range(900)]


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_whatever_an_item_holds_is_an_exchange_or_told(request: bytes, answer: bytes) -> None:
    assert len(read(item(request, answer))) == 1
    assert len(read(item(b"GET / HTTP/1.1\r\n" + request, b"HTTP/1.1 200\r\n" + answer))) == 1
