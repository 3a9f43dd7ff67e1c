"""Bans: a host that answers everything in one way after it was asked much is left in peace, and asked again when it is over.

What a ban refused is held back, so that no check judges by it, and sent again afterwards. Where requests came too quickly for the
host, they come slower from then on; where that is no help, as with bans that count payloads, as quickly as before. A host
that bans for longer than anybody would wait is given up: nothing of it is decided then.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from enum import Enum, auto

from gatecrash.core.message import Request
from gatecrash.core.testing.health.bans import CUT, Face, Suspicion, face_of, is_dressed, undressed
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.pace.retry_after import retry_after
from gatecrash.node.test.pace.slowing import Slowing

log = logging.getLogger(__name__)

BANNED = "banned"
"""The failure of a request that a ban refused each time, or that was not sent because of one."""

PAUSES = (2.0, 5.0, 10.0, 15.0, 30.0, 60.0)
"""Seconds before each question whether it is over; the last one again and again."""

MOST_QUESTIONS = 100
PATIENCE = 300.0
"""So long one ban is waited for."""

PATIENCE_IN_ALL = 1800.0
"""The same for all bans of a host."""

RESTART = 1.0
"""Seconds in which a target that closed its connections is back, or takes none at all."""

MOST_RESENDS = 2
"""So often one request is sent again: what is banned each time may be what the ban is for."""


MOST_CUT_AGAIN = 40
"""So many closed connections of a host in a row may be those of its restart, which cuts off all that is under way."""


class Unknown(Enum):
    """Nobody asked yet."""

    UNKNOWN = auto()


UNKNOWN = Unknown.UNKNOWN

Asks = Callable[[Request], Awaitable[Answer]]


class Finding(Enum):
    """What came of a suspicious answer: it counts, is to be asked again, or nobody will be answered."""

    COUNTS = auto()
    AGAIN = auto()
    HOPELESS = auto()


class Ban:
    """One host's. shut: nothing may be sent now but questions whether it is over. hopeless: it was not over in time.

    count: bans by now. cut_again: closed connections that were no ban's and taken for a restart's, since
    one was answered when it was asked again. asks, where it is given: sends a request now, and gives what came of it.
    """

    def __init__(self) -> None:
        """There was none yet."""
        self.shut = False
        self.hopeless = False
        self.count = self.cut_again = 0
        self.slowing = Slowing()
        self._suspicion = Suspicion()
        self._lock = asyncio.Lock()
        self._face: Face | None = None
        # How who has no session is answered; unknown at first.
        self._strangers: Face | Unknown | None = UNKNOWN
        self._fine_at = self._asked_at = -1.0
        self._waited = 0.0
        # Which baselines were given answers, and when: that may be a ban's, and that were one's.
        self._taken: list[tuple[str, float]] = []
        self._strikes: list[tuple[str, float]] = []

    @property
    def known(self) -> int:
        """The answers by now."""
        return self._suspicion.known

    @property
    def witness(self) -> Request | None:
        """A request without payload that was answered well, one without credentials if possible."""
        return self._suspicion.public or self._suspicion.dressed

    def spare(self, request: Request) -> None:
        """The request is no witness, which is asked again and again: it signs somebody in."""
        self._suspicion.spare(request)

    def note(self, answer: Answer, baseline_id: str, asked: int) -> Face | None:
        """One answer; its face, where it is to be judged before it counts. asked: what `known` was when its request was sent."""
        clock = asyncio.get_running_loop().time
        self.slowing.heard(clock)
        face = self._suspicion.note(answer.exchange, answer.failure, asked)
        if face is None and self._suspicion.is_open:
            self._taken.append((baseline_id, clock()))
        elif face is None and self._taken:
            self._taken.clear()
        return face

    def struck(self, baseline_id: str, since: float, until: float) -> bool:
        """Whether the baseline was given answers in that time that were a ban's."""
        return any(name == baseline_id and since <= when <= until for name, when in self._strikes)

    async def settle(self, asks: Asks) -> None:
        """Know of the last answers, too, whether they were a ban's."""
        face = self._suspicion.pending()
        if face is not None:
            await self.judged(face, asks)

    async def judged(self, face: Face, asks: Asks) -> Finding:
        """What becomes of an answer with this face. Returns when a ban is over, or given up."""
        clock = asyncio.get_running_loop().time
        seen, came = self.count - self.shut, clock()
        async with self._lock:
            if self.shut:
                return await self._outlasted(asks)
            if self.count != seen:
                return Finding.AGAIN
            if self._fine_at > came or not await self._is_banned(face, asks):
                self._fine_at = clock()
                self._suspicion.clear(face)
                self._taken.clear()
                return Finding.COUNTS
            self._begin(face, clock())
            return await self._outlasted(asks)

    async def opened(self, asks: Asks) -> bool:
        """Returns when requests may be sent again; false where none is to be."""
        async with self._lock:
            return not self.shut or await self._outlasted(asks) is Finding.AGAIN

    def _begin(self, face: Face, now: float) -> None:
        self.shut, self._face = True, face
        self.count += 1
        self._strikes += self._taken
        self._taken.clear()
        self.slowing.banned(now)
        log.warning("the target bans the tests: they wait until it answers again", extra={"status": face[0]})

    async def _is_banned(self, face: Face, asks: Asks) -> bool:
        """Whether what was answered well before has this face now, and not because its session ended."""
        public, dressed = self._suspicion.public, self._suspicion.dressed
        if face == CUT:  # as while it restarts
            await asyncio.sleep(RESTART)
        if public is not None:
            return await _face_now(public, asks) == face and await self._has_second(face, asks, dressed=False)
        if dressed is None or is_dressed(stranger := undressed(dressed)):
            return False
        if await _face_now(dressed, asks) != face:
            if self._strangers is UNKNOWN:
                self._strangers = await _face_now(stranger, asks)
            return False
        if self._strangers is UNKNOWN:  # the other may be answered well next time, and a stranger asked beside it
            self._suspicion.change_dressed()
            return False
        if self._strangers == face or await _face_now(stranger, asks) != face:
            return False
        return await self._has_second(face, asks, dressed=True)

    async def _has_second(self, face: Face, asks: Asks, *, dressed: bool) -> bool:
        """Whether the second witness has this face as well, where there is one: what one thing is refused for is no ban."""
        second = self._suspicion.seconds.get(dressed)
        return second is None or await _face_now(second, asks) == face

    async def _outlasted(self, asks: Asks) -> Finding:
        """Waits until the witness is answered well again. Of a host that was given up it is asked now and then."""
        clock = asyncio.get_running_loop().time
        if self.hopeless and clock() - self._asked_at < PAUSES[-1]:
            return Finding.HOPELESS
        waited, told = 0.0, None
        for number in range(1 if self.hopeless else MOST_QUESTIONS):
            pause = 0.0 if self.hopeless else told or PAUSES[min(number, len(PAUSES) - 1)]
            if waited + pause > PATIENCE or self._waited + pause > PATIENCE_IN_ALL:
                break
            await asyncio.sleep(pause)
            waited, self._waited = waited + pause, self._waited + pause
            answer, self._asked_at = await self._asked(asks), clock()
            if self._is_over(answer):
                self._lift(clock())
                return Finding.AGAIN
            response = answer.exchange.response
            told = retry_after(response.first(b"Retry-After")) if response is not None else None
        self.hopeless, self._asked_at = True, clock()
        return Finding.HOPELESS

    async def _asked(self, asks: Asks) -> Answer:
        assert self.witness is not None
        return await asks(self.witness)

    def _is_over(self, answer: Answer) -> bool:
        response = answer.exchange.response
        return response is not None and face_of(response) != self._face

    def _lift(self, now: float) -> None:
        self.shut = self.hopeless = False
        self._suspicion.over()
        self._fine_at = now
        self.slowing.lifted(now)


async def _face_now(request: Request, asks: Asks) -> Face | None:
    answer = await asks(request)
    return face_of(answer.exchange.response, answer.failure)
