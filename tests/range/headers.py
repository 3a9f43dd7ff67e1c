"""Headers of the answer that hold a value, as the server writes them: with its line ends, or without."""

import urllib.parse

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, flaw, miss, text, twin

ALL = (QUERY, FORM, JSON)


def raw(value: str) -> bytes:
    return value.encode("utf-8", "replace")


@flaw("crlf", ways=ALL)
def cookie(given: Given) -> Response:
    return text("set", 200, (b"Set-Cookie", b"lang=" + raw(given.q)))


@flaw("crlf", ways=ALL)
def location(given: Given) -> Response:
    return text("moved", 302, (b"Location", b"/found/" + raw(given.q)))


@flaw("crlf", ways=ALL)
def middle(given: Given) -> Response:
    return text("set", 200, (b"Content-Disposition", b'inline; filename="' + raw(given.q) + b'.txt"'))


@flaw("crlf", ways=ALL)
def line_feed_only(given: Given) -> Response:
    return text("set", 200, (b"X-Topic", raw(given.q.replace("\r", ""))))


@flaw("crlf", ways=(QUERY, FORM))
def decoded_twice(given: Given) -> Response:
    value = given.q.replace("\r", "").replace("\n", "")
    return text("set", 200, (b"X-Topic", raw(urllib.parse.unquote(value))))


@twin("crlf", ways=ALL)
def stripped(given: Given) -> Response:
    return text("set", 200, (b"X-Topic", raw(given.q.replace("\r", "").replace("\n", ""))))


@twin("crlf", ways=ALL)
def encoded(given: Given) -> Response:
    return text("moved", 302, (b"Location", b"/found/" + urllib.parse.quote(given.q).encode()))


@twin("crlf", ways=ALL)
def echoed_in_body(given: Given) -> Response:
    return text(f"Header: {given.q}")


@twin("crlf", ways=ALL)
def refused(given: Given) -> Response:
    if "\n" in given.q or "\r" in given.q:
        raise ValueError("line ends are not allowed in a header")
    return text("set", 200, (b"X-Topic", raw(given.q)))


@twin("crlf", ways=ALL)
def makes_headers_of_anything(given: Given) -> Response:
    """A mock server: every `Name: value` that it finds becomes a header, line end or not."""
    found = [part.split(": ") for part in given.q.replace("\r\n", " ").split(" X-")[1:] if ": " in part]
    made = [(b"X-" + raw(name), raw(value.replace("\n", "").replace("\r", ""))) for name, value, *_ in found]
    return text("made", 200, (b"X-Topic", raw(given.q.replace("\r", "").replace("\n", ""))), *made)


KEPT: list[bytes] = [b"tea"]


@miss("crlf", ways=(QUERY,))
def in_the_next_answer(given: Given) -> Response:
    KEPT.append(raw(given.q))
    return text("set", 200, (b"X-Topic", KEPT[-2].replace(b"\r", b"").replace(b"\n", b"")))
