"""What a node tells of sessions that are over is understood; other failures are not taken for it."""

import pytest

from gatecrash.core.testing.refused_sessions import (
    ALL_REFUSED,
    FOUND_BEFORE,
    NO_LOGIN,
    NOBODY_TO_ASK,
    REFUSED_NOW,
    is_over,
)


@pytest.mark.parametrize("told", [REFUSED_NOW, NO_LOGIN, ALL_REFUSED, f"{NOBODY_TO_ASK} (a likely cause)"])
def test_a_session_that_is_over_is_known_by_what_is_told(told: str) -> None:
    assert is_over("auth_failed", told)
    assert not is_over("connection_failed", told)


def test_a_baseline_that_only_its_own_session_may_not_send_is_no_dead_session() -> None:
    told = "the baseline itself is refused now, though other requests show that the session lives"
    assert not is_over("auth_failed", told)
    assert not is_over(None, "")


def test_a_session_that_ended_behind_a_finding_is_over_too() -> None:
    assert is_over(None, f"{FOUND_BEFORE}{NO_LOGIN}")
    assert not is_over("connection_failed", f"{FOUND_BEFORE}{NO_LOGIN}")
    assert not is_over(None, NO_LOGIN), "that is told of an error alone"
    assert not is_over(None, f"{FOUND_BEFORE}it is refused right after a new login too")
