"""Recorded sessions that end while a scan uses them: their users sign in again as the capture shows, once for all baselines.

Sessions run out, and applications that are started again forget them. Found before the first test, this changes the plan;
found later, the run goes on with other sessions, and what ended with the old ones is tested anew.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from gatecrash.core.message import Exchange
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.node.scan.captures.liveness import Sending
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.of_run import Sessions
from gatecrash.wire.work import Result

log = logging.getLogger(__name__)

SignsInAgain = Callable[[Sending, Exchange], Awaitable[AuthProfile | None]]
"""Asks whether recorded sessions are over, of which one was refused now, and tells how their users sign in then."""

MOST_IN_VAIN = 5
"""So often the sessions are asked for and found alive: what was refused is then another thing's doing."""

MOST_RENEWALS = 3
BASELINE = "session"
"""What these questions are counted under: they belong to no baseline."""

_REASON = "auth_failed"


Introduces = Callable[[Traffic], Awaitable[None]]
"""Asks who the identities of new sessions are, and what each may read, as was asked of those before."""


class Renewal:
    """One run's. again: how its users sign in."""

    def __init__(self, again: SignsInAgain, introduces: Introduces | None = None) -> None:
        """Nobody has had to yet."""
        self._again = again
        self._introduces = introduces
        self._lock = asyncio.Lock()
        self._in_vain = 0
        self._renewals = 0

    async def of(self, traffic: Traffic, sessions: Sessions, refused: Exchange) -> bool:
        """Whether there are others in the place of these sessions now. sessions: those in which a baseline was refused."""
        async with self._lock:
            if traffic.sessions is not sessions:
                return True
            if self._in_vain >= MOST_IN_VAIN or self._renewals >= MOST_RENEWALS:
                return False
            profile = await self._again(lambda request: traffic.send(request, BASELINE), refused)
            if profile is None:
                self._in_vain += 1
                return False
            self._renewals += 1
            log.warning("recorded sessions ended while they were used; their users sign in again")
            traffic.sessions = Sessions(profile, traffic.send_urgently)
            traffic.sessions.inherit(sessions)
            if self._introduces is not None:
                await self._introduces(traffic)
            return True


def ended(result: Result) -> bool:
    """Whether a baseline's tests ended because its session did."""
    return result.reason == _REASON or result.detail.startswith(_REASON)
