"""Threads for callers who wait, and threads for all others."""

import pytest

from gatecrash.control.web_threads import MOST_WAITERS, WEB_THREADS, threads_for, waiters_among


@pytest.mark.parametrize("processors", [1, 2, 3, 4, 8, 64])
def test_callers_who_wait_leave_most_threads_to_the_others(processors: int) -> None:
    threads = threads_for(processors)
    assert 3 <= threads <= 8
    assert waiters_among(WEB_THREADS) == MOST_WAITERS
    assert waiters_among(threads) >= 1
    assert 2 * waiters_among(threads) < threads, "for runs, and for records that are handed over"
