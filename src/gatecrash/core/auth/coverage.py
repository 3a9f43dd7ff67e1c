"""Authentication status and coverage of an endpoint, from counts (contract 2.4, 2.5). Integers only: 95% is exact."""

from enum import StrEnum


class Status(StrEnum):
    """An endpoint's authentication status; None, not a member, where its window holds no traffic."""

    CONSISTENT = "consistent"
    PARTIAL = "partial"
    MISSING = "missing"


# What a user sees of a share is rounded to hundredths of a percent.
_WHOLE = 10_000
_CONSISTENT = 9_500


def status(requests: int, authenticated: int) -> Status | None:
    """Consistent from 95% on, Missing at 0, Partial between; None without requests."""
    if requests <= 0:
        return None
    if authenticated <= 0:
        return Status.MISSING
    return Status.CONSISTENT if is_consistent(requests, authenticated) else Status.PARTIAL


def is_consistent(requests: int, authenticated: int) -> bool:
    """Whether 95% or more of the requests are authenticated."""
    return authenticated * 100 >= 95 * requests


def percent(requests: int, share: int) -> float | None:
    """The share in percent with two decimals; None without requests.

    Rounding never hides a status: 95.0 is shown only from 95% on, 0.0 only for none and 100.0 only for all.
    """
    if requests <= 0:
        return None
    hundredths = (2 * _WHOLE * share + requests) // (2 * requests)
    if share > 0:
        hundredths = max(hundredths, 1)
    if share < requests:
        hundredths = min(hundredths, _WHOLE - 1)
    if not is_consistent(requests, share):
        hundredths = min(hundredths, _CONSISTENT - 1)
    return hundredths / 100
