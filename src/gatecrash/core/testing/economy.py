"""What a run asks at a few pages of a host and not at all of them.

A browser writes a dozen headers into every request, and services of measurement and consent their cookies. Whoever reads
them stands before all pages, and shows at the first few what it would show at every other. The same holds of the names of
cookies, and of what breaks over bytes in any header. Files that lie there (style sheets, scripts, pictures) are handed out
by one program for a whole folder, whoever asks: two of a folder and kind are asked, and none of them about headers. So do the
leaves of a long list, which differ in a number that turns it (`?page=7`) and in nothing else: two are asked.
The part of an address that a number tells apart from others (`/case/17/run`, `/p17.html`) is read by one program for all of them,
up to the number: three are asked there. What stands behind the number, a query or a body is asked at each: numbered
exercises do something else with it. Who may have what is asked at all of them.
What looks at whole requests and their answers looks at all of them. Where a policy names its points, nothing is spared.

A cookie goes to all pages, and mostly one handler reads it: it is asked in full at the first page of each section, and at
others where their answer shows that they look at it (`dialogues/behind_guard.py`). So is what a browser says of itself and of
where it comes from, at the first few pages of each section: few read that, and show it or break over it. A cookie that is called
like a page (`lesson7_mode` at `/course/lesson7`) is that page's own, and asked in full there.

Whoever refuses callers stands before many endpoints as well, and tells all of them the same: what else is behind him is asked
only where its answer shows that a value is looked at before (`dialogues/behind_guard.py`).
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from posixpath import split, splitext

from gatecrash.core.auth.families.ignored_cookies import COOKIES, expression_of
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.fingerprint import endpoint_of
from gatecrash.core.testing.known.declared import is_before_sign_in
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.difference import read
from gatecrash.core.testing.oracles.outcomes.wrong_passwords import tells_of_a_wrong_password
from gatecrash.core.testing.places.segments import is_name
from gatecrash.core.testing.policy import Policy

MOST_PAGES = 3
"""Pages of a host that are asked about what is sent to every page; as many of those that change something."""

MOST_OF_SECTION = 1
"""Pages of a section that are asked about a cookie in full, whatever they answer; as many of those that change something."""

MOST_OF_SECTION_IN_HEADERS = 3
"""Pages of a section that are asked in full about what browsers say of themselves, whatever they answer."""

MOST_FILES = 2
"""Files of a folder and kind that are asked at their points."""

MOST_LEAVES = 2
"""Leaves of a list that are asked at their points, of one caller and answered with one status."""

MOST_NUMBERED = 3
"""Addresses that their last number alone tells apart that are asked in its segment and before it, of one kind of answer."""

MOST_GUARDED = 2
"""Endpoints that are asked at all their points though they are refused in the same words; as many of those that change something."""

# RFC 9110, Fetch Metadata, Client Hints, Global Privacy Control: written by the browser, not by a page and its scripts.
_BY_BROWSERS = re.compile(
    r"ACCEPT|ACCEPT-(?:ENCODING|CHARSET)|CACHE-CONTROL|PRAGMA|PRIORITY|DNT|SAVE-DATA|SEC-.*|UPGRADE-INSECURE-REQUESTS"
    r"|IF-(?:NONE-MATCH|MODIFIED-SINCE)|DEVICE-MEMORY|DOWNLINK|DPR|ECT|RTT|VIEWPORT-WIDTH|WIDTH"
)
# RFC 9110, sections 10.1.3, 10.1.5 and 12.5.4, and RFC 6454, section 7: written by the browser, too, and read by some pages.
_READ_BY_SOME = re.compile(r"USER-AGENT|ACCEPT-LANGUAGE|REFERER|ORIGIN")
# What breaks over bytes in a header is mostly whoever reads it for all pages; it is a quarter of what a header costs.
_OF_HEADERS_AS_SUCH = frozenset({"anomaly"})
_OF_OTHERS = frozenset({"affinity", "bot", "consent", "analytics"})
_COOKIES_OF_OTHERS = re.compile(
    "|".join(expression_of(cookie.name) for cookie in COOKIES if cookie.kind in _OF_OTHERS), re.IGNORECASE | re.DOTALL
)
_FILE = re.compile(
    rb"\.(css|m?js|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|eot|mp[34]|webm|wasm)", re.IGNORECASE
)
_FILE_TYPES = ("text/css", "text/javascript", "application/javascript", "application/x-javascript", "application/wasm")
_KINDS_OF_FILES = (
    "image/",
    "font/",
    "video/",
    "audio/",
    "application/font",
    "application/x-font",
    "application/vnd.ms-font",
)
# A number alone: a word there may choose what is done (`?page=admin`).
_TURNED = re.compile(
    rb"(?<![^&])((?:page|page_?(?:no|num|number|index)|offset|skip|start)=)\d{1,9}(?=&|$)", re.IGNORECASE
)
_GOOD = (200, 304)
# RFC 9110: sections 15.5.2 and 15.5.4.
_REFUSED = (401, 403)
_DIGITS = re.compile(r"\d+")
_NUMBERED = re.compile(rb"(?<![\w-])(?:(?!\d)[\w-])*+\d[\w-]*+")
_SIGNS = re.compile(r"[\W_]+")
_LEAST_NAME = 5
# Whose it is differs from number to number.
_OF_OWNERS = frozenset({"auth", "idor"})
# header, COOKIE, cookie, the cookie, "name": names of what is inside a cookie are its page's.
_NAMED = 5


def asks_at(baseline: Baseline, policy: Policy, seen: set[tuple[str, ...]]) -> Callable[[str, Point], bool]:
    """Tells of each type and point whether the baseline is to be asked there. seen: the run's memory, which grows."""
    if policy.include:
        return lambda _type, _point: True
    request = baseline.request
    folder = _folder(baseline)
    if folder is not None:
        path = request.path.decode("latin-1")
        one_of_few = _admits(seen, ("file", *folder), baseline, path, MOST_FILES)
        return lambda _type, point: not point or (one_of_few and point[0] != "header")
    leaf = _leaf(baseline)
    if leaf and not _admits(seen, ("leaf", *leaf), baseline, baseline.id, MOST_LEAVES):
        return lambda _type, point: not point
    kind = "reads" if is_safe(request) else "changes"
    page = lru_cache(1)(lambda: endpoint_of(request).path)
    numbered, address = _numbered(baseline), request.path.decode("latin-1")

    def asks(type_: str, point: Point) -> bool:
        if numbered is not None and type_ not in _OF_OWNERS and _is_up_to(point, *numbered[0]):
            return _admits(seen, ("numbered", kind, *numbered[1], type_, *point), baseline, address, MOST_NUMBERED)
        rarely = point[:1] == ("header",) and type_ in _OF_HEADERS_AS_SUCH
        if not rarely and not _is_common(point):
            return True
        key = ("page", request.origin, kind, type_ if rarely else "", *point)
        return _admits(seen, key, baseline, page(), MOST_PAGES)

    return asks


def asked_beside(
    baseline: Baseline, policy: Policy, seen: set[tuple[str, ...]], points: Iterable[Point]
) -> frozenset[Point]:
    """Those of the points that were asked in full at other pages of the baseline's section: in cookies, and in what browsers say of
    themselves. seen: as `asks_at` has it.
    """
    spread = {point: most for point in points if (most := _most_of_section(point))}
    if policy.include or not spread:
        return frozenset()
    request = baseline.request
    page = endpoint_of(request).path
    section, name = split(page.rstrip("/"))
    # What ends in an extension is mostly handed out by another program than what stands beside it.
    name, extension = splitext(name)
    spread = {point: most for point, most in spread.items() if not _is_called_like(point, name)}
    key = ("section", request.origin, "reads" if is_safe(request) else "changes", section, extension)
    return frozenset(point for point, most in spread.items() if not _admits(seen, (*key, *point), baseline, page, most))


def _is_called_like(cookie: Point, page: str) -> bool:
    """Whether the cookie's name has the page's in it, whatever signs stand between: one of some length that tells it from others."""
    own = _SIGNS.sub("", page.lower())
    return len(own) >= _LEAST_NAME and cookie[1] == "COOKIE" and own in _SIGNS.sub("", cookie[3].lower())


def _most_of_section(point: Point) -> int:
    """At how many pages of a section the point is asked in full, whatever they answer; 0 for at all of them."""
    if point[:3] == ("header", "COOKIE", "cookie"):
        return 0 if is_name(point) else MOST_OF_SECTION
    if point[:1] == ("header",) and _READ_BY_SOME.fullmatch(point[1]):
        return MOST_OF_SECTION_IN_HEADERS
    return 0


def is_guarded(baseline: Baseline, policy: Policy, seen: set[tuple[str, ...]]) -> bool:
    """Whether a baseline is refused in the words in which several others were before it. seen: as `asks_at` has it.

    What is asked before anybody is signed in judges by itself what it is given, and so does whatever says that a password was wrong.
    """
    request, response = baseline.request, baseline.exchange.response
    if response is None or response.status not in _REFUSED or policy.include:
        return False
    if signs_in(request) or is_before_sign_in(request.path) or _is_of_a_password(text_of(response)):
        return False
    # Some repeat in a refusal what was asked for.
    address = request.path.decode("latin-1")
    words = frozenset((where, _DIGITS.sub("#", said)) for where, said in read(response, {address: ""}).facts)
    kind = "reads" if is_safe(request) else "changes"
    key = ("guard", request.origin, kind, str(hash(words)))
    return not _admits(seen, key, baseline, endpoint_of(request).path, MOST_GUARDED)


def _is_of_a_password(text: str) -> bool:
    """Whether a refusal is a login's: whoever refuses callers says that their credentials are wrong, and speaks of no password."""
    return "password" in text.lower() and tells_of_a_wrong_password(text)


def _is_common(point: Point) -> bool:
    """Whether what stands there is sent to every page, whatever that is."""
    if point[:1] != ("header",):
        return False
    if point[:3] == ("header", "COOKIE", "cookie"):
        return (len(point) == _NAMED and is_name(point)) or _COOKIES_OF_OTHERS.fullmatch(point[3]) is not None
    return _BY_BROWSERS.fullmatch(point[1]) is not None


def _folder(baseline: Baseline) -> tuple[str, ...] | None:
    """What a file that lies there has in common with its neighbours: folder, kind and parameters; None for everything else."""
    request, response = baseline.request, baseline.exchange.response
    if response is None or response.status not in _GOOD or request.method.upper() not in ("GET", "HEAD"):
        return None
    folder, _, name = request.path.rpartition(b"/")
    extension = _FILE.search(name)
    if extension is None or extension.end() != len(name):
        return None
    type_ = media_type(response)
    if response.status != 304 and type_ not in _FILE_TYPES and not type_.startswith(_KINDS_OF_FILES):
        return None
    names = sorted({pair.partition(b"=")[0].decode("latin-1") for pair in (request.query or b"").split(b"&")})
    return (request.origin, folder.decode("latin-1"), extension[1].decode("latin-1").lower(), *names)


def _leaf(baseline: Baseline) -> tuple[str, ...]:
    """What the leaves of a list have in common: all but the number that turns it; empty for everything else."""
    request, response = baseline.request, baseline.exchange.response
    if request.method.upper() != "GET" or request.body or response is None:
        return ()
    query, turned = _TURNED.subn(rb"\1", request.query or b"")
    names = sorted({name.decode("latin-1").lower() for name, _ in request.headers})
    whole = (request.path + b"?" + query).decode("latin-1")
    return (request.origin, whole, str(response.status), *names) if turned else ()


def _numbered(baseline: Baseline) -> tuple[tuple[int, int], tuple[str, ...]] | None:
    """The places of the last segment with a number in it and of the last of all; what others have in common with it."""
    request, response = baseline.request, baseline.exchange.response
    segments = request.path.split(b"/")[1:]
    place = next((each for each in reversed(range(len(segments))) if _NUMBERED.search(segments[each])), None)
    if place is None or response is None:
        return None
    alike = [*segments[:place], _NUMBERED.sub(b"0", segments[place])]
    common = (request.origin, b"/".join(alike).decode("latin-1"), str(len(segments)), str(response.status))
    return (place, len(segments) - 1), common


def _is_up_to(point: Point, place: int, last: int) -> bool:
    """Whether a point lies in a segment up to that place, or in the last one by another name where that is it."""
    if point[:1] == ("path",):
        return point[1].isdigit() and int(point[1]) <= place
    return place == last and point[:1] in (("action_name",), ("action_ext",), ("uri",))


def _admits(seen: set[tuple[str, ...]], key: tuple[str, ...], baseline: Baseline, page: str, most: int) -> bool:
    """Whether a baseline is one of the first so many of different pages; one that is begun anew stays one of them."""
    if (*key, "of", baseline.id) in seen:
        return True
    if (*key, "at", page) in seen:
        return False
    for place in range(most):
        if (*key, "number", str(place)) not in seen:
            seen.update({(*key, "of", baseline.id), (*key, "at", page), (*key, "number", str(place))})
            return True
    return False
