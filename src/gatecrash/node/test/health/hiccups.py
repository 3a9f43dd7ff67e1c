"""What passes: an answer that takes too long at a busy target, and a gateway's error now and then.

A target that does one thing at a time keeps whoever asks meanwhile waiting for longer than anybody waits. Where the same
path was answered before, what was not answered in time is asked once more. And while its backend restarts, a gateway
answers in the application's place that it cannot reach it. SQLite's file stays locked after an error until the connection
that raised it is collected: what is asked meanwhile is told so.

Such an answer says nothing of what was asked, and would leave a check undecided that a later answer decides. The request
is sent again after a pause, where it may be sent twice. A baseline that is answered so each time is not asked again: it may be
the application that fails of what it was sent, or a backend that is gone.
"""

from gatecrash.core.message import Request
from gatecrash.core.testing.asking import is_passing
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.wording import TIMED_OUT

LEAST_STATUS = 500

PAUSES = (0.5, 2.0)
"""Seconds before each further attempt: a worker is back at once, an application server in a second or two."""

PAUSES_OF_LOCKS = (1.0, 2.0, 4.0)
"""The same where the database says that it is locked: the application has waited for it in vain already."""

_LOCKS = (b"database is locked", b"database table is locked")


class Hiccups:
    """Those of one run's targets."""

    def __init__(self) -> None:
        """None was seen yet."""
        # The baselines whose last request that was sent again was answered no better.
        self._lasting: set[str] = set()

    def pause(
        self, request: Request, answer: Answer, baseline_id: str, attempt: int, *, answers: bool = True
    ) -> float | None:
        """Seconds after which to send a request again; None where its answer counts. attempt: how often it was sent
        again. answers: whether anything was answered at its path.
        """
        pauses = _pauses(answer, answers)
        if not pauses:
            return None
        if attempt >= len(pauses):
            self._lasting.add(baseline_id)
            return None
        if baseline_id in self._lasting or not _may_be_repeated(request):
            return None
        return pauses[attempt]


def _pauses(answer: Answer, answers: bool) -> tuple[float, ...]:
    """Those that such an answer is worth; none where it counts."""
    if answer.failure == TIMED_OUT and answers:
        return PAUSES[:1]
    if _is_locked(answer):
        return PAUSES_OF_LOCKS
    return PAUSES if is_passing(answer) else ()


def _is_locked(answer: Answer) -> bool:
    """Whether an error says that the database is locked."""
    response = answer.exchange.response
    if response is None or answer.failure or response.status < LEAST_STATUS:
        return False
    return any(lock in response.body for lock in _LOCKS)


def _may_be_repeated(request: Request) -> bool:
    """Whether it may be sent twice (RFC 9110, 9.2.2). A DELETE may, but the second one finds nothing: its answer would mislead."""
    return request.method == "PUT" or is_safe(request) or only_queries(request)
