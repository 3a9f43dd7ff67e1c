"""What a node tells of sessions that are over is understood; other failures are not taken for it."""

import pytest

from gatecrash.core.testing.health.refused_sessions import (
    ALL_REFUSED,
    FOUND_BEFORE,
    NO_LOGIN,
    NOBODY_TO_ASK,
    REFUSED_ALONE,
    REFUSED_NOW,
    is_over,
    may_be_anothers,
)


@pytest.mark.parametrize("told", [REFUSED_NOW, NO_LOGIN, ALL_REFUSED, f"{NOBODY_TO_ASK} (a likely cause)"])
def test_a_session_that_is_over_is_known_by_what_is_told(told: str) -> None:
    assert is_over("auth_failed", told)
    assert not is_over("connection_failed", told)


def test_a_baseline_that_only_its_own_session_may_not_send_is_no_dead_session() -> None:
    assert not is_over("auth_failed", REFUSED_ALONE)
    assert not is_over(None, "")


def test_what_is_refused_to_one_identity_may_be_anothers_but_no_login_that_fails() -> None:
    assert may_be_anothers("auth_failed", REFUSED_ALONE)
    assert may_be_anothers("auth_failed", REFUSED_NOW)
    assert not may_be_anothers("auth_failed", "identity 'ann', login[0]: answered 401")
    assert not may_be_anothers(None, REFUSED_ALONE)


def test_a_session_that_ended_behind_a_finding_is_over_too() -> None:
    assert is_over(None, f"{FOUND_BEFORE}{NO_LOGIN}")
    assert not is_over("connection_failed", f"{FOUND_BEFORE}{NO_LOGIN}")
    assert not is_over(None, NO_LOGIN), "that is told of an error alone"
    assert not is_over(None, f"{FOUND_BEFORE}it is refused right after a new login too")
