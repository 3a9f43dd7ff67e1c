"""A target that goes away while a baseline is tested: its checks are made again when it is back, and what it does not
survive is left out.

Applications that end at input they did not expect, and are started again by their supervisor, are common. Whatever was
under way when the target went is suspected, and asked again when all else is over: alone, also among the run's other
baselines, so that one check's request is not blamed for another's. A check that ends the target again is left undecided.
"""

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from gatecrash.core.message import Request
from gatecrash.core.testing.derive import Check
from gatecrash.node.test.health.patience import WEIGHT_OF_SILENCE, Patience
from gatecrash.node.test.wording import COMES_BACK, SILENT, TargetGone

MOST_TRIES = 2
"""So often the target may go away under a check that is asked alone."""

MOST_ENDS = 12
"""After so many ends under one baseline's checks nothing is asked twice: each end is one of somebody's application."""

MANY_RETURNS = 40
"""The same for a run."""

MOST_RETURNS = 100
"""In a run. A target that goes away once more is given up."""


class _Under:
    """While a check is made. A class, as each check has one, and the loop notes every asynchronous generator."""

    __slots__ = ("_casualties", "_place")

    def __init__(self, casualties: "Casualties", place: int) -> None:
        self._casualties = casualties
        self._place = place

    async def __aenter__(self) -> None:
        self._casualties.began(self._place)

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._casualties.ended(self._place)


class Casualties:
    """The checks of one baseline, as far as the target went away under them. They are named by their places.

    struck: those that the last end may be due to.
    """

    def __init__(self, patience: Patience, request: Request) -> None:
        """None yet."""
        self._patience = patience
        self._request = request
        self._alone = False
        self._under_way: set[int] = set()
        self._suspected: set[int] = set()
        self._blamed: Counter[int] = Counter()
        self._ends = 0
        self.struck: set[int] = set()

    @property
    def narrow(self) -> bool:
        """Whether one check is to be made after the other."""
        return self._alone or self._is_over

    @property
    def _is_over(self) -> bool:
        return self._ends >= MOST_ENDS or self._patience.returns_of(self._request) >= MANY_RETURNS

    def next(self, waiting: Mapping[int, Check]) -> list[tuple[int, Check]]:
        """What is to be asked now; the suspected ones when there are no others, each of them alone."""
        others = [(place, check) for place, check in waiting.items() if place not in self._suspected]
        self._alone = not others
        return others or list(waiting.items())

    def during(self, place: int) -> AbstractAsyncContextManager[None]:
        """While a check is made. At a target that was never away all may be made at once."""
        return self._in_turn(place) if self._patience.returns_of(self._request) else _Under(self, place)

    @asynccontextmanager
    async def _in_turn(self, place: int) -> AsyncIterator[None]:
        gate = self._patience.gate_of(self._request)
        async with gate.alone() if self._alone else gate.together(), _Under(self, place):
            yield

    def began(self, place: int) -> None:
        """A check is under way."""
        self._under_way.add(place)

    def ended(self, place: int) -> None:
        """It has its verdict; where it was cut off it stays under way."""
        self._under_way.discard(place)

    async def outlast(self, gone: TargetGone) -> list[int]:
        """Waits until the target is back; the places of checks that are to be left out. Raises TargetGone where it stays away.

        gone: how it went, and whether under a request of this baseline.
        """
        if gone.kind not in COMES_BACK:
            raise gone
        self.struck = struck = self._under_way if gone.cut else set()
        self._under_way = set()
        silent = gone.kind == SILENT
        if self._patience.returns_of(self._request) >= MOST_RETURNS:
            raise TargetGone("unsteady") from gone
        if not await self._patience.outlast(self._request, silent=silent):
            raise gone
        if not gone.cut:
            return []
        self._ends += WEIGHT_OF_SILENCE if silent else 1
        if self._alone and gone.request is not None:
            self._patience.lethal.note(gone.request)
        if self._is_over:
            return sorted(struck)
        self._suspected |= struck
        if self._alone:
            for place in struck:
                self._blamed[place] += MOST_TRIES if silent else 1
        return [place for place in struck if self._blamed[place] >= MOST_TRIES]
