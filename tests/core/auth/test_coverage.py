"""Status and percent are exact at their boundaries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.coverage import Status, percent, status


@pytest.mark.parametrize(
    ("requests", "authenticated", "expected", "shown"),
    [
        (0, 0, None, None),
        (1, 0, Status.MISSING, 0.0),
        (1, 1, Status.CONSISTENT, 100.0),
        (100, 95, Status.CONSISTENT, 95.0),
        (10_000, 9_499, Status.PARTIAL, 94.99),
        (10_000, 9_500, Status.CONSISTENT, 95.0),
        (1_000_000, 949_999, Status.PARTIAL, 94.99),
        (100_000, 1, Status.PARTIAL, 0.01),
        (100_000, 99_999, Status.CONSISTENT, 99.99),
        (3, 1, Status.PARTIAL, 33.33),
        (3, 2, Status.PARTIAL, 66.67),
        (10**18, 95 * 10**16 - 1, Status.PARTIAL, 94.99),
    ],
)
def test_boundaries(requests, authenticated, expected, shown):
    assert status(requests, authenticated) is expected
    assert percent(requests, authenticated) == shown


counts = st.integers(1, 10**12).flatmap(lambda total: st.tuples(st.just(total), st.integers(0, total)))


@given(counts)
def test_the_percent_never_contradicts_the_status(pair):
    requests, authenticated = pair
    shown = percent(requests, authenticated)
    assert (shown == 0.0) == (status(requests, authenticated) is Status.MISSING)
    assert (shown >= 95.0) == (status(requests, authenticated) is Status.CONSISTENT)
    assert (shown == 100.0) == (requests == authenticated)
    assert abs(shown - 100 * authenticated / requests) <= 0.01001
