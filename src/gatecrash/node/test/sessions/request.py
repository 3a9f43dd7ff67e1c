"""One request in a session: signed in, its one-time values fetched, sent in its turn, and what its answer renews kept."""

from collections.abc import Callable, Mapping
from functools import partial

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.forms.tokens import doubled, is_called_token, token_headers
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.dressing import put_all, wanted
from gatecrash.core.testing.profiles.profile import Once
from gatecrash.core.testing.profiles.template import fill
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LiveSession, LoginFailed

MOST_STALE = 3
"""So often a request that waited until its session was about to end waits once more."""

OneTime = Mapping[Point, bytes]
Make = Callable[[OneTime], Request]


class Errand:
    """Sends for one baseline."""

    def __init__(self, traffic: Traffic, baseline_id: str) -> None:
        self._traffic = traffic
        self._baseline_id = baseline_id

    async def own(self, request: Request, sender: str = "") -> Answer:
        """A request that carries no credentials of a profile yet, in the run's own session, or in the named sender's.
        Raises LoginFailed.
        """
        session = self._traffic.sessions.own(request, sender)
        if session is None:
            return await self._traffic.send(request, self._baseline_id)
        return await self.plain(session, request)

    async def plain(self, session: LiveSession, request: Request) -> Answer:
        """The same in a session that is named. Raises LoginFailed."""
        await session.ready(self._baseline_id)
        await session.challenged(request, self._baseline_id)
        return await self.run(session, request, lambda once: _dressed(session, request, once))

    async def run(self, session: LiveSession, request: Request, make: Make) -> Answer:
        """What `make` makes of the one-time values that the request wants, at the very moment of sending. Raises LoginFailed."""
        if not session.one_at_a_time:
            return await self._exchanged(session, request, make)
        async with session.lock:
            return await self._exchanged(session, request, make)

    async def _exchanged(self, session: LiveSession, request: Request, make: Make) -> Answer:
        """Sent once more where the server wants another Digest nonce."""
        for again in (True, False):
            once = await self._turn(session, request)
            generation = session.generation
            answer = await self._traffic.transmit(request, self._baseline_id, partial(make, once))
            response = answer.exchange.response
            host = request.host if _is_in(session, answer.exchange.request) else ""
            if response is None or not (session.hear(response, generation, host) and again):
                break
        return answer

    async def _turn(self, session: LiveSession, request: Request) -> OneTime:
        """Waits for its turn with a session that does not end meanwhile, and gives the one-time values."""
        values: OneTime = {}
        for _ in range(MOST_STALE):
            await session.ready(self._baseline_id)
            values = await self._one_time(session, request)
            await self._traffic.turn(self._baseline_id)
            if session.fresh:
                break
        return values

    async def _one_time(self, session: LiveSession, request: Request) -> OneTime:
        values: dict[Point, bytes] = {}
        for once in session.identity.once:
            if wanted(once, request):
                variables = await session.one_time(request, once.steps, self._baseline_id)
                values |= _filled(once, variables)
        return values


def _is_in(session: LiveSession, sent: Request) -> bool:
    """Whether a request carries the session unchanged: under a changed cookie the form tokens are another session's."""
    own = session.values(sent.host).items()
    return all(read(sent, point) == value for point, value in own if not is_called_token(point[-1]))


def _dressed(session: LiveSession, request: Request, once: OneTime) -> Request:
    values = session.values(request.host)
    values = {**values, **doubled(request, token_headers(request), values)}
    return session.signed(put_all(request, {**values, **once}))


def _filled(once: Once, variables: Mapping[str, str]) -> dict[Point, bytes]:
    try:
        return {Point(placed.point): fill(placed.value, variables).encode("utf-8") for placed in once.values}
    except InvalidProfile as error:
        raise LoginFailed(f"one-time value: {error}") from error
