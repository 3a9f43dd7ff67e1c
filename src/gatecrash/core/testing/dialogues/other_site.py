"""A request as a page of another site makes a browser send it: with the cookies, and without what that page cannot know or set."""

import re
from random import Random

import msgspec

from gatecrash.core.message import Headers, Request, with_header
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.authorization.callers.password_changes import password_change
from gatecrash.core.testing.forms.tokens import is_form_token
from gatecrash.core.testing.probe import Situation
from gatecrash.core.words.named import ByteWords, Words

# Below a session or a token of one's own stands what is kept there: `/session/phone`.
LOGIN = ByteWords(
    rb"log[-_]?in|sign[-_]?(?:in|up)|/register|/(?:sessions?|tokens?)(?:/(?:new|create|refresh|renew))?/?$|oauth",
    re.IGNORECASE,
)
PASSWORD = Words(r"passw(?:or)?d|passwd|pwd", re.IGNORECASE)
# What only asks: a search, a sum. Whoever makes somebody's browser ask has changed nothing and sees no answer.
_LOOKS_UP = re.compile(
    r"(?:(?:[\w-]*[-_])?(?:search|find|look[-_]?up|query|filter|suggest(?:ions?)?|autocomplete|preview|validate|calculat(?:e|or)"
    r"|estimate|convert|translate|render|format)|look|compare|detect|fetch|get|view)\d?(?:\.\w{2,5})?/?",
    re.IGNORECASE,
)
# What a page of another site can set without a preflight (Fetch, section 2.2.2), and what a browser adds by itself.
_SENT_BY_ANY_PAGE = frozenset(
    b"accept accept-language accept-encoding content-language content-type content-length cookie host user-agent"
    b" connection".split()
)
_FORMS = ("form_urlencoded", "multipart")
_SIMPLE_TYPES = (b"application/x-www-form-urlencoded", b"multipart/form-data", b"text/plain")
_CALLED_TOKEN, _TOKEN = re.compile(r"token|sess_?key", re.IGNORECASE), re.compile(rb"[\w.~+/=-]{8,}")
_OWN_PASSWORD = Words(r"(?:current|old|existing)[-_]?pass|pass\w{0,60}[-_](?:current|old|existing)", re.IGNORECASE)
_RANDOM = re.compile(rb"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_-]{32,}={0,2}")
# Eight bytes in hexadecimal digits, or fifteen in Base64: no object's identifier by its name, which other sites may know.
_SHORTER = re.compile(
    rb"(?=[^0-9]*[0-9])(?=[^a-f]*[a-f])[0-9a-f]{16,}|(?=[^0-9]*[0-9])(?=[^A-Z]*[A-Z])(?!.*[a-z]{6})[A-Za-z0-9_-]{20,}={0,2}"
)
_ALPHABETS = (b"0123456789", b"abcdef", b"ghijklmnopqrstuvwxyz", b"ABCDEF", b"GHIJKLMNOPQRSTUVWXYZ")
_IDENTIFIER = re.compile(r"id$|^id|ref(?:erence)?$|number$|file|image", re.IGNORECASE)


def as_other_site(request: Request, name: str, kept_home: tuple[Point, ...] = (), *, made_up: bool = False) -> Request:
    """The request as a page of another site, of this name below `.example`, would send it; without the cookies that stay at home.

    made_up: with tokens that look like the form's, and that anybody may draw, in the place of none.
    """
    random = Random(name)  # noqa: S311
    for found in _tokens(request):
        drawn = _drawn(found.value, random) if made_up and _is_called_a_token(found) else None
        request = remove(request, found.point) if drawn is None else rewrite(request, found.point, drawn)
    for point in kept_home:
        request = remove(request, point)
    headers: Headers = tuple(pair for pair in request.headers if pair[0].lower() in _SENT_BY_ANY_PAGE)
    kind = (request.first(b"Content-Type") or b"").lower()
    if kind and not kind.startswith(_SIMPLE_TYPES):
        headers = with_header(headers, b"Content-Type", b"text/plain")
    origin = f"https://{name}.example".encode()
    # Whoever looks for the own name anywhere in it finds it: a page of any site may be called so, and have all of it sent.
    referer = origin + b"/" + (request.first(b"Host") or request.host.encode("latin-1", "replace")) + b"/"
    foreign: Request = msgspec.structs.replace(request, headers=(*headers, (b"Origin", origin), (b"Referer", referer)))
    return foreign


def is_signed_in_by_cookies(situation: Situation, kept_home: tuple[Point, ...] | None = None) -> bool:
    """Whether a browser alone signs the request in: with a cookie that comes along from other sites' pages, and nothing else.

    kept_home: the cookies that do not; those that the situation tells of where none are given.
    """
    request = situation.baseline.request
    if request.first(b"Cookie") is None or request.first(b"Authorization") is not None:
        return False
    if set(situation.credentials) <= set(situation.kept_home if kept_home is None else kept_home):
        return False
    others = (point for point in situation.credentials if PASSWORD.search(point[-1]) is None)
    return bool(situation.credentials) and all(tuple(point[:2]) == ("header", "COOKIE") for point in others)


def can_be_linked(point: Point) -> bool:
    """Whether a link or a form on another site can carry the value at a point; headers and JSON bodies need more."""
    return point[0] in ("get", "path", "uri") or (point[0] == "post" and len(point) > 1 and point[1] in _FORMS)


def looks_up(request: Request) -> bool:
    """Whether the last name of an address says that it only asks."""
    return _LOOKS_UP.fullmatch(request.path.decode("ascii", "replace").rstrip("/").rpartition("/")[2]) is not None


def may_be_made_up(request: Request) -> bool:
    """Whether forms' tokens are all that no other site knows of a request."""
    tokens = _tokens(request)
    return bool(tokens) and all(map(_is_called_a_token, tokens))


def _is_called_a_token(found: Found) -> bool:
    """Whether a value is a form's token by its name: what else is secret by its looks may name something, as a drawn one does not."""
    return is_form_token(found.point) or _CALLED_TOKEN.search(found.point[-1]) is not None


def _drawn(value: bytes, random: Random) -> bytes:
    """A value of the same length and alphabet."""
    alphabet = b"".join(kind for kind in _ALPHABETS if not set(kind).isdisjoint(value))
    return bytes(random.choice(alphabet) if byte in alphabet else byte for byte in value)


def _tokens(request: Request) -> list[Found]:
    """Parameters that by name or value are tokens against this, or the present password; those in cookies stay, as a
    browser sends them along.
    """
    change = password_change(request, proven=True)
    present = None if change is None else change.old
    return [
        found
        for found in walk(request).points
        if found.point == present or is_form_token(found.point) or is_secret(found)
    ]


def is_secret(found: Found) -> bool:
    """Whether no other site knows the value: the user's own password, what is called a token and may be one, or what is too
    long to be drawn by chance.
    """
    if found.point[:1] not in (("get",), ("post",)) or len(found.point) < 2:
        return False
    if _OWN_PASSWORD.search(found.point[-1]) is not None:
        return True
    long_enough = _CALLED_TOKEN.search(found.point[-1]) is not None and _TOKEN.fullmatch(found.value) is not None
    if long_enough or _RANDOM.fullmatch(found.value) is not None:
        return True
    return _IDENTIFIER.search(found.point[-1]) is None and _SHORTER.fullmatch(found.value) is not None
