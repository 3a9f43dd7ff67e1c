"""Name and value pairs with percent codes: what a query string and a form body have in common.

Pairs are divided at `&`, name and value at the first `=`; `+` is a space (WHATWG URL, application/x-www-form-urlencoded).
A broken percent code stays as it is.
"""

import re
from typing import Final

from gatecrash.core.points.codec import NAMED, OPAQUE, Limits, Part, text
from gatecrash.core.points.naming import bracketed, number_fields
from gatecrash.core.points.percent import quoter, unquote

WITHOUT_EQUALS: Final = 10  # `?flag`: a value needs its equals sign first

# What forms leave alone (WHATWG URL, application/x-www-form-urlencoded percent-encode set) but the tilde, which they
# escape and nobody needs to have escaped.
_quote: Final = quoter("*-._~")
_PLAIN: Final = re.compile(rb"[A-Za-z0-9*\-._~]*+")


def decode(data: bytes) -> bytes:
    """The bytes behind `+` and percent codes."""
    if b"+" in data:
        data = data.replace(b"+", b" ")
    return unquote(data)


def encode(value: bytes, space: bytes) -> bytes:
    """The value in percent codes, its spaces as given (`+` or `%20`)."""
    if _PLAIN.fullmatch(value):
        return value
    quoted = _quote(value)
    return quoted if space == b"%20" else quoted.replace(b"%20", space)


def pair_parts(data: bytes, start: int, prefix: tuple[str, ...], limits: Limits) -> list[Part]:
    """The pairs of `data[start:]`, each field's steps behind the prefix."""
    parts: list[Part] = []
    names: list[str] = []
    plain = True
    position = start
    # A bounded split: a hostile body of 10 MiB of `&` must not become millions of pieces.
    for piece in data[start:].split(b"&", limits.points + 1)[: limits.points + 1]:
        finish = position + len(piece)
        if piece:
            raw, equals, value = piece.partition(b"=")
            name = text(decode(raw))
            plain = plain and name[-1:] != "]"
            names.append(name)
            kind = 0 if equals else WITHOUT_EQUALS
            parts.append(Part((), finish - len(value), finish, decode(value), position, finish, kind))
        position = finish + 1
    if plain and len(set(names)) == len(names):
        for part, name in zip(parts, names, strict=True):
            part.steps = (*prefix, name)
    else:
        walks = number_fields([bracketed(name) for name in names])
        for part, walk in zip(parts, walks, strict=True):
            part.steps = prefix + walk
    return parts


def encode_pair(part: Part, value: bytes, space: bytes) -> bytes:
    """The bytes that hold the value at the pair's span."""
    return insert_pair(part, encode(value, space))


def name_of_pair(data: bytes, part: Part) -> Part:
    """The raw name of a pair, brackets included, decoded as a whole."""
    end = part.finish if part.kind == WITHOUT_EQUALS else part.start - 1
    return Part((), part.begin, end, decode(data[part.begin : end]), part.begin, part.finish, NAMED, OPAQUE)


def insert_pair(part: Part, value: bytes) -> bytes:
    """The bytes that hold the encoded value at the pair's span."""
    return b"=" + value if part.kind == WITHOUT_EQUALS else value


def without_pair(data: bytes, part: Part) -> bytes:
    """The data without the pair and one of the `&` beside it."""
    if data[part.finish : part.finish + 1] == b"&":
        return data[: part.begin] + data[part.finish + 1 :]
    begin = part.begin - 1 if data[: part.begin].endswith(b"&") else part.begin
    return data[:begin] + data[part.finish :]
