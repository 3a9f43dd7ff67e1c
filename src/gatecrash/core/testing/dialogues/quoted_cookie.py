"""Cookies as quoted strings: what parsers that drop a value with a blank in it still read whole.

RFC 6265 section 4.1.1 allows no blank in a cookie's value, and some parsers (Werkzeug, Python's http.cookies) leave out
what has one. They read RFC 2109's quoted strings, in which a backslash and three octal digits stand for any byte.
Others (Tomcat, for blanks and backslashes) know none; there an application that decodes percent escapes itself reads
those. Where no answer tells who reads it, the cookie is sent in all these ways at once.
"""

import re
from collections.abc import Callable
from urllib.parse import quote

from gatecrash.core.auth.parameters import COOKIE_STEPS
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite

# What RFC 6265 keeps out of a cookie's value, and payloads hold.
_CUT = re.compile(r'[ "\\]')
_PAIRED = re.compile(rb'["\\]')
_UNSENDABLE = re.compile(rb"[\x00-\x1f;\x7f]")
_ESCAPED = re.compile(rb"[\x00-\x1f\"\\;\x7f-\xff]")


def is_cookie(point: Point) -> bool:
    """Whether the point is a cookie's whole value, and nothing that is decoded inside it."""
    return len(point) == len(COOKIE_STEPS) + 1 and tuple(point[:3]) == COOKIE_STEPS


def is_written_plain(request: Request, point: Point) -> bool:
    """Whether quotes are written there as they are: a cookie that was recorded with percent codes gets them throughout."""
    changed = rewrite(request, point, ODD)
    return (changed.first(b"Cookie") or b"").count(ODD) > (request.first(b"Cookie") or b"").count(ODD)


def quoted(value: bytes) -> bytes:
    """The value as a quoted string, its first byte escaped: who reads it like the plain one knows the escapes."""
    first = b"".join(b"\\%03o" % byte for byte in value[:1])
    return b'"' + first + _ESCAPED.sub(lambda found: b"\\%03o" % found[0][0], value[1:]) + b'"'


def may_be_cut(payload: str) -> bool:
    """Whether a strict parser drops such a value."""
    return _CUT.search(payload) is not None


def percent_escaped(value: bytes) -> bytes:
    """The value with all but its later letters and digits as percent escapes: who reads it like the plain one decodes them."""
    first, rest = value[:1], value[1:]
    return b"".join(b"%%%02X" % byte for byte in first) + quote(rest, safe="").encode()


def plainly_quoted(value: bytes) -> bytes:
    """The value as a quoted string without octal escapes: who reads it like the plain one takes the quotes off."""
    return b'"' + _PAIRED.sub(lambda found: b"\\" + found[0], value) + b'"'


def in_all_ways(name: bytes, value: bytes) -> bytes:
    """The value as it is, as a quoted string, as percent escapes and as it is again, each a cookie of that name: who drops what
    is not allowed is left those between, and who takes all is given the value by the first and by the last.
    """
    plain = _UNSENDABLE.sub(lambda found: b"%%%02X" % found[0][0], value)
    return (b"; " + name + b"=").join((plain, quoted(value), percent_escaped(value), plain))


# What breaks whatever holds a text in quotes, and what parsers drop.
ODD = b"'\""
Coding = Callable[[bytes], bytes]
CODINGS: tuple[Coding, ...] = (quoted, percent_escaped, plainly_quoted)
