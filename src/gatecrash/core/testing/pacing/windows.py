"""Pacing: when may the next test request leave, so that no window of one second ever holds more than the limit.

Time is cut into slots of a little more than 1/rps seconds, each for one request; whoever asks gets the first free slot
that its own limit allows. A baseline that must wait for its limit leaves the slots before free for others, and
everybody who waits is served in the order of asking. The clock is passed in: seconds that never go backwards.
"""

import math
from collections import deque
from collections.abc import Iterable
from typing import Protocol

# A sender wakes up late. With slots 2% wider than the limit wants, any second stays within it while requests leave up
# to 20 ms late, and the average still reaches 98% of the limit.
MARGIN = 0.02
WINDOW = 1.0
# Between the gate and the wire a request takes as long as this machine lets it; within the margin above, so it costs nothing.
DEPARTURE = 0.005
_EPSILON = 1e-9
_TIDY_EVERY = 4096


class Pacer:
    """Hands out times to send at, for one run."""

    def __init__(self, rps: int | None = None, rps_per_baseline: int | None = None) -> None:
        """Limit the run and each of its baselines to so many requests a second; None is unlimited."""
        self._slots = _Slots(rps) if rps else None
        self._per_baseline = rps_per_baseline
        self._recent: dict[str, deque[float]] = {}

    def reserve(self, now: float, baseline_id: str) -> float:
        """Reserve the next time to send for this baseline, and give the seconds to wait for it (0 for at once)."""
        earliest = now
        recent = self._recent_of(baseline_id)
        if recent is not None:
            earliest = max(earliest, self._next_of_baseline(recent))
        at = self._slots.take(now, earliest) if self._slots else earliest
        if recent is not None:
            recent.append(at)
        return max(0.0, at - now)

    def forget(self, baseline_id: str) -> None:
        """Drop what is remembered of a baseline whose checks are over."""
        self._recent.pop(baseline_id, None)

    def _recent_of(self, baseline_id: str) -> deque[float] | None:
        if not self._per_baseline:
            return None
        return self._recent.setdefault(baseline_id, deque(maxlen=self._per_baseline))

    def _next_of_baseline(self, recent: deque[float]) -> float:
        """As many requests ago as the limit allows must be a window ago; without slots they are also spread evenly."""
        assert self._per_baseline
        if not recent:
            return 0.0
        full = recent[0] + WINDOW + MARGIN if len(recent) == self._per_baseline else 0.0
        spread = 0.0 if self._slots else recent[-1] + (WINDOW + MARGIN) / self._per_baseline
        return max(full, spread)


class Gate:
    """The last word at the wire: refuses what would break the limit after all, because the machine stalled.

    `pass_at` gives 0 and counts the request as sent, or the seconds after which to ask again.
    """

    def __init__(self, rps: int) -> None:
        """Let at most so many requests pass in any window of one second."""
        self._sent: deque[float] = deque(maxlen=rps)

    def limit(self, rps: int) -> None:
        """Hold to another limit from now on; what was sent before counts."""
        self._sent = deque(self._sent, maxlen=rps)

    def pass_at(self, now: float) -> float:
        """Let a request pass now, or say how long it must wait."""
        wait = self.wait(now)
        if not wait:
            self._sent.append(now)
        return wait

    def wait(self, now: float) -> float:
        """How long a request must wait now; nothing is counted."""
        if len(self._sent) < (self._sent.maxlen or 0):
            return 0.0
        # Strictly more than a window: a window that holds both ends would hold one too many.
        return max(0.0, self._sent[0] + WINDOW + DEPARTURE - now)


class Passing(Protocol):
    """What lets requests pass as a Gate does."""

    def wait(self, now: float) -> float:
        """How long a request must wait now; nothing is counted."""
        ...

    def pass_at(self, now: float) -> float:
        """Let a request pass now, or say how long it must wait."""
        ...


def pass_all(gates: Iterable[Passing], now: float) -> float:
    """Let a request pass all gates now, or none of them: the seconds that it must wait."""
    kept = list(gates)
    wait = max((gate.wait(now) for gate in kept), default=0.0)
    if not wait:
        for gate in kept:
            gate.pass_at(now)
    return wait


class _Slots:
    """Slots of equal width; each is taken once, and finding the next free one takes about constant time."""

    def __init__(self, rps: int) -> None:
        self._width = (WINDOW + MARGIN) / rps
        self._origin = -math.inf
        self._last = -1
        self._free_after: dict[int, int] = {}
        self._taken = 0

    def take(self, now: float, earliest: float) -> float:
        """The start of the first free slot at or after `earliest`, taken."""
        # When all that was taken lies behind, counting may begin anew, so that nobody waits for a slot to begin.
        if now >= self._origin + (self._last + 1) * self._width:
            self._origin, self._last = now, -1
            self._free_after.clear()
        wanted = max(0, math.ceil((earliest - self._origin) / self._width - _EPSILON))
        slot = self._first_free(wanted)
        self._free_after[slot] = slot + 1
        self._last = max(self._last, slot)
        self._tidy(now)
        return self._origin + slot * self._width

    def _first_free(self, slot: int) -> int:
        """Follow the links of taken slots to a free one, shortening the way for the next who asks."""
        free = slot
        while free in self._free_after:
            free = self._free_after[free]
        while slot in self._free_after:
            self._free_after[slot], slot = free, self._free_after[slot]
        return free

    def _tidy(self, now: float) -> None:
        """Forget slots of the past now and then: nobody can ask for them again."""
        self._taken += 1
        if self._taken % _TIDY_EVERY == 0:
            past = math.floor((now - self._origin) / self._width)
            self._free_after = {slot: after for slot, after in self._free_after.items() if slot >= past}
