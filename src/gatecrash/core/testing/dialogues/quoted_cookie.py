"""Cookies as quoted strings: what parsers that drop a value with a blank in it still read whole.

RFC 6265 section 4.1.1 allows no blank in a cookie's value, and some parsers (Werkzeug, Python's http.cookies) leave out what
has one. They read RFC 2109's quoted strings, in which a backslash and three octal digits stand for any byte.
"""

import re

from gatecrash.core.point import Point

_COOKIE = ("header", "COOKIE", "cookie")
_ESCAPED = re.compile(rb"[\x00-\x1f\"\\;\x7f-\xff]")


def is_cookie(point: Point) -> bool:
    """Whether the point is a cookie's whole value, and nothing that is decoded inside it."""
    return len(point) == len(_COOKIE) + 1 and tuple(point[:3]) == _COOKIE


def quoted(value: bytes) -> bytes:
    """The value as a quoted string."""
    return b'"' + _ESCAPED.sub(lambda found: b"\\%03o" % found[0][0], value) + b'"'
