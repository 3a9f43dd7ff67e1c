"""Sends test requests: the target's, headers' and body's bytes exactly as given, over pooled connections, within bounds.

Our own, because most clients normalise the path, order the headers and add their own, and a tester must not.
HTTP/2 is spoken where the target wants it: in TLS where it picks it, in the clear where the baseline was recorded so.
"""

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec

from gatecrash.core.certificates import kind_of_refusal
from gatecrash.core.message import Exchange, Headers, Request
from gatecrash.core.methods import IDEMPOTENT
from gatecrash.core.testing.operations.sockets import opens_socket
from gatecrash.core.testing.probe import Answer
from gatecrash.node.http1.write import request_bytes
from gatecrash.node.test.connections.connection import Bounds, Outcome, TargetConnection
from gatecrash.node.test.connections.destinations import Destinations, NotAllowed, Unresolved
from gatecrash.node.test.connections.dialling import Dialler, Unusable
from gatecrash.node.test.connections.http2_target import Http2Target, fields_of
from gatecrash.node.test.connections.pool import MAX_IDLE, Connection, Origin
from gatecrash.node.test.connections.socket_target import SocketTarget
from gatecrash.node.upstream_proxy import UpstreamProxy

MOMENT = 0.05
MAX_IDLE_UNSAFE = 1.0
"""A request that may not be repeated goes only over a connection that was used a moment ago: servers commonly drop idle
ones after 5 s, and such a drop cannot always be told from a failure."""

MOST_ATTEMPTS = 3
"""Of a request that the target says it has not looked at, the first included."""


Before = Callable[[], Awaitable[None] | None]


class _Sent(NamedTuple):
    """What goes with a request: headers that are not its own, and what must let it pass."""

    extra: Headers
    before: Before | None


def _only_http1(request: Request) -> bool:
    if request.version == "1.0" or opens_socket(request):
        return True
    return request.scheme != "https" and request.version != "2"


def _max_idle(request: Request, origin: Origin) -> float:
    """For how long a connection may have been idle that takes the request; none may where that has lost requests before."""
    if request.method in IDEMPOTENT:
        return MAX_IDLE
    return 0.0 if origin.closes_kept else MAX_IDLE_UNSAFE


async def _told(sending: Awaitable[Outcome]) -> Outcome:
    """What came of it, with what may go wrong while connecting told as a failure."""
    try:
        return await sending
    except TimeoutError:
        return Outcome(failure="timeout")
    except Unusable as unusable:
        return Outcome(failure=unusable.kind)
    except ssl.SSLCertVerificationError as error:
        return Outcome(failure=kind_of_refusal(error.verify_message))
    except ssl.SSLError:
        return Outcome(failure="broken")
    except OSError:
        return Outcome(failure="refused")


def _begun(connection: TargetConnection, request: Request, extra: Headers) -> "asyncio.Future[Outcome]":
    """The request's bytes leave; what came of it, when it is known. What is said through a socket leaves when that is open."""
    if isinstance(connection, SocketTarget):
        request = msgspec.structs.replace(request, body=b"")
    payload, delimited = request_bytes(request, extra)
    delimited = delimited and not isinstance(connection, SocketTarget)
    return connection.ask(payload, request.method, last=not delimited)


class Sender:
    """A pool of connections per origin, for one run.

    connections: how many requests at most to one origin at once; further ones wait for their turn.
    """

    def __init__(
        self,
        destinations: Destinations,
        bounds: Bounds | None = None,
        *,
        connections: int = 64,
        verify_tls: bool = True,
        proxy: UpstreamProxy | None = None,
    ) -> None:
        self.bounds = bounds or Bounds()
        self._destinations = destinations
        self._connections = connections
        self._dialler = Dialler(self.bounds, verify_tls=verify_tls, proxy=proxy)
        self._proxy = proxy
        self._origins: dict[tuple[str, str, int, bool], Origin] = {}
        # The same by what a request says of itself.
        self._by_version: dict[tuple[str, int, str, str], Origin] = {}

    async def send(self, request: Request, extra: Headers = (), before: Before | None = None) -> Answer:
        """Sends one request and reads its answer. Every failure is in the answer; only cancellation raises.

        extra: headers behind the request's own, the run's marker; they are sent and not kept in the exchange.
        before: asked when a connection is there and the bytes would leave, each time they are sent, and awaited where it
        gives something to wait for.
        """
        started = time.time()
        origin = None
        if not opens_socket(request):  # which has a connection of its own
            origin = self._by_version.get((request.host, request.port, request.scheme, request.version))
        connection = origin.at_once(_max_idle(request, origin)) if origin is not None else None
        if origin is None or connection is None:
            outcome = await self._outcome(request, _Sent(extra, before))
        else:
            # The common way, an idle connection to an origin that has a place, waits in no other function: each is walked
            # through again when the answer comes.
            try:
                waited_for = before() if before is not None else None
                if waited_for is not None:
                    await waited_for
                payload, delimited = request_bytes(request, extra)
                outcome = await connection.ask(payload, request.method, last=not delimited)
                if connection.reusable:
                    origin.rest(connection)
                if outcome.failure:
                    outcome = await self._afresh(origin, request, _Sent(extra, before), outcome)
            except asyncio.CancelledError:
                connection.drop()
                raise
            finally:
                origin.leave()
        return Answer(Exchange(request, outcome.response, started, outcome.elapsed), outcome.failure)

    def excludes(self, request: Request) -> bool:
        """Whether nothing may be sent to the request's host, by its name alone."""
        return self._destinations.excludes(request.host, request.port)

    async def reaches(self, request: Request) -> bool:
        """Whether the target takes a connection now; nothing is sent."""
        try:
            address = await self._destinations.find(request.host, request.port)
            async with asyncio.timeout(self.bounds.connect):
                if self._proxy is not None:  # it would take any: only an answer tells whether the target is there
                    return await self._reaches_through(request)
                reader, writer = await asyncio.open_connection(address, request.port)
        except (OSError, NotAllowed, Unresolved):  # TimeoutError is an OSError
            return False
        try:
            # What is being killed may still take a connection for a moment, and drops it.
            async with asyncio.timeout(MOMENT):
                return bool(await reader.read(1))
        except TimeoutError:
            return True
        except OSError:
            return False
        finally:
            writer.transport.abort()
            await asyncio.sleep(0)  # the turn of the loop in which the dropped transport closes its socket

    async def _reaches_through(self, request: Request) -> bool:
        """Whether the proxy opens a tunnel to the target; for plain HTTP, which many keep out of tunnels, whether the proxy is there."""
        try:
            (await self._dialler.dial("", request, only_http1=_only_http1(request))).drop()
        except Unusable:
            return False
        return True

    async def close(self) -> None:
        """Drops all connections."""
        opening = [origin.opening for origin in self._origins.values() if origin.opening is not None]
        for origin in self._origins.values():
            origin.drop()
        self._origins.clear()
        self._by_version.clear()
        await asyncio.gather(*opening, return_exceptions=True)
        await asyncio.sleep(0)  # the turn of the loop in which dropped transports close their sockets

    async def _outcome(self, request: Request, sent: _Sent) -> Outcome:
        try:
            address = self._destinations.pinned(request.host, request.port)
            if address is None:
                address = await self._destinations.find(request.host, request.port)
        except NotAllowed:
            return Outcome(failure="not_allowed")
        except Unresolved:
            return Outcome(failure="refused")
        only_http1 = _only_http1(request)
        outcome = await self._within(address, request, sent, only_http1=only_http1)
        if outcome.needs_http1 and not only_http1:
            outcome = await self._within(address, request, sent, only_http1=True)
        return outcome

    async def _afresh(self, origin: Origin, request: Request, sent: _Sent, failed: Outcome) -> Outcome:
        """What failed over an idle connection, once more over another where it was dropped meanwhile."""
        # Its address was found before a first connection was made.
        address = await self._destinations.find(request.host, request.port)
        return await _told(self._again(origin, address, request, sent, (failed, True)))

    async def _within(self, address: str, request: Request, sent: _Sent, *, only_http1: bool) -> Outcome:
        """Sends when the origin has a place."""
        origin = self._origin(request, only_http1=only_http1)
        if not origin.enters():
            await origin.enter()
        try:
            return await _told(self._attempts(origin, address, request, sent))
        finally:
            origin.leave()

    async def _attempts(self, origin: Origin, address: str, request: Request, sent: _Sent) -> Outcome:
        """Sends over a pooled connection; over a fresh one where what came of it was not this request's doing."""
        max_idle = _max_idle(request, origin)
        if opens_socket(request):
            return await self._ask(origin, await self._dial(origin, address, request), request, sent, alone=True)
        # Alone in HTTP/2: another stream's fault must not take along what may not be repeated.
        alone = request.method not in IDEMPOTENT
        connection = origin.pooled(max_idle, alone=alone)
        pooled = connection is not None
        if connection is None:
            connection = await self._connected(origin, address, request, max_idle, alone=alone)
        outcome = await self._ask(origin, connection, request, sent, alone=alone)
        return await self._again(origin, address, request, sent, (outcome, pooled)) if outcome.failure else outcome

    async def _again(
        self, origin: Origin, address: str, request: Request, sent: _Sent, failed: tuple[Outcome, bool]
    ) -> Outcome:
        """Sends over a fresh connection what failed in a way that was not its doing. failed: how, and whether over a pooled one."""
        idempotent = request.method in IDEMPOTENT
        outcome, pooled = failed
        for attempt in range(1, MOST_ATTEMPTS):
            # What a kept connection lost unread is no failure of any request: browsers send it again, whatever its method.
            stale = pooled and outcome.untouched and outcome.failure == "closed"
            once = (stale and (idempotent or outcome.unread)) or (idempotent and outcome.shared)
            origin.closes_kept |= stale and not once
            if not (outcome.unprocessed or (attempt == 1 and once)):
                break
            try:
                connection, pooled = await self._dial(origin, address, request), False
            except ConnectionRefusedError:
                break  # it went away with this request: it is not one that came when nobody was there
            outcome = await self._ask(origin, connection, request, sent, alone=True)
            if not outcome.failure:
                break
        return outcome

    async def _ask(
        self, origin: Origin, connection: Connection, request: Request, sent: _Sent, *, alone: bool
    ) -> Outcome:
        waited_for = sent.before() if sent.before is not None else None
        if waited_for is not None:
            try:
                await waited_for
            except asyncio.CancelledError:
                origin.keep(connection)
                raise
        extra = sent.extra
        if isinstance(connection, Http2Target):
            return await connection.ask(fields_of(request, extra), request.body, alone=alone)
        try:
            outcome = await _begun(connection, request, extra)
        except asyncio.CancelledError:
            connection.drop()
            raise
        if connection.reusable:
            origin.keep(connection)
        return outcome

    async def _connected(
        self, origin: Origin, address: str, request: Request, max_idle: float, *, alone: bool
    ) -> Connection:
        """A new connection; where it may turn out to be HTTP/2, one for all who wait, as far as it takes them."""
        while not origin.speaks_http1 and not alone:
            if origin.opening is None:
                origin.opening = asyncio.ensure_future(self._open(origin, address, request))
            # Shielded: who waits and is cancelled must not cancel it for the others.
            await asyncio.shield(origin.opening)
            spare, origin.spare = origin.spare, None
            connection = spare or origin.pooled(max_idle, alone=alone)
            if connection is not None:
                return connection
        return await self._dial(origin, address, request)

    async def _open(self, origin: Origin, address: str, request: Request) -> Connection:
        try:
            opened = await self._dial(origin, address, request)
            if isinstance(opened, TargetConnection):
                origin.spare = opened
            return opened
        finally:
            origin.opening = None

    async def _dial(self, origin: Origin, address: str, request: Request) -> Connection:
        connection = await self._dialler.dial(address, request, only_http1=origin.only_http1)
        if isinstance(connection, Http2Target):
            origin.keep(connection)
        else:
            origin.speaks_http1 = True
        return connection

    def _origin(self, request: Request, *, only_http1: bool) -> Origin:
        key = (request.scheme, request.host, request.port, only_http1)
        origin = self._origins.get(key)
        if origin is None:
            origin = self._origins[key] = Origin(self._connections, only_http1=only_http1)
        if only_http1 == _only_http1(request):  # what only turned out to speak nothing else is asked for both
            self._by_version[request.host, request.port, request.scheme, request.version] = origin
        return origin
