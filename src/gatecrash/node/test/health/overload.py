"""Whether a target only fails any more, and slowly: a locked database, a full pool, a dead service behind a proxy, and a
login that makes whoever tries in vain wait for longer each time.

Each such answer costs seconds and says nothing of what was sent. Waits that probes ask for are no such answers: between
them there are always questions that ask for none.
"""

from gatecrash.core.message import Exchange, Response
from gatecrash.core.statuses import FIRST_ERROR, FIRST_SERVER_ERROR
from gatecrash.core.testing.effects.sign_in import signs_in

SLOW = 2.0
"""Seconds from which on a server's error is slow; more where the baseline itself takes its time."""

MOST_IN_A_ROW, MOST_AT_ALL = 8, 40
_TIMES_AS_LONG = 3
_CAUSES = (
    b"database is locked",
    b"database table is locked",
    b"lock wait timeout",
    b"too many connections",
    b"queuepool limit",
)


class Crawling:
    """Counts the slow server errors of one baseline's tests, and a login's slow refusals."""

    def __init__(self, baseline: Exchange) -> None:
        """None was seen yet. baseline: what it took when it was recorded tells what is slow."""
        usual = baseline.elapsed or 0.0
        own = baseline.response
        self._slow = max(SLOW, _TIMES_AS_LONG * usual)
        self._least = FIRST_ERROR if signs_in(baseline.request) else FIRST_SERVER_ERROR
        self._kind = "refusals" if self._least == FIRST_ERROR else "server errors"
        self._counts = own is None or own.status < self._least
        self._in_a_row = 0
        self._at_all = 0

    def rest(self) -> None:
        """One answer came that was none of them."""
        self._in_a_row = 0

    def note(self, response: Response, elapsed: float | None) -> str:
        """One answer came so many seconds after its request; why to stop, "" to go on."""
        if response.status < self._least or elapsed is None or elapsed < self._slow or not self._counts:
            self.rest()
            return ""
        self._in_a_row += 1
        self._at_all += 1
        if self._in_a_row >= MOST_IN_A_ROW:
            return self._told(f"{self._in_a_row} answers in a row", response)
        if self._at_all >= MOST_AT_ALL:
            return self._told(f"{self._at_all} answers", response)
        return ""

    def _told(self, which: str, last: Response) -> str:
        return f"the target hardly gets on: {which} were {self._kind} after {self._slow:.0f} s and more{_cause(last)}"


def _cause(response: Response) -> str:
    """What the last of them says of it: a lock or a pool that an error of the application's own keeps, most often."""
    said = response.body.lower()
    return next((f"; the last one says: {cause.decode()}" for cause in _CAUSES if cause in said), "")
