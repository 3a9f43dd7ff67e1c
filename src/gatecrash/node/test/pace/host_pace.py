"""The pace towards each host, shared by all runs of this node: what it bears, and what its owner set as a limit."""

import asyncio

from gatecrash.core.message import Request
from gatecrash.core.reports.notes import of_bans, of_limits, of_silence
from gatecrash.core.testing.pacing.congestion import Congestion
from gatecrash.core.testing.pacing.windows import Gate, Pacer, Passing
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.health.bans import Ban
from gatecrash.node.test.health.hush import Hush
from gatecrash.node.test.pace.hanging import Hanging
from gatecrash.node.test.pace.retry_after import retry_after
from gatecrash.node.test.pace.slots import Places
from gatecrash.node.test.wording import AWAY, TIMED_OUT

TOO_MANY, UNAVAILABLE = 429, 503
_LOST = frozenset({TIMED_OUT, AWAY})
_MOST_PATHS = 4096
"""Paths that are remembered: tests of segments ask thousands."""


class HostPaces:
    """The paces of all hosts. rps: test requests a second to any one host, whatever the runs are; None is unlimited."""

    def __init__(self, rps: int | None = None) -> None:
        """No host was asked yet."""
        self.rps = rps
        self._paces: dict[tuple[str, int], HostPace] = {}

    def of(self, request: Request) -> "HostPace":
        """The pace of the host that the request goes to."""
        key = (request.host, request.port)
        pace = self._paces.get(key)
        if pace is None:
            pace = self._paces[key] = self._begun(key)
        return pace

    def told(self) -> tuple[str, ...]:
        """What the reader of a run must know of them: what they have against us, whether they answer, what they limit."""
        paces = [*self._paces.values()]
        bans, hushes = [pace.ban for pace in paces], [pace.hush for pace in paces]
        return (
            *of_bans(sum(ban.count for ban in bans), hopeless=any(ban.hopeless for ban in bans)),
            *of_silence(sum(hush.count for hush in hushes), hopeless=any(hush.hopeless for hush in hushes)),
            *of_limits([name for pace in paces for name in dict.fromkeys(pace.unwaited.values())]),
        )

    def limit(self, rps: int | None) -> None:
        """Holds all hosts to another limit from now on."""
        if rps == self.rps:
            return
        self.rps = rps
        for pace in self._paces.values():
            pace.limit(rps)

    def _begun(self, _key: tuple[str, int]) -> "HostPace":
        return HostPace(self.rps)


class HostPace(Places):
    """One host's. gate: its limit's last word at the wire, if it has one. dialogues: the places of those that ask. ban:
    what it has against us.

    hush: whether it answers at all. hanging: what does not, while others do. unwaited: by baseline, one request that its limiters
    refused and that was not waited for.
    """

    def __init__(self, rps: int | None) -> None:
        """rps: its limit."""
        super().__init__(Congestion())
        self.dialogues = Places(self.congestion)
        self.hanging = Hanging((self, self.dialogues))
        self.ban = Ban()
        self.hush = Hush()
        self.unwaited: dict[str, str] = {}
        self.gate: Passing | None = None
        self._pacer: Pacer | None = None
        self._answering: set[tuple[str, bytes]] = set()
        self.limit(rps)

    def limit(self, rps: int | None) -> None:
        """Holds to another limit from now on."""
        self._limited = bool(rps)
        self._pacer = Pacer(rps) if rps else None
        if rps and isinstance(self.gate, Gate):
            self.gate.limit(rps)
        else:
            self.gate = Gate(rps) if rps else None

    def enters(self, baseline_id: str) -> bool:
        """Whether this baseline has its turn at once, and nothing else is to be waited for: the common way."""
        congestion = self.congestion
        if self._limited or congestion.episodes:
            return False
        return self._turns.take(baseline_id, congestion.width)

    async def enter(self, baseline_id: str) -> None:
        """Waits for this baseline's turn, for the host's limit and for the end of a pause."""
        await super().enter(baseline_id)
        if self._limited or self.congestion.paused:
            await self._hold(baseline_id)

    def leave(self, baseline_id: str) -> None:
        """Its request is over."""
        self._turns.done(baseline_id)
        if self._called:
            self._call()
        self.dialogues.grown()

    def ended(self, baseline_id: str, number: int | None) -> None:
        """The same, where it may have hung. number: by which it began; None where it was not sent."""
        if number is not None:
            self.hanging.over(number)
        self.leave(baseline_id)

    def note(self, answer: Answer, sent_at: float, baseline_id: str, *, tells: bool = True) -> bool:
        """What the answer says of the host; whether a limiter gave it, so that the request may be sent again later.

        tells: whether the time that a good one took says anything.
        """
        now = asyncio.get_running_loop().time()
        response = answer.exchange.response
        if response is None or answer.failure == TIMED_OUT:
            if answer.failure in _LOST:
                self.congestion.lost(now, sent_at)
                self.hanging.lost(now, sent_at, baseline_id, self.congestion.best_of(baseline_id))
            return False
        self.hush.heard = now
        self.hanging.answered(now, now - sent_at)
        if len(self._answering) >= _MOST_PATHS:
            self._answering.clear()
        self._answering.add((answer.exchange.request.method, answer.exchange.request.path))
        if response.status in (TOO_MANY, UNAVAILABLE):
            asked = retry_after(response.first(b"Retry-After"))
            is_limit = response.status == TOO_MANY or asked is not None
            is_waited_for = self.congestion.refused(now, sent_at, asked, baseline_id) and not self.congestion.given_up
            if is_limit and not is_waited_for:
                request = answer.exchange.request
                self.unwaited.setdefault(baseline_id, f"{request.method} {request.path.decode('latin-1')}")
            return is_limit and is_waited_for
        if tells:
            self.congestion.answered(now, baseline_id, answer.exchange.elapsed or now - sent_at)
        return False

    def answers(self, request: Request) -> bool:
        """Whether the request's path was answered under its method, as far as anybody remembers: one hangs while others do not."""
        return (request.method, request.path) in self._answering

    async def _hold(self, baseline_id: str) -> None:
        """The host's own limit, and its pauses. A turn that is given up while it waits goes to the next."""
        clock = asyncio.get_running_loop().time
        try:
            if self._limited:
                await self._spaced()
            pause = self._pause(clock())
            while pause > 0:
                await asyncio.sleep(pause)
                pause = self._pause(clock())
        except asyncio.CancelledError:
            self.leave(baseline_id)
            raise

    async def _spaced(self) -> None:
        """Waits for the next time that the host's limit has."""
        wait = self._pacer.reserve(asyncio.get_running_loop().time(), "") if self._pacer else 0.0
        if wait > 0:
            await asyncio.sleep(wait)

    def _pause(self, now: float) -> float:
        return self.congestion.wait(now)
