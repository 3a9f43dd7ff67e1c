"""Which of somebody's recorded logins let him in again, who may sign in in several ways."""

from collections.abc import Sequence

from gatecrash.core.testing.profiles.entrance import registers
from gatecrash.core.testing.profiles.recorded_session import RecordedSession, given_by


def ways_in(sessions: Sequence[RecordedSession], every: Sequence[RecordedSession]) -> tuple[RecordedSession, ...]:
    """Of his sessions the one that tells most of how he signs in. Who has a token from one login, for an application's
    calls, and a cookie from another, for its pages, signs in by both, by the one for the token first. every: all of the record.
    """

    def weight(session: RecordedSession) -> tuple[bool, int]:
        """A password says more than what made his account, and most what he used most."""
        same = (one for one in every if (one.address, one.name) == (session.address, session.name))
        return not registers(session.login.request), sum(one.used for one in same)

    latest = sessions[::-1]
    likeliest = max(latest, key=weight)
    others = [each for each in latest if bool(each.placed) is not bool(likeliest.placed) and _lets_in(each)]
    others = [each for each in others if each.address != likeliest.address]
    if not others or not _lets_in(likeliest):
        return (likeliest,)
    return tuple(sorted((likeliest, max(others, key=weight)), key=lambda each: not each.placed))


def _lets_in(session: RecordedSession) -> bool:
    """Whether its login, made by who has an account, gave what its requests then carried: a token, or a cookie."""
    answered = session.login.response
    given = bool(session.placed) or (answered is not None and bool(given_by(answered)))
    return given and session.used > 0 and not registers(session.login.request)
