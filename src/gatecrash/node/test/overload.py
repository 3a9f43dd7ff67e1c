"""Whether a target only fails any more, and slowly: a locked database, a full pool, a dead service behind a proxy.

Each such answer costs seconds and says nothing of what was sent. Waits that probes ask for are no such answers: between
them there are always questions that ask for none.
"""

from gatecrash.core.message import Exchange, Response

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
_SERVER_ERROR = 500


class Crawling:
    """Counts the slow server errors of one baseline's tests."""

    def __init__(self, baseline: Exchange) -> None:
        """None was seen yet. baseline: what it took when it was recorded tells what is slow."""
        usual = baseline.elapsed or 0.0
        own = baseline.response
        self._slow = max(SLOW, _TIMES_AS_LONG * usual)
        self._counts = own is None or own.status < _SERVER_ERROR
        self._in_a_row = 0
        self._at_all = 0

    def rest(self) -> None:
        """One answer came that was no server's error."""
        self._in_a_row = 0

    def note(self, response: Response, elapsed: float | None) -> str:
        """One answer came so many seconds after its request; why to stop, "" to go on."""
        if response.status < _SERVER_ERROR or elapsed is None or elapsed < self._slow or not self._counts:
            self.rest()
            return ""
        self._in_a_row += 1
        self._at_all += 1
        if self._in_a_row >= MOST_IN_A_ROW:
            return f"crawling: {self._in_a_row} answers in a row were server errors after {self._slow:.0f} s and more{_cause(response)}"
        if self._at_all >= MOST_AT_ALL:
            return f"crawling: {self._at_all} answers were server errors after {self._slow:.0f} s and more{_cause(response)}"
        return ""


def _cause(response: Response) -> str:
    """What the last of them says of it: a lock or a pool that an error of the application's own keeps, most often."""
    said = response.body.lower()
    return next((f"; the last one says: {cause.decode()}" for cause in _CAUSES if cause in said), "")
