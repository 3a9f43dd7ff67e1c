"""A host that takes requests and answers nobody any more, as where each of its workers waits for something that never comes.

One request without an answer may have reasons of its own: a page hangs, and all others are served. Where the host has
answered nobody for some seconds, what it answered well before is asked, the witness. Where that is not answered
either the host is silent, and nothing but its witness is asked from then on, or each of a thousand tests would wait for
an answer of its own. Who waits for the host's return is in `patience`.
"""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.wording import SILENT, TIMED_OUT

PROMPT = 15.0
"""Seconds for the witness: with those that the unanswered request had, longer than a busy target takes for anything."""

QUIET = 5.0
"""Who answered anybody so many seconds ago is not silent."""

AT_ONCE = 1.0
"""An answer to the witness that takes longer is that of a host that hung until then."""

SILENT_SECONDS = 60.0
"""So long a silent host is waited for: servers that watch their workers end those that hang after 30 s or a minute."""

AGAIN = 60.0
"""Seconds from one question to the next, once the host was given up."""

ENOUGH = 3
"""So many addresses without an answer tell the same where nothing was answered before, so that there is no witness, and
the front page is not answered either: what they have in common may be one page, with a payload of its own in each."""

Asks = Callable[[Request], Awaitable[Answer]]


class Hush:
    """One host's. silent: nobody is answered. count: how often it fell silent. heard: when anybody was answered last."""

    def __init__(self) -> None:
        """Nothing was asked yet."""
        self.silent = False
        self.count = 0
        self.heard = -1.0
        self._since = self._asked_at = self._ended = -1.0
        self._lock = asyncio.Lock()
        self._witness: Request | None = None
        self._unanswered: dict[bytes, Request] = {}

    @property
    def hopeless(self) -> bool:
        """Whether it was silent for longer than anybody waits."""
        return self.silent and asyncio.get_running_loop().time() >= self._since + SILENT_SECONDS

    async def judged(self, answer: Answer, witness: Request | None, asks: Asks) -> Answer:
        """What became of a request: as it was, or that its host is silent, or was. witness: what was answered well before."""
        if answer.failure != TIMED_OUT:
            return answer
        clock = asyncio.get_running_loop().time
        came = clock()
        async with self._lock:
            if self.silent or self._ended >= came:
                return msgspec.structs.replace(answer, failure=SILENT)
            if self.heard >= clock() - QUIET:
                self._unanswered.clear()
            elif await self._is_silent(answer.exchange.request, witness, asks):
                return msgspec.structs.replace(answer, failure=SILENT)
        return answer

    async def _is_silent(self, request: Request, witness: Request | None, asks: Asks) -> bool:
        """Whether it answers nobody, or only after a while, as it does when its hang is over."""
        if len(self._unanswered) < ENOUGH:
            self._unanswered.setdefault(request.path, request)
        if witness is None and len(self._unanswered) == ENOUGH:
            witness = next((_front_page(each) for each in self._unanswered.values() if is_safe(each)), None)
        if witness is None:
            return False
        clock = asyncio.get_running_loop().time
        began = clock()
        answered = await self._answers(witness, asks)
        if answered and clock() < began + AT_ONCE:
            return False
        if not answered and self.heard >= began:
            return False
        self.count += 1
        if answered:
            self._ended = clock()
        else:
            self.silent, self._witness, self._since = True, witness, clock()
        return True

    async def is_over(self, asks: Asks) -> bool:
        """Whether it answers again. Of all who want to know at once, one asks."""
        clock = asyncio.get_running_loop().time
        came = clock()
        async with self._lock:
            if not self.silent:
                return True
            if self._asked_at >= (came - AGAIN if self.hopeless else came):
                return False
            assert self._witness is not None
            self.silent = not await self._answers(self._witness, asks)
            if not self.silent:
                self._ended = clock()
            return not self.silent

    async def _answers(self, witness: Request, asks: Asks) -> bool:
        clock = asyncio.get_running_loop().time
        try:
            async with asyncio.timeout(PROMPT):
                answer = await asks(witness)
        except TimeoutError:
            return False
        finally:
            self._asked_at = clock()
        if answer.exchange.response is None or answer.failure:
            return False
        self.heard = clock()
        return True


def _front_page(request: Request) -> Request:
    """The same question to the root of its host, without what may be a payload."""
    page: Request = msgspec.structs.replace(request, method="GET", target=b"/", body=b"")
    return page


def was_sent(exchange: Exchange) -> bool:
    """Whether the request left at all: what is not sent to a silent host has no time."""
    return exchange.started > 0
