"""When a session ends: what the profile says, else what a JSON Web Token in it says."""

from collections.abc import Iterable, Mapping

from gatecrash.core.auth.jwt import is_jwt, object_in
from gatecrash.core.errors import InvalidProfile
from gatecrash.core.testing.profiles.template import fill

_SHARE, _MOST_AHEAD, _LEAST_AHEAD = 0.2, 30.0, 0.05
"""A session is renewed when a fifth of its life is left, at most 30 s before its end: a request that leaves just before
the end arrives after it, and the clocks of two machines differ."""


def ends_at(expires_in: str, variables: Mapping[str, str], taken: Iterable[str], now: float) -> float | None:
    """When to renew, on the clock of `now` (UNIX seconds); None where nothing says when the session ends.

    expires_in: the profile's template. taken: the variables that the login took; a JWT among them has its `exp` read.
    """
    seconds = _seconds(expires_in, variables)
    if seconds is None:
        ends = [end for name in taken if (end := _jwt_end(variables.get(name, ""))) is not None and end > now]
        seconds = min(ends) - now if ends else None
    if seconds is None:
        return None
    return now + seconds - max(_LEAST_AHEAD, min(_MOST_AHEAD, seconds * _SHARE))


def is_over(value: str, now: float) -> bool:
    """Whether a value is a JWT whose time is over, on the clock of `now` (UNIX seconds)."""
    end = _jwt_end(value)
    return end is not None and end <= now


def _seconds(expires_in: str, variables: Mapping[str, str]) -> float | None:
    try:
        seconds = float(fill(expires_in, variables)) if expires_in else 0.0
    except (InvalidProfile, ValueError):
        return None  # an answer without expires_in says nothing (RFC 6749 section 5.1)
    return seconds if 0 < seconds < float("inf") else None


def _jwt_end(value: str) -> float | None:
    """The `exp` of a JWT (RFC 7519 section 4.1.4); None where the value is none or has none."""
    token = value.rpartition(" ")[2].encode("utf-8", "replace")
    if not is_jwt(token):
        return None
    end = (object_in(token.split(b".")[1]) or {}).get("exp")
    return float(end) if isinstance(end, int | float) and not isinstance(end, bool) else None
