"""Requests of a record that are sent before anything is tested as their own tests will be: in the session of whoever
sent them, with form tokens and one-time values of now.
"""

from collections.abc import Awaitable, Callable

from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.authorization.callers.credentials import worth_testing
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.profiles.belonging import sender_of
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.principal import SIGNED_OUT, Principal

_PLAIN = "control"
"""Unlike a test's, such a request is not sent a second time to see how long its token is good."""


def as_own(traffic: Traffic, recogniser: Recognises, counted: str) -> Callable[[Request], Awaitable[Answer]]:
    """What sends such requests. counted: what they are counted under."""

    async def send(request: Request) -> Answer:
        principal = Principal(Baseline(counted, Exchange(request)), traffic, recogniser)
        try:
            dressed = await principal.dress()
            return await principal.send(TestRequest(dressed.request, purpose=_PLAIN))
        except LoginFailed as error:
            return Answer(Exchange(request), SIGNED_OUT, detail=str(error))

    return send


def is_own(request: Request, profile: AuthProfile | None, recogniser: Recognises) -> bool:
    """Whether it is sent as who sent it, or came without credentials: what an unknown user made or read belongs to none
    of several identities.
    """
    if profile is None or len(profile.identities) == 1 or sender_of(request, profile.holders):
        return True
    return not worth_testing(recogniser.recognise(request), request)


def own_name(traffic: Traffic, request: Request, recogniser: Recognises) -> str:
    """Which identity's a recorded request is; empty for an unknown user's, and where it is tested as it was recorded."""
    profile, own = traffic.sessions.profile, traffic.sessions.own(request)
    if profile is None or own is None:
        return ""
    known = sender_of(request, profile.holders) or (len(profile.identities) == 1 and not profile.holders)
    return own.identity.name if known or not worth_testing(recogniser.recognise(request), request) else ""
