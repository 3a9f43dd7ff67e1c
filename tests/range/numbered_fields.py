"""Calls of gRPC-Web, whose messages have numbers in the place of names: values joined into statements, or bound."""

import sqlite3
from urllib.parse import quote

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, posted, twin
from tests.range.store import rows

KIND = b"application/grpc-web+proto"
WANTED = "tea"


def delimited(number: int, value: bytes) -> bytes:
    """A field of a short message (protobuf.dev, "Encoding")."""
    assert len(value) < 0x80
    return bytes((number << 3 | 2, len(value))) + value


def framed(message: bytes, flag: int = 0) -> bytes:
    return bytes((flag,)) + len(message).to_bytes(4, "big") + message


def call(path: str) -> Request:
    """Which item is wanted, within what the client says of itself."""
    message = delimited(1, b"web") + delimited(2, delimited(3, WANTED.encode()))
    return posted(path, framed(message), KIND)


def sized(body: bytes, at: int) -> tuple[int, int]:
    """A length below 16384, and where what has it begins."""
    size = body[at]
    return (size & 0x7F | body[at + 1] << 7, at + 2) if size & 0x80 else (size, at + 1)


def wanted(given: Given) -> str:
    """Raises IndexError, UnicodeDecodeError, ValueError."""
    body = given.request.body
    _, inner = sized(body, body.index(b"\x12", len(framed(delimited(1, b"web")))) + 1)
    size, begin = sized(body, inner + 1)
    return body[begin : begin + size].decode()


def told(found: list[tuple], status: int = 0, why: str = "") -> Response:
    message = b"".join(delimited(1, delimited(2, str(each[0]).encode()[:100])) for each in found)
    trailers = f"grpc-status:{status}\r\ngrpc-message:{quote(why)}\r\n".encode()
    return Response(200, ((b"Content-Type", KIND),), (b"" if status else framed(message)) + framed(trailers, 0x80))


@flaw("sqli", request=call)
def errors_in_trailers(given: Given) -> Response:
    try:
        return told(rows(f"SELECT name FROM items WHERE name LIKE '%{wanted(given)}%'"))
    except sqlite3.Error as error:
        return told([], 13, f"sqlite3.OperationalError: {error}")


@flaw("sqli", request=call)
def joined_in_silence(given: Given) -> Response:
    try:
        return told(rows(f"SELECT name FROM items WHERE name = '{wanted(given)}'"))
    except sqlite3.Error:
        return told([])


@twin("sqli", request=call)
def bound(given: Given) -> Response:
    return told(rows("SELECT name FROM items WHERE name LIKE ?", f"%{wanted(given)}%"))


@twin("sqli", request=call)
def refuses_signs(given: Given) -> Response:
    name = wanted(given)
    if not name.replace(" ", "").isalnum():
        return told([], 3, "a name has letters and digits")
    return told(rows("SELECT name FROM items WHERE name = ?", name))
