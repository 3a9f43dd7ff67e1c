"""Pages opened for tests: whether what a test has put into an address, or has stored, runs as a script in a browser.

answer = await showing.opened(asked, send)      answer.ran: the functions of the opening that were called

A browser is started for the first of them and serves the run. It reaches nothing: what a page asks for is sent as the run's own
requests are, if it only reads, of the page's own origin; anything else gets no answer.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.effects.destruction import names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.opening import Opening
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.node.browser.asked import request_of
from gatecrash.node.browser.devtools import BrowserFailed, Devtools, Event, started
from gatecrash.node.browser.tab import opened_tab

log = logging.getLogger(__name__)

Send = Callable[[TestRequest], Awaitable[Answer]]
# Seconds, of all openings of a run.
_LONGEST = 300.0
_MOST_ASKED, _MOST_KEPT = 40, 200
# What fails at once; that a picture does is what most of our elements wait for.
_NOT_WANTED = frozenset({"Image", "Media", "Font", "Manifest", "Ping", "Prefetch", "TextTrack", "CSPViolationReport", "EventSource", "WebSocket", "Other"})  # fmt: skip
_PARTS = frozenset({"Script", "Stylesheet"})


class Showing:
    """The browser of one run, one page at a time. program: None for no browser."""

    def __init__(self) -> None:
        self.program: str | None = None
        self._stack = AsyncExitStack()
        self._devtools: Devtools | None = None
        self._lock = asyncio.Lock()
        self._spent = 0.0
        self._parts: dict[str, Response | None] = {}

    @property
    def is_possible(self) -> bool:
        """Whether pages are opened."""
        return self.program is not None and self._spent < _LONGEST

    async def opened(self, asked: TestRequest, send: Send) -> Answer:
        """The answer to the request, and which of the functions ran; none where there is no browser any more."""
        page = _Page(asked, send, self._parts)
        async with self._lock:
            if self.is_possible and asked.opening is not None:
                began = time.monotonic()
                try:
                    await page.open(await self._browser(), asked.opening)
                except BrowserFailed as error:
                    log.warning("the browser failed, and no page is opened any more: %s", error)
                    self.program = None
                finally:
                    self._spent += time.monotonic() - began
        if page.shown is None:
            return await send(msgspec.structs.replace(asked, opening=None))
        return msgspec.structs.replace(page.shown, ran=tuple(sorted(page.ran)))

    async def _browser(self) -> Devtools:
        if self._devtools is None:
            assert self.program is not None
            self._devtools = await self._stack.enter_async_context(started(self.program))
        return self._devtools

    async def close(self) -> None:
        """End the browser."""
        self.program = self._devtools = None
        await self._stack.aclose()


class _Page:
    """One opening. shown: the answer that the page is. ran: functions that were called."""

    def __init__(self, asked: TestRequest, send: Send, parts: dict[str, Response | None]) -> None:
        self._asked, self._send, self._parts = asked, send, parts
        self._left = _MOST_ASKED
        self.shown: Answer | None = None
        self.ran: set[str] = set()

    async def open(self, devtools: Devtools, opening: Opening) -> None:
        """Go there, and use links that lead to a function."""
        request = self._asked.request
        tab = await opened_tab(devtools, self._serve)
        try:
            await tab.watch(request.origin, opening.names, self.ran.add, opening.window)
            await tab.go(f"{request.url}#{opening.behind}" if opening.behind else request.url)
            await tab.come_to_rest()
            if await tab.call("run", list(opening.names)):
                await tab.settle()
        finally:
            await tab.clear(request.origin)
            await tab.close()

    async def _serve(self, told: Event) -> Response | None:
        kind = told.get("resourceType", "")
        request = request_of(self._asked.request, told) if kind not in _NOT_WANTED else None
        if request is None or self._left <= 0:
            return None
        if kind == "Document" and self.shown is None and is_safe(request):
            self.shown = await self._send(msgspec.structs.replace(self._asked, request=request, opening=None))
            return self.shown.exchange.response
        if kind in _PARTS and request.method == "GET":
            if request.url not in self._parts and len(self._parts) < _MOST_KEPT:
                self._parts[request.url] = await self._read(request)
            return self._parts.get(request.url)
        reads = is_safe(request) and not names_a_change(request) and not signs_out(request)
        return await self._read(request) if reads or only_queries(request) else None

    async def _read(self, request: Request) -> Response | None:
        self._left -= 1
        asked = TestRequest(request, "control", identity=self._asked.identity, raw=self._asked.raw)
        return (await self._send(asked)).exchange.response
