"""Waiting for limiters that is no use any more: what was waited for altogether, beside how many answers came meanwhile.

A login that takes five requests a minute would keep a scan waiting for hours when all others are done, each time for no longer
than Retry-After asks for. Limiters that let enough through are waited for as long as it takes, and so are those that others need
not wait for, as where they refuse one address while a hundred are answered.
"""

import msgspec

MOST_SECONDS = 60.0
"""So long in a row is one baseline waited for while hardly anything is answered, and no other is refused."""

MOST_SECONDS_OF_HOST = 300.0
"""The same of all baselines of a host."""

LEAST_A_SECOND = 0.5
"""So many good answers for each second of waiting are worth it."""


class _Waited(msgspec.Struct):
    """seconds: in a row. good: answers of the host since the first of them."""

    seconds: float = 0.0
    good: int = 0

    def add(self, seconds: float, most: float) -> None:
        """One more pause; what was worth it is forgotten."""
        if self.seconds >= most and not self.is_worn(most):
            self.seconds, self.good = 0.0, 0
        self.seconds += seconds

    def is_worn(self, most: float) -> bool:
        return self.seconds >= most and self.good < LEAST_A_SECOND * self.seconds


class Wearing:
    """One host's. alone: the baseline that alone is refused; "" for none."""

    def __init__(self) -> None:
        """Nothing was waited for yet."""
        self.alone = ""
        self._own = _Waited()
        self._host = _Waited()

    @property
    def host_is_worn(self) -> bool:
        """Whether the host is waited for no longer."""
        return self._host.is_worn(MOST_SECONDS_OF_HOST)

    def refused(self, baseline_id: str) -> None:
        """A limiter refused this baseline. Where it refuses others as well, it is the host's, and none of them is waited for alone."""
        if baseline_id != self.alone:
            self.alone, self._own = baseline_id, _Waited()

    def waits(self, seconds: float) -> None:
        """The refusal brings such a pause."""
        self._own.add(seconds, MOST_SECONDS)
        self._host.add(seconds, MOST_SECONDS_OF_HOST)

    def answered(self) -> None:
        """An ordinary answer came."""
        self._own.good += 1
        self._host.good += 1

    def is_worn(self, baseline_id: str) -> bool:
        """Whether the baseline is waited for no longer. What lets nothing through at all is told by its pauses alone."""
        return baseline_id == self.alone and self._own.good > 0 and self._own.is_worn(MOST_SECONDS)
