"""Cookies that an answer gives out for the first time: the next visit carries them, and they are values like any other.

A record keeps one of two visits to one address, and the first has no cookie yet. Where a policy looks at cookies, those that
the recorded answer gave are put into the request, and asked for as what a browser would send next (RFC 6265, section 5.4).
Sessions are left aside: what begins one is a credential, and none of its values is anybody's input, but where it is an object
that is loaded.
"""

import re
from collections.abc import Iterator

import msgspec

from gatecrash.core.auth.families.ignored_cookies import is_ignored
from gatecrash.core.auth.families.session_cookies import listed_name
from gatecrash.core.auth.parameters import COOKIE_STEPS
from gatecrash.core.auth.set_cookie import parse
from gatecrash.core.message import Exchange, Request, Response, with_header
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.payloads.deserialization import NODE, holding

_MOST = 4
# An object in base64 is as random to look at as a session: names tell them apart.
_SESSION = re.compile(rb"sess|sid$|csrf|xsrf|token|auth", re.IGNORECASE)


def revisited(baseline: Baseline) -> tuple[Baseline, tuple[Point, ...]] | None:
    """The baseline as a browser asks for it the next time, and the points of its new cookies; None where it has none.

    It has no answer: nobody saw one. Only what is asked for safely is asked for again.
    """
    request, response = baseline.request, baseline.response
    if response is None or not is_safe(request):
        return None
    pairs = list(_new(request, response))[:_MOST]
    if not pairs:
        return None
    cookies = b"; ".join([*request.all(b"Cookie"), *(name + b"=" + value for name, value in pairs)])
    asked = msgspec.structs.replace(request, headers=with_header(request.headers, b"Cookie", cookies))
    points = tuple(Point((*COOKIE_STEPS, name.decode("latin-1"))) for name, _ in pairs)
    return Baseline(baseline.id, Exchange(asked, None)), points


def _new(request: Request, response: Response) -> Iterator[tuple[bytes, bytes]]:
    """Name and value, as written, of what the answer gives out and the request does not carry."""
    carried = {pair.partition(b"=")[0].strip() for line in request.all(b"Cookie") for pair in line.split(b";")}
    for header in response.all(b"Set-Cookie"):
        cookie = parse(header)
        if cookie is None or cookie.name in carried or not _comes_back(header, request.path):
            continue
        session = _SESSION.search(cookie.name) or listed_name(cookie.name) is not None
        if (not session or _is_object(cookie.value)) and not is_ignored(cookie.name):
            carried.add(cookie.name)
            # As written: a browser sends quotes back.
            yield cookie.name, header.partition(b";")[0].partition(b"=")[2].strip()


def _is_object(value: bytes) -> bool:
    held = holding(value)
    return held is not None and held.coded and held.kind != NODE


def _comes_back(header: bytes, path: bytes) -> bool:
    """Whether the Path attribute, where there is one, covers the path (RFC 6265 section 5.1.4)."""
    for attribute in header.split(b";")[1:]:
        key, _, value = attribute.partition(b"=")
        if key.strip().lower() == b"path":
            place = value.strip()
            return not place.startswith(b"/") or path == place or path.startswith(place.rstrip(b"/") + b"/")
    return True
