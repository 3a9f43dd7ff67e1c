"""Whether the sessions of a capture are still alive at the target: asked once, before anything is tested in them.

A capture outlives its sessions: they run out, and applications forget them when they are started again. What let their users
in stands in the capture, so tests can sign in as they did.
"""

from collections.abc import Awaitable, Callable, Iterable

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.recorded_sign_ins import Door, SignIns
from gatecrash.core.testing.replay import replayable, why_not

Sending = Callable[[Request], Awaitable[Answer]]


def open_sessions(exchanges: Iterable[Exchange]) -> dict[Door, list[Exchange]]:
    """What a capture read in sessions that it did not end, by the doors at which they began."""
    sign_ins = SignIns()
    for exchange in exchanges:
        if not why_not(exchange):
            sign_ins.see(exchange)
    return sign_ins.open()


async def dead_doors(sessions: dict[Door, list[Exchange]], send: Sending) -> frozenset[Door]:
    """The doors of sessions in which something is refused now that was answered when it was recorded."""
    return frozenset([door for door, checks in sessions.items() if await _is_dead(checks, send)])


async def _is_dead(checks: Iterable[Exchange], send: Sending) -> bool:
    for recorded in map(replayable, checks):
        answer = await send(recorded.request)
        response = answer.exchange.response
        if answer.failure or response is None:
            return False
        if refusal(response, recorded.response) is not None:
            return True
    return False
