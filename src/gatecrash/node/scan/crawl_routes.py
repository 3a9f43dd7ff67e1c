"""What a site of one page loads for its routes: `#lesson/3` of a menu, put into `"/lesson/" + n + ".html"` of the script that loads.

routes = Routes(called)
routes.learn(request, response, called=True, stands=True)   what an answer names, and what the request came to
routes.next()                                               a call by a route, to see whether a part stands there; None at the end
routes.found()                                              what else is to be read now that ways are known

Links behind `#` lead a browser to no other address (HTML, 7.4.2.3.3), so whoever follows links sees the frame alone. The script
takes a part of the route and loads what that calls. Which part is seen by trying: two routes tell for each call whether the last step
of a route or all of it names what is there; where neither comes to anything, no other route is tried in that call.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from urllib.parse import quote

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import FIRST_REDIRECT, NOT_FOUND
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.pages.markup import START, tokens
from gatecrash.formats.scripts.literals import UNKNOWN
from gatecrash.node.scan.crawl_limits import must_be_left

_LONGEST, _MOST_ROUTES, _MOST_CALLS, _TRIED = 1_000_000, 500, 50, 2
# `#lesson/3`, `#/lesson/3`, `#!/lesson/3`; and in data as a text of its own.
_ROUTE = re.compile(r"#!?/?((?:[\w.~-]{1,80}/){0,3}[\w.~-]{1,80})/?")
_IN_DATA = re.compile(rf'"({_ROUTE.pattern})"')
# The step that a script left open, perhaps with an ending behind it.
_OPEN = re.compile(rf"(?<=/){UNKNOWN}(?=(?:\.[A-Za-z]{{1,10}})*(?:[/?]|$))")
_Way = tuple[bytes, bool]
"""The address of a call, and whether all of a route is put into it rather than its last step."""


class Routes:
    """Of one walk through a site."""

    def __init__(self, called: set[bytes]) -> None:
        """called: what the site's scripts ask for, to which this adds."""
        self._called = called
        self._routes: dict[str, None] = {}
        self._calls: dict[bytes, Request] = {}
        self._seen: set[bytes] = set()
        self._trials: Counter[_Way] = Counter()
        self._trying: dict[bytes, _Way] = {}
        self._good: dict[_Way, None] = {}

    def learn(self, request: Request, response: Response, *, called: bool, stands: bool) -> None:
        """called: by a script. stands: whether anything is there."""
        self._seen.add(request.target)
        way = self._trying.pop(request.target, None)
        if way is not None and stands and _is_a_part(response):
            self._good[way] = None
        elif way is None and called and len(self._calls) < _MOST_CALLS and _leaves_open(request, response):
            self._calls.setdefault(request.target, request)
        for each in _routes_in(response)[: _MOST_ROUTES - len(self._routes)]:
            self._routes.setdefault(each)

    def next(self) -> Request | None:
        """Each way is tried by the first two routes that are most like the call; what was read already says nothing of it."""
        for way in ((address, whole) for address in self._calls for whole in (False, True)):
            if way in self._good or self._trials[way] >= _TRIED:
                continue
            request = next(self._by_routes(*way), None)
            if request is not None:
                self._trials[way] += 1
                self._trying[request.target] = way
                self._called.add(request.target)
                return request
        return None

    def found(self) -> Iterator[Request]:
        """By all routes, each once."""
        for request in chain.from_iterable(self._by_routes(*way) for way in self._good):
            self._seen.add(request.target)
            self._called.add(request.target)
            yield request

    def _by_routes(self, address: bytes, whole: bool) -> Iterator[Request]:
        """What was not asked yet."""
        call, steps = self._calls[address], set(address.decode("latin-1").split("/"))
        before, behind = _OPEN.split(address.decode("latin-1"), maxsplit=1)
        for route in sorted(self._routes, key=lambda each: (steps.isdisjoint(each.split("/")), "/" not in each)):
            named = quote(route if whole else route.rpartition("/")[2])
            target = f"{before}{named}{behind}".encode("latin-1")
            request = msgspec.structs.replace(call, target=target)
            if target not in self._seen and not must_be_left(request):
                yield request


def _routes_in(response: Response) -> list[str]:
    kind = media_type(response)
    if "json" in kind:
        return [found[2] for found in _IN_DATA.finditer(text_of(response)[:_LONGEST])]
    if "html" not in kind:
        return []
    links: Iterable[str] = (
        each.value
        for token in tokens(text_of(response)[:_LONGEST])
        if token.kind == START and token.name == "a"
        for each in token.attributes
        if each.name == "href"
    )
    return [found[1] for found in map(_ROUTE.fullmatch, links) if found is not None]


def _leaves_open(request: Request, response: Response) -> bool:
    """Whether it loads a part of a page; data about a thing are asked for by what the site's answers call that."""
    answered = response.status == NOT_FOUND or _is_a_part(response)
    return answered and is_safe(request) and _OPEN.search(request.target.decode("latin-1")) is not None


def _is_a_part(response: Response) -> bool:
    return response.status < FIRST_REDIRECT and "html" in media_type(response)
