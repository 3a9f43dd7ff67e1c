"""How much slower requests go to a host that bans who asks too quickly: until a ban comes no more, or turns out not to count by time."""

from collections.abc import Callable

from gatecrash.core.testing.pacing.windows import Pacer

TIMES_SLOWER = 4

SLOWEST = 5
"""Requests a second. Slower ones take longer than most bans last."""

MOST_SLOWINGS = 2
"""A ban that comes as early after these does not count by time, and slowness is no help."""

MUCH_LATER = 2
"""A ban that comes after so many times as many requests was put off by being slower."""


class Slowing:
    """One host's. answers: since it answers. pacer: hands out times to send at; None while nothing has to be slower."""

    def __init__(self) -> None:
        """Nothing was banned yet."""
        self.answers = 0
        self.pacer: Pacer | None = None
        self._since: float | None = None
        self._rate = 0.0
        self._at_first = 0
        self._slowings = 0

    def heard(self, clock: Callable[[], float]) -> None:
        """An answer came."""
        self.answers += 1
        if self._since is None:
            self._since = clock()

    def banned(self, now: float) -> None:
        """A ban came now."""
        lasted = max(now - (self._since if self._since is not None else now), 1.0)
        if not self._slowings:
            self._rate, self._at_first = self.answers / lasted, self.answers
        elif self.answers > MUCH_LATER * self._at_first:
            self._slowings, self._rate, self._at_first = 0, self.answers / lasted, self.answers
        self._slowings += 1
        self.pacer = Pacer(self._rps()) if self._slowings <= MOST_SLOWINGS else None

    def lifted(self, now: float) -> None:
        """The ban is over."""
        self._since, self.answers = now, 0

    def _rps(self) -> int:
        return max(SLOWEST, int(self._rate / TIMES_SLOWER**self._slowings))
