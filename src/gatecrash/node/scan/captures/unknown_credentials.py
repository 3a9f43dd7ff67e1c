"""Cookies, headers, parameters of queries and members of calls that let somebody in, though nothing in a capture
says so: an application's own.

Who records when he is signed in already, or copies a cookie into a command, leaves out what would have told. So the
target is asked, before anything is planned: what is refused without it, twice, and answered with it lets its sender
in. So does a value that nobody could guess, without which all pages are answered in another form: hidden, or replaced
by one page. Pages that somebody else of the capture was refused are asked for first, and more of them where a login
gave the cookie: whoever reads what is everybody's first comes late to what is his. A query is looked at for what a
login gave, or what is called as a token is, on more than one page: an address that is good for one thing carries a
token for that. What a recorded login handed out let its sender in, too, where a page that was shown with it is
refused by now, with it and without: its session is over, and whoever signs in again has another. Of what functions
are called with by JSON-RPC, the members beside their arguments are looked at, where a login gave the value and the
name is a token's: `"auth": "…"`.
"""

import re
from collections.abc import Awaitable, Callable, Container, Iterable, Sequence
from itertools import islice

import msgspec

from gatecrash.core.auth.families.ignored_cookies import is_ignored
from gatecrash.core.auth.logins import is_login
from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.inventory.endpoint import host_of
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.walk import read, walk
from gatecrash.core.testing.authorization.callers.credentials import COOKIE, without
from gatecrash.core.testing.authorization.callers.own_headers import is_ordinary
from gatecrash.core.testing.authorization.objects.named import asks
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.health.nobody import Face, face_of, has_changed, is_alike
from gatecrash.core.testing.operations.graphql import words_of
from gatecrash.core.testing.operations.questions import is_question
from gatecrash.core.testing.oracles.outcomes.refused import is_taken, refusal
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.entrance import opaque_texts
from gatecrash.core.testing.profiles.recorded_guards import is_guard
from gatecrash.core.testing.profiles.token_places import is_called_one
from gatecrash.core.testing.selection.replay import replayable, why_not

MOST_SETS = 10
"""Sets of cookies and headers that are looked into; most captures have one."""
MOST_PATHS = 6
"""Pages that are asked for with one set: some are everybody's. So many are asked for of one path, too: an application of one
script names its pages in the query, and GraphQL and functions called by name have one address for everything.
"""
MOST_HIDDEN, FEWEST_HIDDEN = 4, 2
"""Pages of which each must be hidden from who has not a value that nobody calls a credential."""
_MOST_PAGES = 12
_MOST_AFTER_LOGIN = 24
"""Pages that are asked for where a recorded login gave one of the cookies."""
_FEWEST_PATHS, _MOST_OVER = 2, 2
_MOST_TEXTS = 20
_MOST_KEPT = 100
_MOST_REFUSED = 1000
_MOST_SUSPECTS = 8
_LEAST_VALUE = 6
_MEMBER = ("post", "json_doc", "json_obj")
_WORD = re.compile(rb"(?:^|(?<=&))[\w.-]*=[A-Za-z][A-Za-z_-]{0,30}(?=&|$)")

Send = Callable[[Request], Awaitable[Answer]]
_LetIn = tuple[str, Point]
_Page = tuple[bytes, bytes, str]


class _Suspects(msgspec.Struct):
    """Points that stand in some requests beside no known credential. asked: such requests, of different pages, the first ones."""

    host: str
    points: tuple[Point, ...]
    asked: dict[_Page, Request]


class UnknownCredentials:
    """Sees a capture's exchanges, and asks.

    unknown.see(exchange)       for each exchange
    await unknown.ask(send)     what lets in, by host
    """

    def __init__(self, recogniser: Recognises, texts: set[bytes] | None = None) -> None:
        """recogniser: what is known for a credential needs no question. texts: what logins gave in earlier parts of a record;
        those of this part are added.
        """
        self._recogniser = recogniser
        self._sets: dict[tuple[str, frozenset[Point]], _Suspects] = {}
        self._refused: set[tuple[str, _Page]] = set()
        self._given: set[tuple[str, str]] = set()
        self._texts: set[bytes] = set() if texts is None else texts

    def see(self, exchange: Exchange) -> None:
        """One more exchange."""
        request, response = exchange.request, exchange.response
        self._see_login(exchange)
        if exchange.drafted or why_not(exchange) or not _may_be_asked(request):
            return
        if response is not None and not is_taken(response):
            if refusal(response) is not None and len(self._refused) < _MOST_REFUSED:
                self._refused.add((host_of(request), _page_of(request)))
            return
        points = _suspects(request, self._texts)
        if not points or any(one.valid for one in self._recogniser.recognise(request)):
            return
        key = (host_of(request), frozenset(points))
        known = self._sets.get(key)
        if known is None:
            if len(self._sets) >= MOST_SETS:
                return
            known = self._sets[key] = _Suspects(key[0], points, {})
        if len(known.asked) < _MOST_KEPT and _is_of_few(known.asked, request.path):
            known.asked.setdefault(_page_of(request), replayable(exchange).request)

    def _see_login(self, exchange: Exchange) -> None:
        response = exchange.response
        if response is None or not is_login(exchange, ()):
            return
        host = host_of(exchange.request)
        self._given.update((host, cookie.name.decode("latin-1")) for cookie in issued(response))
        if len(self._texts) < _MOST_REFUSED:
            self._texts.update(text.encode() for _, text in islice(opaque_texts(exchange), _MOST_TEXTS))

    async def ask(self, send: Send) -> list[_LetIn]:
        """The points that let in, with the hosts where they do."""
        found: dict[_LetIn, None] = {}
        for one in self._sets.values():
            if any((one.host, point) in found for point in one.points):
                continue
            letting: tuple[Point, ...] = ()
            points = _of_several_pages(one)
            requests = self._worth_asking(one) if points else []
            for request in requests:
                letting = await _letting_in(request, points, send)
                if letting:
                    break
            letting = letting or await _showing(requests[:MOST_HIDDEN], points, send)
            letting = letting or await self._let_in_once(requests[:_MOST_OVER], points, send)
            found.update(dict.fromkeys((one.host, point) for point in letting))
        return list(found)

    async def _let_in_once(
        self, requests: Sequence[Request], points: tuple[Point, ...], send: Send
    ) -> tuple[Point, ...]:
        """Those that a login of the capture handed out, where a page is refused with them as it is without: the session is over."""
        for request in requests:
            handed = tuple(point for point in points if read(request, point) in self._texts)
            if handed and await _is_refused(request, send) and await _is_refused(without(request, handed), send):
                return handed
        return ()

    def _worth_asking(self, suspects: _Suspects) -> list[Request]:
        """One request of each page; first those of pages that another sender of the capture was refused."""
        by_login = any((suspects.host, point[-1]) in self._given for point in suspects.points)
        most = _MOST_AFTER_LOGIN if by_login else _MOST_PAGES
        most_paths = _MOST_AFTER_LOGIN if by_login else MOST_PATHS
        chosen: dict[_Page, Request] = {}
        for page, request in sorted(
            suspects.asked.items(), key=lambda item: (suspects.host, item[0]) not in self._refused
        ):
            others = {path for path, *_ in chosen} - {request.path}
            if len(chosen) < most and len(others) < most_paths:
                chosen[page] = request
        return list(chosen.values())


def _may_be_asked(request: Request) -> bool:
    """Whether it only reads: a page by GET, or what GraphQL and functions called by name are asked by POST."""
    if destroys(request):
        return False
    by_post = request.method.upper() == "POST" and bool(words_of(request)) and asks(request)
    return by_post or is_question(request) or (request.method.upper() == "GET" and is_safe(request))


def _is_of_few(asked: Iterable[_Page], path: bytes) -> bool:
    return sum(each == path for each, *_ in asked) < MOST_PATHS


def _page_of(request: Request) -> _Page:
    """The path, and the words in the query: `?id=home&do=orders` is another page than `?id=home`, `?id=7` the one of `?id=8`.
    Of GraphQL, and of functions called by name, what is asked for.
    """
    return request.path, b"&".join(_WORD.findall(request.query or b"")), " ".join(words_of(request))


def _of_several_pages(suspects: _Suspects) -> tuple[Point, ...]:
    """Its points; a query's only where they stand in the addresses of several pages."""
    if len({path for path, *_ in suspects.asked}) >= _FEWEST_PATHS:
        return suspects.points
    return tuple(point for point in suspects.points if point[0] != "get")


def _suspects(request: Request, given: Container[bytes]) -> tuple[Point, ...]:
    """The cookies, the headers that no client sends by itself, and what a query or a call has for a token. given: what logins gave."""
    found: list[Point] = []
    for each in walk(request).points:
        point = each.point
        if len(each.value) < _LEAST_VALUE or len(found) == _MOST_SUSPECTS:
            continue
        is_cookie = tuple(point[:3]) == COOKIE and len(point) == 4 and not is_ignored(point[-1].encode())
        is_own_header = point[0] == "header" and len(point) == 2 and not is_ordinary(point[-1])
        if is_cookie or is_own_header or _is_token_in_query(each, given) or _is_token_of_call(each, given):
            found.append(point)
    return tuple(found)


def _is_token_in_query(found: Found, given: Container[bytes]) -> bool:
    point, value = found.point, found.value
    if point[0] != "get" or len(point) != 2 or is_guard(point[-1]) or not looks_random(value):
        return False
    return value in given or is_called_one(point[-1])


def _is_token_of_call(found: Found, given: Container[bytes]) -> bool:
    point, value = found.point, found.value
    if tuple(point[:-1]) != _MEMBER or not is_called_one(point[-1]) or is_guard(point[-1]):
        return False
    return value in given and looks_random(value)


async def _letting_in(request: Request, points: tuple[Point, ...], send: Send) -> tuple[Point, ...]:
    """Those without which the request is refused; all of them where it is refused only without all. Empty where it asks for
    what is everybody's, or nobody's any more.
    """
    bare = without(request, points)
    if not await _is_refused(bare, send) or await _is_refused(request, send):
        return ()
    alone = [point for point in points if len(points) > 1 and await _is_refused(without(request, (point,)), send)]
    if not await _is_refused(bare, send) or await _is_refused(request, send):
        return ()
    return tuple(alone) or points


async def _showing(requests: Sequence[Request], points: tuple[Point, ...], send: Send) -> tuple[Point, ...]:
    """Those of secret values without which every page, of several, is answered in another form. Empty where one is everybody's."""
    secret = tuple(point for point in points if looks_random(read(requests[0], point) or b"")) if requests else ()
    if not secret or len(requests) < FEWEST_HIDDEN:
        return ()
    shown: list[tuple[bool, Face]] = []
    for request in requests:
        instead = await _instead(request, secret, send)
        if instead is None:
            return ()
        shown.append(instead)
    # Another page in the place of a page may be the same one, made for who is not known.
    hidden = {face for is_weak, face in shown if not is_weak}
    if sum(not is_weak for is_weak, _ in shown) < FEWEST_HIDDEN or any(face not in hidden for _, face in shown):
        return ()
    alone = [point for point in secret if len(secret) > 1 and await _instead(requests[0], (point,), send)]
    return tuple(alone) or secret


async def _instead(request: Request, points: tuple[Point, ...], send: Send) -> tuple[bool, Face] | None:
    """What is answered without them, where that has another form, and not by chance; and whether it is like the other."""
    bare, shown, again = [
        (await send(asked)).exchange.response for asked in (without(request, points), request, without(request, points))
    ]
    if bare is None or shown is None or again is None or not (has_changed(shown, bare) and has_changed(shown, again)):
        return None
    return is_alike(shown, bare), face_of(request, bare)


async def _is_refused(request: Request, send: Send) -> bool:
    response = (await send(request)).exchange.response
    return response is not None and refusal(response) is not None
