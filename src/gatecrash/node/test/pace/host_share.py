"""The node's part of the limit that its client sets for every host, and what it may still be sending of an earlier one."""

from collections import deque

from gatecrash.core.testing.pacing.windows import WINDOW

NOTHING = 0
SPREAD = 0.25
"""So long after the node heard of it the last of its processes holds to less."""


class HostShare:
    """own: the node's own limit, which holds too. Times are of a clock that never goes backwards."""

    def __init__(self, own: int | None) -> None:
        """Nothing is told yet."""
        self._own = own
        # When a part ended, and what it was; None is unlimited.
        self._earlier: deque[tuple[float, int | None]] = deque()
        self._told: int | None = NOTHING

    @property
    def limit(self) -> int | None:
        """Requests a second to any one host."""
        limits = [limit for limit in (self._own, self._told) if limit]
        return min(limits, default=None)

    def tell(self, told: int | None, now: float, *, sending: bool) -> None:
        """The orders say this; sending: whether a run is to be tested at all."""
        part = told if sending else NOTHING
        if part != self._told:
            self._earlier.append((now, self._told))
            self._told = part

    def held(self, now: float) -> int | None:
        """The most that any second that is not over may hold of ours; None is unlimited, NOTHING where nothing is sent."""
        while self._earlier and now - self._earlier[0][0] > WINDOW + SPREAD:
            self._earlier.popleft()
        parts = [self._told, *(part for _, part in self._earlier)]
        known = [part for part in parts if part is not None]
        return max(known) if len(known) == len(parts) else None
