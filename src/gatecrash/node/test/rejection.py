"""Whether a baseline that changes something was really tested, or every test of it was turned away.

Such a baseline is never repeated as a control, so an account that loses its role half way, by this very request perhaps,
shows only in this: the request itself was let in, and not one of its tests was. Silence then means nothing.
"""

from collections import Counter
from collections.abc import Collection

from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.ordering import is_safe, signs_in
from gatecrash.core.testing.verdict import Inconclusive

_GONE = frozenset({404, 410})
_ERROR = 400
FEWEST = 3
"""Tests that must have been turned away alike; one or two may be what their payloads deserved."""


class TurnedAway:
    """Counts the answers to the tests of one baseline."""

    def __init__(self) -> None:
        """Nothing was answered yet."""
        self.answered = 0
        self._refused: Counter[int] = Counter()
        self._gone = 0

    def note(self, response: Response | None, baseline: Exchange) -> None:
        """One test with the baseline's own credentials was answered so. Safe methods have their controls; a login refuses
        whoever is not let in by it, and says so.
        """
        if response is None or is_safe(baseline.request) or signs_in(baseline.request):
            return
        self.answered += 1
        if refusal(response, baseline.response) is not None:
            self._refused[response.status] += 1
        elif response.status in _GONE:
            self._gone += 1

    def why(self, baseline: Exchange) -> tuple[str, str] | None:
        """Why the tests show nothing: (reason of contract 2.10, detail); None where they do."""
        own = baseline.response
        if own is None or own.status >= _ERROR or self.answered < FEWEST:
            return None
        if self._refused.total() == self.answered:
            status = self._refused.most_common(1)[0][0]
            return (
                "auth_failed",
                f"all {self.answered} tests were refused ({status}) though the request itself was let in",
            )
        # What was recorded elsewhere was answered by another state of the target; a draft was answered a moment ago.
        if baseline.drafted and self._gone + self._refused.total() == self.answered:
            return (
                "connection_failed",
                f"unstable: all {self.answered} tests were answered as if what they are about were gone",
            )
        return None


def nothing_there(exchange: Exchange, undecided: Collection[Inconclusive]) -> bool:
    """Whether a recorded request was told that nothing is there, so that its checks had nothing to look at.

    undecided: why they could not decide. A browser's request for an icon that is missing is no failure of the tests.
    """
    response = exchange.response
    missing = not exchange.drafted and response is not None and response.status in _GONE
    return missing and set(undecided) <= {Inconclusive.NO_CONTROL, Inconclusive.BLOCKED}
