"""Patience with targets: one that refuses connections for some seconds is restarting, and must not cost its baselines.

The first refusal starts the clock for everybody who tests that target. One that is away for longer is given up at once
from then on, until it takes a connection again; else a thousand baselines would wait for it one after the other. Whoever
came back once has a supervisor, many of which wait longer from one start to the next, so it is waited for longer.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable

from gatecrash.core.message import Request
from gatecrash.core.testing.health.bans import CLOSED
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.health.hush import SILENT_SECONDS
from gatecrash.node.test.health.lethal import Lethal
from gatecrash.node.test.sessions.gate import SessionGate
from gatecrash.node.test.wording import AWAY, COMES_BACK, SILENT

AWAY_SECONDS = 10.0
"""Longer than an application server takes to start, shorter than a person takes to wonder."""

DEPLOYED_SECONDS = 120.0
"""As long as a new version takes to be deployed: where nobody sits before a run, all of it is worth that wait."""

TIMES_AS_LONG = 3
"""The patience with a target that came back before."""

WEIGHT_OF_SILENCE = 4
"""So many ends count for one silence: it takes a minute to be known for one, where an end takes a moment."""

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 1.0


class Patience:
    """Waits for the targets of one run. reaches: whether the request's target takes connections now, and
    answers. lethal: what ends them. unattended: whether nobody sits before the run, and a target that it has met is to be
    waited for longer.
    """

    def __init__(self, reaches: Callable[[Request], Awaitable[bool]], seconds: float = AWAY_SECONDS) -> None:
        self.seconds = seconds
        self.lethal = Lethal()
        self.unattended: Callable[[], bool] = lambda: False
        self._reaches = reaches
        self._away: dict[tuple[str, int], float] = {}
        self._returns: Counter[tuple[str, int]] = Counter()
        self._gates: defaultdict[tuple[str, int], SessionGate] = defaultdict(SessionGate)

    def returns_of(self, request: Request) -> int:
        """How often the target went away and came back."""
        return self._returns[request.host, request.port]

    def gate_of(self, request: Request) -> SessionGate:
        """The gate of those who ask the target: many together, or one alone."""
        return self._gates[request.host, request.port]

    async def is_away(self, request: Request) -> bool:
        """Whether the target takes no connections now."""
        return not await self._reaches(request)

    async def failure_of(self, answer: Answer) -> str:
        """How a request failed; one that was cut off by a target that takes no connections now was refused by it."""
        if answer.failure == CLOSED and await self.is_away(answer.exchange.request):
            return AWAY
        return answer.failure

    async def outlasts(self, failure: str, request: Request) -> bool:
        """Whether what failed so may be sent again: its target went away, and is back by now."""
        return failure in COMES_BACK and await self.outlast(request, silent=failure == SILENT)

    async def outlast(self, request: Request, *, silent: bool = False) -> bool:
        """Waits until the target takes connections again; false where it has been away for too long. silent: it takes
        them, and answers nobody.
        """
        clock = asyncio.get_running_loop().time
        place = (request.host, request.port)
        since = self._away.setdefault(place, clock())
        seconds = SILENT_SECONDS if silent else self._seconds_for(place)
        pause = FIRST_PAUSE
        while await self.is_away(request):
            left = since + seconds - clock()
            if left <= 0:
                return False
            await asyncio.sleep(min(pause, left))
            pause = min(2 * pause, LONGEST_PAUSE)
        if self._away.pop(place, None) is not None:
            self._returns[place] += WEIGHT_OF_SILENCE if silent else 1
        return True

    def _seconds_for(self, place: tuple[str, int]) -> float:
        longer = self.seconds * (TIMES_AS_LONG if self._returns[place] else 1)
        return max(longer, DEPLOYED_SECONDS) if self.unattended() else longer
