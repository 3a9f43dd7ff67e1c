"""A walk through an application that lives in the browser: its pages are opened there, filled in and clicked on, and what they ask
for is seen as they ask for it.

found = await walked(path, front, caller, account)

The browser reaches nothing by itself. What only reads is asked by the node, as every page of the walk is, and what would change
something is held back and told: it is sent later, once, as the site's forms are. The one exception is the login of the account that
the walk is signed in as.
"""

import logging
import re
import time
from collections import Counter
from collections.abc import Iterable
from typing import Protocol
from urllib.parse import urldefrag, urlsplit

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.authorization.callers.password_changes import sets_password
from gatecrash.core.testing.effects.destruction import names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.entrance import Account, fields, is_for_others, registers, signing_in
from gatecrash.core.words.named import Words
from gatecrash.formats.offered_requests import target_at
from gatecrash.formats.scripts.routes import routes_in
from gatecrash.node.browser.asked import request_of
from gatecrash.node.browser.choosing import Choosing, Control
from gatecrash.node.browser.devtools import BrowserFailed, Event, started
from gatecrash.node.browser.filling import NOBODY, Field, written
from gatecrash.node.browser.tab import Tab, opened_tab
from gatecrash.node.scan.crawl_limits import is_page_of_a_form, must_be_left
from gatecrash.node.scan.crawl_queue import shape_of

log = logging.getLogger(__name__)

# Seconds.
_LONGEST = 120.0
_MOST_KNOWN, _MOST_ALIKE, _MOST_ACTIONS, _MOST_OF_A_ROUTE, _MOST_FOUND, _MOST_COOKIES = 250, 2, 400, 25, 300, 50
_MOST_REPEATED = 30
# Of these nothing is learned, and nothing waits for them.
_NOT_WANTED = frozenset({"Image", "Media", "Font", "Manifest", "Ping", "Prefetch", "TextTrack", "CSPViolationReport"})
_PARTS = frozenset({"Script", "Stylesheet"})
# What goes on for as long as it is listened to.
_ENDLESS = frozenset({"EventSource", "WebSocket"})
_LEADS_IN = Words(r"log-?[io]n|sign-?[io]n\b|/auth\b", re.IGNORECASE)


class WalkCaller(Protocol):
    """Who asks for what the browser wants."""

    async def ask(self, request: Request) -> Answer:
        """The answer to a request, with the cookies that the site has set."""

    def put(self, request: Request, headers: Iterable[bytes]) -> None:
        """Keep cookies that a script has set. request: of its page. headers: each as in Set-Cookie."""

    def goes_on(self) -> bool:
        """Whether more may be asked."""


class Walk:
    """One walk by one caller. found: what scripts asked for, the answered and the held back, each once."""

    def __init__(self, front: Request, caller: WalkCaller, account: Account | None) -> None:
        self._front, self._caller, self._account = front, caller, account
        self._cookies: set[str] = set()
        self._is_let_in = self._begin_again = False
        self._ends = time.monotonic() + _LONGEST
        self._parts: dict[bytes, Response | None] = {}
        self._choosing = Choosing()
        self._routes: list[str] = [front.url]
        self._known: set[str] = {front.url}
        self._told: dict[str, None] = {}
        self._explored: set[str] = set()
        self._alike: Counter[bytes] = Counter()
        self._actions = 0
        self._repeated: Counter[tuple[str, bytes, bytes]] = Counter()
        self._last: dict[tuple[str, bytes, bytes], Response | None] = {}
        self.found: dict[tuple[str, bytes, bytes], Request] = {}

    async def run(self, tab: Tab) -> None:
        """Open one route after the other."""
        while self._has_time() and (self._routes or self._guesses()):
            await self._explore(tab, self._routes.pop(0))

    async def serve(self, told: Event) -> Response | None:
        """What the page is given for what it asks for."""
        kind = told.get("resourceType", "")
        request = request_of(self._front, told) if kind not in _NOT_WANTED else None
        if request is None or not self._caller.goes_on():
            return None
        if kind in _PARTS and request.method == "GET":
            if request.target not in self._parts:
                self._parts[request.target] = response = (await self._caller.ask(request)).exchange.response
                if response is not None and kind == "Script":
                    self._told |= dict.fromkeys(routes_in(text_of(response)))
            return self._parts[request.target]
        if kind != "Document" and len(self.found) < _MOST_FOUND:
            self.found.setdefault((request.method, request.target, request.body), request)
        if self._may_be_asked(request) and kind not in _ENDLESS:
            return await self._answer(request)
        return await self._let_in(request) if self._signs_in(request) else None

    async def _answer(self, request: Request) -> Response | None:
        """The answer of the site, or, to what a page asks for by the clock, the one of before."""
        asked = request.method, request.target, request.body
        self._repeated[asked] += 1
        if self._repeated[asked] <= _MOST_REPEATED:
            self._last[asked] = (await self._caller.ask(request)).exchange.response
        return self._last.get(asked)

    def _may_be_asked(self, request: Request) -> bool:
        if is_safe(request):
            return not must_be_left(request) and (not names_a_change(request) or is_page_of_a_form(request))
        return only_queries(request)

    def _signs_in(self, request: Request) -> bool:
        if self._account is None or registers(request) or is_for_others(request) or sets_password(request):
            return False
        return [*fields(request).values()].count("password") == 1

    async def _let_in(self, login: Request) -> Response | None:
        """The login of the page, with the account's name as its own field is called, or else its address."""
        assert self._account is not None
        response = None
        for by_mail in (False, True):
            response = (await self._caller.ask(signing_in(login, self._account, by_mail=by_mail))).exchange.response
            if response is not None and response.status < FIRST_ERROR:
                self._begin_again = not self._is_let_in
                self._is_let_in = True
                break
        return response

    async def _explore(self, tab: Tab, route: str) -> None:
        await tab.go(route)
        shown = await tab.url()
        if shown in self._explored:  # its router sent it there, as for who may not see it
            return
        self._explored.add(shown)
        for _ in range(_MOST_OF_A_ROUTE):
            await self._follow(tab)
            if not self._has_time():
                return
            await self._fill(tab)
            controls = msgspec.convert(await tab.call("controls") or [], list[Control])
            chosen = self._choosing.next(controls, shape_of(route.encode()).decode())
            if chosen is None:
                return
            self._actions += 1
            await tab.call("act", chosen.at, chosen.kind)
            await tab.settle()
            await self._keep_cookies(tab)
            now = await tab.url()
            if self._begin_again:
                self._look_again(now)
                return
            if now != shown and not chosen.top:
                await self._follow(tab)
                self._lead_to(now)
                await tab.go(route)

    def _look_again(self, now: str) -> None:
        """Whoever has been let in is shown more at each place."""
        self._begin_again = False
        self._explored.clear()
        self._repeated.clear()
        self._choosing = Choosing()
        self._routes = list(dict.fromkeys((now, *sorted(self._known, key=len))))

    async def _keep_cookies(self, tab: Tab) -> None:
        for cookie in (await tab.cookies()).split("; "):
            if cookie and cookie not in self._cookies and len(self._cookies) < _MOST_COOKIES:
                self._cookies.add(cookie)
                self._caller.put(self._front, [cookie.encode("latin-1", "replace") + b"; Path=/"])

    async def _fill(self, tab: Tab) -> None:
        fields_shown = msgspec.convert(await tab.call("fields") or [], list[Field])
        for field, value in written(fields_shown, self._account or NOBODY):
            await tab.call("fill", field.at, value)

    async def _follow(self, tab: Tab) -> None:
        for address in await tab.call("links") or []:
            self._lead_to(str(address))

    def _guesses(self) -> bool:
        """Lead to what the scripts tell their router of, where nothing else is left. Whether there is anything new."""
        base = (
            self._front.url.partition("#")[0] + "#" if any("#/" in each for each in self._known) else self._front.origin
        )
        for route in self._told:
            self._lead_to(base + route)
        self._told.clear()
        return bool(self._routes)

    def _lead_to(self, address: str) -> None:
        parts = urlsplit(address)
        if address in self._known or f"{parts.scheme}://{parts.netloc}" != self._front.origin:
            return
        self._known.add(address)
        shape = shape_of(address.encode())
        if self._alike[shape] >= _MOST_ALIKE or len(self._known) > _MOST_KNOWN:
            return
        # What stands behind the sign is as much of a path, to the script that reads it.
        for each in (urldefrag(address).url, address.replace("#", "")):
            target = target_at(self._front, each)
            if target is None or not self._may_be_asked(msgspec.structs.replace(self._front, target=target)):
                return
        self._alike[shape] += 1
        leads_in = self._account is not None and not self._is_let_in and _LEADS_IN.search(address) is not None
        self._routes.insert(0 if leads_in else len(self._routes), address)

    def _has_time(self) -> bool:
        return self._caller.goes_on() and time.monotonic() < self._ends and self._actions < _MOST_ACTIONS


async def walked(path: str, front: Request, caller: WalkCaller, account: Account | None) -> list[Request]:
    """What the scripts of a site asked for, by a browser. path: its program. account: whom the walk is signed in as.

    Where the browser fails, what was found until then; a log says why.
    """
    walk = Walk(front, caller, account)
    try:
        async with started(path) as devtools:
            tab = await opened_tab(devtools, walk.serve)
            try:
                await walk.run(tab)
            finally:
                await tab.close()
    except BrowserFailed as error:
        log.warning("the browser failed, and pages are read without it: %s", error)
    return list(walk.found.values())
