"""Parameters that hold a form's token against forged requests: a secret of the session, and no value of the application."""

import re
from collections.abc import Mapping
from urllib.parse import unquote_to_bytes

from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read

_TOKEN = re.compile(
    r"csrf|xsrf|authenticity|requestverification|__token|^_token$|nonce|form_?(?:key|token|id)",
    re.IGNORECASE,
)

# A number alone may be a thing's, and letters alone what a form does (`updateCustomerAddressForm`).
_MIXED = re.compile(r"(?=[^0-9]*[0-9])[^A-Za-z]*[A-Za-z]")

# Fields that Django, ASP.NET and Rails compare before any code of the application runs; and what Relay's clients know the
# answer to a mutation by, which servers send back as it came.
CLIENTS_OWN = "clientMutationId"
_OF_FRAMEWORKS = frozenset({"csrfmiddlewaretoken", "__RequestVerificationToken", "authenticity_token", CLIENTS_OWN})


def is_of_framework(point: Point) -> bool:
    """Whether a framework looks at it by itself, as at a token: whatever else stands there reaches nothing of the application."""
    return point[:1] in (("get",), ("post",)) and not _OF_FRAMEWORKS.isdisjoint(point)


def is_form_token(point: Point) -> bool:
    """Whether a parameter of the query or the body is one by its name; those in cookies and headers are its counterparts."""
    return point[:1] in (("get",), ("post",)) and len(point) > 1 and _TOKEN.search(point[-1]) is not None


def is_token_header(point: Point) -> bool:
    """Whether it is a whole header that is called as such tokens are: scripts send theirs there."""
    return point[:1] == ("header",) and len(point) == 2 and is_called_token(point[-1])


def is_called_token(name: str) -> bool:
    """Whether a field, a header or a cookie is called as such tokens are."""
    return _TOKEN.search(name) is not None


def is_random(value: str) -> bool:
    """Whether a field's value is a long random one, as tokens are whatever they are called."""
    return _MIXED.match(value) is not None and looks_random(value.encode("utf-8", "surrogatepass"))


def cookies_of(request: Request) -> dict[str, bytes]:
    """The cookies of a request, as a script of its page would read them."""
    crumbs = [crumb.partition(b"=") for crumb in (request.first(b"Cookie") or b"").split(b";")]
    return {
        name.strip().decode("latin-1"): unquote_to_bytes(value.strip()) for name, _, value in crumbs if name.strip()
    }


def token_headers(request: Request) -> dict[Point, bytes]:
    """The headers that are called as such tokens are, with what they hold."""
    points = (Point(("header", name.decode("latin-1").upper())) for name, _ in request.headers)
    return {point: read(request, point) or b"" for point in points if is_token_header(point)}


def doubled(recorded: Request, tokens: Mapping[Point, bytes], values: Mapping[Point, bytes]) -> dict[Point, bytes]:
    """The tokens that repeat a cookie, as `X-XSRF-TOKEN` does, with what the cookie holds now.

    tokens: of the recorded request. values: what is put on it, cookies among them.
    """
    found: dict[Point, bytes] = {}
    for cookie, now in values.items():
        before = read(recorded, cookie) if cookie[:2] == ("header", "COOKIE") else None
        if before:
            same = (point for point, token in tokens.items() if token == unquote_to_bytes(before))
            found |= dict.fromkeys(same, unquote_to_bytes(now))
    return found
