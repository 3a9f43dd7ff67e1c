"""An identity's credentials set on requests: on a baseline before probes look at it, and kept current in their test requests.

The rule by which a probe's own changes stay: the baseline is dressed first, so a test request holds the session's values
exactly where the probe left them alone. At sending time only a value that is still the one the baseline was dressed in is
replaced by the session's present one; only a request whose proof of signature is still the baseline's is signed again. What
a probe left out, emptied or garbled stays so.
"""

import re
from collections.abc import Container, Iterable, Mapping
from urllib.parse import quote

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, with_header
from gatecrash.core.point import Point
from gatecrash.core.points.percent import unquote
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read, walk
from gatecrash.core.testing.authorization.callers.credentials import COOKIE, counting_cookies, without_credentials
from gatecrash.core.testing.profiles.profile import Once, ProfileIdentity

PENDING = b"0"
"""What stands at a one-time value's point until the request is sent."""

_LONGEST_CHOICE = 11
"""Bytes of a cookie that is a setting; sessions have more."""

_WORD = re.compile(rb"[A-Za-z][A-Za-z_-]{0,%d}" % (_LONGEST_CHOICE - 1))
_OF_COOKIE = 4
_AUTHORIZATION = ("header", "AUTHORIZATION")

_BROWSER = b"User-Agent"
# As the cookies' codec writes them (ECMA-262 section 19.2.6.4).
_LEFT_AS_IT_IS = "-_.!~*'()"

Values = Mapping[Point, bytes]


def put(request: Request, point: Point, value: bytes) -> Request:
    """The request with the value at the point; a header, cookie or query parameter that is missing is added.

    A body without the point stays as it is: what another request's body holds would be no sense in it. A cookie with
    percent codes is one as a server set it, and goes back byte by byte.
    """
    if read(request, point) is not None:
        try:
            return rewrite(request, point, value, raw=_as_read(point, value) != value)
        except UserError:
            return request
    if point[0] == "header" and len(point) == 2:
        name = "-".join(part.capitalize() for part in point[1].split("-")).encode("latin-1", "replace")
        return _changed(request, headers=(*request.headers, (name, value)))
    if point[:3] == COOKIE and len(point) == 4:
        crumb = point[3].encode("latin-1", "replace") + b"=" + value
        before = request.first(b"Cookie")
        crumbs = before + b"; " + crumb if before else crumb
        return _changed(request, headers=with_header(request.headers, b"Cookie", crumbs))
    if point[0] == "get" and len(point) == 2:
        return _with_parameter(request, point, value)
    return request


def put_all(request: Request, values: Values) -> Request:
    """The request with every value at its point."""
    for point, value in values.items():
        request = put(request, point, value)
    return request


def up_to_date(request: Request, before: Values, now: Values) -> Request:
    """The request with what still stands in it as it was replaced by what holds now."""
    for point, old in before.items():
        new = now.get(point)
        if new is not None and new != old and read(request, point) in (old, _as_read(point, old)):
            request = put(request, point, new)
    return request


def without_choices(request: Request, values: Values, written: Iterable[Point]) -> dict[Point, bytes]:
    """What a login gave without the cookies in which the request holds another choice: `theme=dark`, `level=low`.

    A login sets those to what they are at first; what was recorded is what its user tests. A short word is nobody's
    session, unless a login gives nothing else. written: points that a profile's author set, which stay whatever they hold.
    """
    kept = frozenset(tuple(point) for point in written)
    left = {
        point: value for point, value in values.items() if tuple(point) in kept or not _is_choice(request, point, value)
    }
    return left or dict(values)


def _is_choice(request: Request, point: Point, value: bytes) -> bool:
    """Whether a request holds another short word in a cookie than this one."""
    if tuple(point[:3]) != COOKIE or len(value) > _LONGEST_CHOICE:
        return False
    recorded = read(request, point)
    return recorded is not None and recorded != value and len(recorded) <= _LONGEST_CHOICE


def chosen(request: Request) -> set[tuple[str, str]]:
    """The cookies of a request that hold a short word, which is nobody's session, by name and value."""
    points = walk(request).points if request.first(b"Cookie") else ()
    cookies = (each for each in points if tuple(each.point[:3]) == COOKIE and len(each.point) == _OF_COOKIE)
    return {
        (each.point[3], each.value.decode("latin-1")) for each in cookies if _WORD.fullmatch(each.value) is not None
    }


def as_other(
    request: Request, credentials: Iterable[Point], values: Values, choices: Container[tuple[str, str]] = ()
) -> Request:
    """The request in another's credentials: those it carries left out first, whatever else might let a caller in too.

    choices: cookies in which the other was recorded himself. Where the request holds them, they stay: a login sets the
    level of an exercise to what it is at first, and what was recorded is what is tested. A role that the other never
    had is none of them.

    Cookies that hold a small number stay as they are: they name what is asked for, be it that a login sets them, too.
    What lets him in otherwise than the request came stays away, as `as_it_came` has it. What stands in a message is
    written over, for nothing could be added there.
    """
    credentials = tuple(credentials)
    carried = frozenset(tuple(point) for point in credentials)
    values = as_it_came(request, _within_message(credentials, values), carried)
    named = {point: value for point, value in counting_cookies(request).items() if tuple(point) not in carried}
    for name, word in chosen(request):
        point = Point((*COOKIE, name))
        if (name, word) in choices and tuple(point) not in carried:
            named[point] = word.encode("latin-1")
    left_out = [point for point in credentials if point[0] != "post" or point not in values]
    return put_all(without_credentials(request, left_out), {**_as_its_own_came(request, values), **named})


def as_it_came(request: Request, values: Values, carried: Container[tuple[str, ...]]) -> dict[Point, bytes]:
    """Of what lets somebody in by a token and by a cookie that with which a request came, where it did with one of them.

    Cookies stay away from what a program sends with a token and no cookie: some applications look at the cookie first,
    and ask it for a form's token. A token stays away from what a browser sends with the cookie alone. carried: the
    points of its credentials.
    """
    came = [point for point in values if tuple(point) in carried]
    if came and request.first(b"Cookie") is None:
        return {point: value for point, value in values.items() if tuple(point[:3]) != COOKIE}
    if came and all(tuple(point[:3]) == COOKIE for point in came):
        return {point: value for point, value in values.items() if tuple(point) != _AUTHORIZATION}
    return dict(values)


def as_recorded(request: Request, values: Values) -> dict[Point, bytes]:
    """The same of a recorded request in its own session. A cookie of that goes along where its browser sent it: one whose
    path is elsewhere, as a refresh token's is, stays away.
    """
    held = frozenset(tuple(point) for point in values if read(request, point) is not None)
    is_cookie = {point: tuple(point[:3]) == COOKIE for point in values}
    by_cookie = any(is_cookie[point] for point in values if tuple(point) in held)
    came = as_it_came(request, values, held)
    return {
        point: value for point, value in came.items() if tuple(point) in held or not (by_cookie and is_cookie[point])
    }


def _within_message(credentials: Iterable[Point], values: Values) -> Values:
    """The values, and at each place in the message that another's calls have no value for his one value of other calls."""
    own = {value for point, value in values.items() if point[0] == "post"}
    if len(own) != 1:
        return values
    return {**dict.fromkeys((point for point in credentials if point[0] == "post"), *own), **values}


def _as_its_own_came(request: Request, values: Values) -> dict[Point, bytes]:
    """The values, a cookie's in percent codes where the request's own came so: of a record it is told as it is read, and an
    application that undoes the codes takes the plus sign of a bare one for a blank.
    """
    crumbs = [
        crumb.strip().partition(b"=") for each in request.all(b"Cookie") if b"%" in each for crumb in each.split(b";")
    ]
    coded = {name.decode("latin-1") for name, _, value in crumbs if unquote(value) != value}
    return {
        point: quote(value, safe=_LEFT_AS_IT_IS).encode()
        if tuple(point[:3]) == COOKIE and point[-1] in coded and unquote(value) == value
        else value
        for point, value in values.items()
    }


def by_the_browser(request: Request, identity: ProfileIdentity, recorded: Request) -> Request:
    """The request as from the browser that the identity signs in with: some sessions are good for it alone, and end when another
    one asks. Where a probe wrote something else than the recorded one there, it stays.
    """
    named = [value for step in identity.login for name, value in step.headers if name.lower() == "user-agent"]
    before = recorded.first(_BROWSER)
    if not named or "$" in named[-1] or before is None or request.first(_BROWSER) != before:
        return request
    return _changed(request, headers=with_header(request.headers, _BROWSER, named[-1].encode("latin-1", "replace")))


def wanted(once: Once, request: Request) -> bool:
    """Whether a request needs these one-time values."""
    methods = once.methods or ("*",)
    return "*" in methods or request.method.upper() in methods


def pending(once: Iterable[Once], request: Request) -> Request:
    """The baseline with a place for its one-time values: those recorded in it are long used up."""
    for each in once:
        if wanted(each, request):
            request = put_all(request, {Point(placed.point): PENDING for placed in each.values})
    return request


def _as_read(point: Point, value: bytes) -> bytes:
    """What is read at the point where this stands: a cookie's percent codes are undone."""
    return unquote(value) if tuple(point[:3]) == COOKIE else value


def _with_parameter(request: Request, point: Point, value: bytes) -> Request:
    """The query with one more parameter, encoded by the codec that reads it."""
    mark = b"&" if request.query else b"" if request.query is not None else b"?"
    name = quote(point[1], safe="-._~")
    added = _changed(request, target=request.target + mark + name.encode() + b"=")
    return rewrite(added, point, value) if read(added, point) is not None else request


def _changed(request: Request, **fields: object) -> Request:
    changed: Request = msgspec.structs.replace(request, **fields)
    return changed
