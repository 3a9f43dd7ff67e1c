"""Who one baseline's tests are sent as: the baseline dressed in a session, and every request brought up to date with it."""

import re
from collections.abc import Callable, Mapping

import msgspec

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.credentials import without_credentials, worth_testing
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.profiles.dressing import PENDING, as_other, pending, put, put_all, up_to_date, wanted
from gatecrash.core.testing.profiles.profile import Once
from gatecrash.core.testing.profiles.signing import proof_points
from gatecrash.core.testing.profiles.template import fill
from gatecrash.node.test.live_session import LiveSession, LoginFailed
from gatecrash.node.test.traffic import Traffic

MOST_STALE = 3
"""So often a request that waited until its session was about to end waits once more."""

SIGNED_OUT = "signed_out"
"""The failure of a request as an identity that cannot be signed in."""

OneTime = Mapping[Point, bytes]
Make = Callable[[OneTime], Request]


class Principal:
    """The sender of one baseline's tests. credentials: the points at which its requests carry some.

    session: its own; None where the baseline keeps what was recorded. kept_out: points that the session fills anew for
    each request, where nothing a probe inserts would arrive.
    """

    def __init__(self, baseline: Baseline, traffic: Traffic, recogniser: Recognises) -> None:
        self.baseline = baseline
        self.session = traffic.sessions.own(baseline.request)
        self.identities = traffic.sessions.identities(baseline.request)
        self.credentials = worth_testing(recogniser.recognise(baseline.request))
        self.kept_out: tuple[Point, ...] = ()
        self._traffic = traffic
        self._recogniser = recogniser
        self._before: dict[Point, bytes] = {}
        self._proof: tuple[Point, bytes | None] | None = None

    @property
    def generation(self) -> int:
        """Of its session; always the same without one."""
        return 0 if self.session is None else self.session.generation

    async def dress(self) -> Baseline:
        """The baseline in the credentials of a living session. Raises LoginFailed."""
        session = self.session
        if session is None:
            return self.baseline
        await session.ready(self.baseline.id)
        await session.challenged(self.baseline.request, self.baseline.id)
        self._before = session.values(self.baseline.request.host)
        request = pending(session.identity.once, put_all(self.baseline.request, self._before))
        request = session.signed(request)
        self.baseline = Baseline(self.baseline.id, msgspec.structs.replace(self.baseline.exchange, request=request))
        self._note_points(session)
        return self.baseline

    async def send(self, asked: TestRequest) -> Answer:
        """One test request as who it asks for. Raises LoginFailed where the own session cannot be had."""
        if asked.raw:
            return await self._traffic.send(asked.request, self.baseline.id)
        if asked.identity == "":
            return await self._traffic.send(without_credentials(asked.request, self.credentials), self.baseline.id)
        if asked.identity is not None:
            return await self._send_as(asked)
        session = self.session
        if session is None:
            return await self._traffic.send(asked.request, self.baseline.id)
        return await self._in_session(session, asked.request, lambda values: self._own(session, asked.request, values))

    async def send_plain(self, session: LiveSession, request: Request) -> Answer:
        """A request that carries no credentials yet, in a session. Raises LoginFailed."""
        return await self._in_session(session, request, lambda values: _dressed(session, request, values))

    def limited(self, policy: Policy) -> Policy:
        """The policy without the points that a session fills anew for each request."""
        if not self.kept_out:
            return policy
        patterns = tuple(tuple(re.escape(step) for step in point) for point in self.kept_out)
        limited: Policy = msgspec.structs.replace(policy, exclude=(*policy.exclude, *patterns))
        return limited

    def intact(self, request: Request) -> bool:
        """Whether the request still carries all credentials that the baseline was dressed in."""
        dressed = self.baseline.request
        return all(read(request, point) == read(dressed, point) for point in self.credentials)

    def _note_points(self, session: LiveSession) -> None:
        request = self.baseline.request
        found = worth_testing(self._recogniser.recognise(request))
        signed = proof_points(session.identity.sign) if session.identity.sign else ()
        once = (Point(placed.point) for each in session.identity.once for placed in each.values)
        set_here = (point for point in (*self._before, *signed[:1]) if read(request, point) is not None)
        self.credentials = tuple(dict.fromkeys((*found, *set_here)))
        self.kept_out = tuple(dict.fromkeys((*once, *signed)))
        self._proof = (signed[0], read(request, signed[0])) if signed else None

    async def _send_as(self, asked: TestRequest) -> Answer:
        """As another identity; where it cannot be signed in the answer says so: its trouble is not the baseline's."""
        session = self._traffic.sessions.named(asked.identity or "", self.baseline.request)
        if session is not None:
            try:
                await session.challenged(asked.request, self.baseline.id)
                return await self._in_session(session, asked.request, lambda values: self._as(session, asked, values))
            except LoginFailed:
                pass
        return Answer(Exchange(asked.request), SIGNED_OUT)

    def _as(self, session: LiveSession, asked: TestRequest, once: OneTime) -> Request:
        values = session.values(asked.request.host)
        return session.signed(as_other(asked.request, self.credentials, {**values, **once}))

    def _own(self, session: LiveSession, request: Request, once: OneTime) -> Request:
        """Up to date wherever a probe left the session's values alone; signed again where the proof is still there."""
        sent = up_to_date(request, self._before, session.values(request.host))
        for point, value in once.items():
            if read(request, point) == PENDING:
                sent = put(sent, point, value)
        if self._proof is not None and read(request, self._proof[0]) == self._proof[1]:
            sent = session.signed(sent)
        return sent

    async def _in_session(self, session: LiveSession, request: Request, make: Make) -> Answer:
        if not session.one_at_a_time:
            return await self._exchanged(session, request, make)
        async with session.lock:
            return await self._exchanged(session, request, make)

    async def _exchanged(self, session: LiveSession, request: Request, make: Make) -> Answer:
        """Sends when it is its turn and the session lives; once more where the server wants another Digest nonce."""
        for again in (True, False):
            once = await self._turn(session, request)
            answer = await self._traffic.transmit(make(once), self.baseline.id)
            response = answer.exchange.response
            if response is None or not (session.hear(response) and again):
                break
        return answer

    async def _turn(self, session: LiveSession, request: Request) -> OneTime:
        """Waits for its turn with a session that does not end meanwhile, and gives the one-time values."""
        values: OneTime = {}
        for _ in range(MOST_STALE):
            await session.ready(self.baseline.id)
            values = await self._one_time(session, request)
            await self._traffic.turn(self.baseline.id)
            if session.fresh:
                break
        return values

    async def _one_time(self, session: LiveSession, request: Request) -> OneTime:
        values: dict[Point, bytes] = {}
        for once in session.identity.once:
            if wanted(once, request):
                variables = await session.one_time(request, once.steps, self.baseline.id)
                values |= _filled(once, variables)
        return values


def _dressed(session: LiveSession, request: Request, once: OneTime) -> Request:
    return session.signed(put_all(request, {**session.values(request.host), **once}))


def _filled(once: Once, variables: Mapping[str, str]) -> dict[Point, bytes]:
    try:
        return {Point(placed.point): fill(placed.value, variables).encode("utf-8") for placed in once.values}
    except InvalidProfile as error:
        raise LoginFailed(f"one-time value: {error}") from error
