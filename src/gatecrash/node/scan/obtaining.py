"""The answers of requests that nobody has sent yet: each draft of an import is sent once before anything is tested.

Safe methods go first, those without unknown values before those that need some; then what changes something, each once;
then the safe ones again that found nothing, with what was learned meanwhile. What can destroy is not sent here: its trial
sends it when its turn comes, last of all.
"""

import asyncio
from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from gatecrash.core.message import Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.ordering import destroys, is_safe
from gatecrash.core.testing.replay import trimmed
from gatecrash.core.testing.run_events import Status
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.known_values import KnownValues
from gatecrash.node.scan.ledger import Tested
from gatecrash.node.test.live_session import LoginFailed
from gatecrash.node.test.session_request import Errand
from gatecrash.node.test.traffic import Traffic

# What a target answers where a value names nothing, or does not suit it.
_UNFIT = frozenset({400, 404, 405, 406, 410, 415, 422})


class Obtaining:
    """Fills in the answers of a run's drafts. width: how many safe requests are under way at once."""

    def __init__(self, tested: Iterable[Tested], traffic: Traffic, width: int) -> None:
        """Nothing is sent before `run`."""
        self._drafts = [
            one
            for one in tested
            if one.status is Status.WAITING
            and isinstance(one.baseline.exchange, Draft)
            and one.baseline.response is None
        ]
        self._traffic = traffic
        self._width = width
        self._known = KnownValues()

    async def run(self) -> None:
        """Send every draft that destroys nothing, in the order above, and fill the holes of those that do."""
        safe = [one for one in self._drafts if is_safe(one.baseline.request) and not destroys(one.baseline.request)]
        changing = [
            one for one in self._drafts if not is_safe(one.baseline.request) and not destroys(one.baseline.request)
        ]
        for _, level in groupby(sorted(safe, key=_unknown), key=_unknown):
            await self._all(list(level))
        for one in sorted(changing, key=_unknown):
            await self._obtain(one)
        await self._all([one for one in safe if self._found_nothing(one)], again=True)
        for one in changing:
            if self._found_nothing(one):
                await self._obtain(one, again=True)
        for one in self._drafts:
            if destroys(one.baseline.request):
                _set(one, self._known.filled(_draft(one)))

    async def _all(self, level: Sequence[Tested], *, again: bool = False) -> None:
        """All of them, some at once."""
        waiting = iter(level)

        async def work() -> None:
            for one in waiting:
                await self._obtain(one, again=again)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._width, len(level))):
                group.create_task(work())

    async def _obtain(self, one: Tested, *, again: bool = False) -> None:
        """Send one draft once, with the best values that are known.

        again: only where they are better than before, or are known by now to name something: what was made meanwhile is
        often called 1, as what was made up is.
        """
        before = _draft(one)
        draft = self._known.filled(before, again=again)
        if again and draft is before and not self._known.names(before):
            return
        try:
            answer = await Errand(self._traffic, one.baseline.id).own(draft.request)
        except LoginFailed:
            return  # its trial signs in again, and says what is wrong
        response = answer.exchange.response
        if response is None:
            _set(one, draft)
            return
        self._known.learn(draft.request, response)
        better = not again or response.status < 400
        if better:
            _set(one, msgspec.structs.replace(draft, response=trimmed(response), started=answer.exchange.started))

    @staticmethod
    def _found_nothing(one: Tested) -> bool:
        response = one.baseline.response
        return isinstance(response, Response) and response.status in _UNFIT


def _draft(one: Tested) -> Draft:
    exchange = one.baseline.exchange
    assert isinstance(exchange, Draft)
    return exchange


def _set(one: Tested, draft: Draft) -> None:
    one.planned = msgspec.structs.replace(one.planned, baseline=Baseline(one.baseline.id, draft))


def _unknown(one: Tested) -> int:
    """How many values of a draft the document did not show."""
    return sum(not hole.given for hole in _draft(one).holes)
