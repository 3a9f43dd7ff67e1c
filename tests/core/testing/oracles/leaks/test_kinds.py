"""Each kind of leak has its words."""

import pytest

from gatecrash.core.testing.oracles.leaks import kinds, leaks


@pytest.mark.parametrize("kind", [leaks.TRACE, leaks.DEBUG, leaks.SECRET, leaks.LISTING, leaks.DEPLOYED, leaks.METRICS])
def test_each_kind_has_a_title_a_weakness_and_a_threat(kind):
    assert kinds.title_of(leaks.Leak(kind, "of a test")) == f"{kinds.TITLES[kind]} (of a test)"
    assert kinds.CWE_OF[kind]
    assert 1 <= kinds.THREAT_OF[kind] <= 100
