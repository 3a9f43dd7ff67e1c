"""How long a host takes is measured beside as little as must be.

Who measures how long it works does so alone among those that measure: work for another dialogue would be measured with it.

Waits are no work, and those of many can be measured at once, unless the target answers one request at a time: PHP keeps a
session locked for as long as a page of it runs, and a server may have one worker. There each wait holds up all others, and
nobody's answers agree with what he asked for. So whoever measures is alone then: all other dialogues are kept back from
when his requests are to be measured until something else is asked. What tells is the long answer that raised the
suspicion: where hardly any request that was begun behind it was answered before it. A host that answers many at once is
held up by nobody. What hangs tells nothing, and is not waited for: it would hold up all others for as long.

Whoever was kept back began nothing, which tells nothing of the host. So the others go on for as long as they were kept back, while
they ask, before the next is alone: a page that is slow now and then raises one suspicion after the other, and each would keep the
evidence from the next. Who waits to measure takes no place from them meanwhile.

Known misses: pages that need no session, tested meanwhile, look as if the session were not locked; another process's dialogues.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from gatecrash.core.message import Request
from gatecrash.core.testing.probe import TestRequest
from gatecrash.node.test.pace.hanging import HANGING, LOOKS
from gatecrash.node.test.pace.slots import Places

LONG = 0.1
"""Seconds; what was answered sooner tells nothing of what became of others meanwhile."""

OVERTOOK = 3
"""So many times as many requests as are under way were begun behind a long one, where they are answered beside it."""


class _Host:
    """What the dialogues at one host share. alone: who measures while the others are kept back. begun: requests so far that
    carried the run's own session; asking: whose have no answer, whoever they are sent as, and since when. beside: how many of these
    there were when he began to be alone, since when he is, and until when nobody is again, by the loop's clock.
    """

    __slots__ = ("alone", "alone_since", "asking", "begun", "beside", "changed", "free_until", "measures")

    def __init__(self) -> None:
        self.alone: Turn | None = None
        self.alone_since = self.free_until = 0.0
        self.begun = self.beside = 0
        self.asking: dict[Turn, float] = {}
        self.measures = asyncio.Lock()
        self.changed = asyncio.Event()

    def under_way(self) -> int:
        """How many requests are without an answer, but for those that hang."""
        since = asyncio.get_running_loop().time() - HANGING
        return sum(began > since for began in self.asking.values())

    async def goes_on(self) -> None:
        """Returns when somebody may be alone again: at once where nobody asks anything meanwhile."""
        clock = asyncio.get_running_loop().time
        while (left := self.free_until - clock()) > 0:
            await asyncio.sleep(min(LONG, left))
            if not self.under_way():
                return

    def keeps_back(self, turn: "Turn") -> bool:
        """Whether somebody else measures alone, and does not hang."""
        if self.alone in (None, turn):
            return False
        began = self.asking.get(self.alone)
        return began is None or began > asyncio.get_running_loop().time() - HANGING


class Turn:
    """One dialogue's, at its host. It asks one request at a time.

    await turn.comes(asked)   before each request, where it is concerned
    turn.begins(asked)        as it is sent
    turn.answered(elapsed)    when its answer is there
    turn.end()                when nothing more is asked, or it is broken off
    """

    __slots__ = ("_baseline_id", "_held_up", "_holds", "_host", "_kind", "_measuring", "_number", "_places")

    def __init__(self, host: _Host, measuring: "Measuring", baseline_id: str, places: Places | None) -> None:
        """It measures nothing yet."""
        self._places = places
        self._host = host
        self._measuring = measuring
        self._baseline_id = baseline_id
        self._kind = ""
        self._holds = False
        self._number = 0
        # Whether others were held up for as long as its last long answer took.
        self._held_up = False

    async def comes(self, asked: TestRequest) -> None:
        """Returns when it may be asked. A control beside what is measured is part of it."""
        if asked.measured != self._kind and (asked.measured or asked.purpose == "test"):
            self._measured_enough()
            if asked.measured == "work" or (asked.measured and self._held_up):
                with self._place_lent():
                    await self._host.measures.acquire()
                    self._holds = True
                    if self._held_up:
                        await self._host.goes_on()
                if self._held_up:
                    await self._alone()
            self._kind = asked.measured
            if self._kind:
                self._measuring.measured[self._baseline_id] += 1
        while self._host.keeps_back(self):
            await self._change()

    @property
    def is_concerned(self) -> bool:
        """Whether it measures, or somebody does so alone: else it need not wait to come."""
        return bool(self._kind) or self._host.alone is not None

    def begins(self, asked: TestRequest) -> None:
        """Its request leaves now."""
        host = self._host
        if asked.identity is None:
            host.begun += 1
        host.asking[self] = asyncio.get_running_loop().time()
        self._number = host.begun

    def answered(self, elapsed: float | None) -> None:
        """Its request is over. elapsed: seconds, where it was answered."""
        host = self._host
        host.asking.pop(self, None)
        if elapsed is not None and elapsed >= LONG:
            behind = host.begun - self._number
            # Nobody begins anything from when somebody is alone.
            beside = host.under_way() if host.alone is None else host.beside
            self._held_up = host.alone is self or behind <= OVERTOOK * beside
        if host.alone is not None:
            host.changed.set()

    def end(self) -> None:
        """Others may go on."""
        if self in self._host.asking:
            self.answered(None)
        self._measured_enough()

    def _measured_enough(self) -> None:
        if self._kind:
            self._measuring.measured[self._baseline_id] -= 1
            self._measuring.measured += Counter()  # without those that come to nothing
            self._kind = ""
        if not self._holds:
            return
        self._holds = False
        if self._host.alone is self:
            now = asyncio.get_running_loop().time()
            self._host.alone, self._host.free_until = None, now + (now - self._host.alone_since)
            self._host.changed.set()
        self._host.measures.release()

    async def _alone(self) -> None:
        """Returns when all others that are under way were answered, or hang."""
        host = self._host
        host.alone, host.beside, host.alone_since = self, host.under_way(), asyncio.get_running_loop().time()
        while host.under_way():
            await self._change()

    @contextmanager
    def _place_lent(self) -> Iterator[None]:
        """Others lead their dialogues in its place meanwhile."""
        lent = self._places is not None and self._places.lend(self._baseline_id)
        try:
            yield
        finally:
            if lent and self._places is not None:
                self._places.take_back(self._baseline_id)

    async def _change(self) -> None:
        """Returns when something was answered or is over, or after a while, in which something may have come to hang."""
        self._host.changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._host.changed.wait(), LOOKS)


class Measuring:
    """The turns of one run, as far as this process knows it. measured: how many dialogues measure something by baseline:
    what is answered to those waits as it was asked to, and tells nothing of what the host bears.
    """

    def __init__(self) -> None:
        """Nothing is measured yet."""
        self.measured: Counter[str] = Counter()
        self._hosts: defaultdict[tuple[str, int], _Host] = defaultdict(_Host)

    def at(self, request: Request, baseline_id: str, places: Places | None = None) -> Turn:
        """A turn at the host of the baseline's request. places: where its dialogue has one."""
        return Turn(self._hosts[request.host, request.port], self, baseline_id, places)
