"""Sends test requests: the target's, headers' and body's bytes exactly as given, over pooled connections, within bounds.

Our own, because most clients normalise the path, order the headers and add their own, and a tester must not.
HTTP/2 joins here: an origin that wants it gets a connection class of its own beside `TargetConnection`.
"""

import asyncio
import ssl
import time
from collections import deque

from gatecrash.core.message import Exchange, Headers, Request
from gatecrash.core.testing.probe import Answer
from gatecrash.node.http1.write import request_bytes
from gatecrash.node.test.connection import Bounds, Outcome, TargetConnection
from gatecrash.node.test.destinations import Destinations, NotAllowed, Unresolved

IDEMPOTENT = frozenset(("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"))
"""Methods whose repetition does no more than one request (RFC 9110 section 9.2.2)."""

MOMENT = 0.05
MAX_IDLE = 15.0
MAX_IDLE_UNSAFE = 1.0
"""A request that may not be repeated goes only over a connection that was used a moment ago: servers commonly drop idle
ones after 5 s, and such a drop could not be told from a failure."""


class Sender:
    """A pool of connections per origin, for one run.

    connections: how many at most to one origin; further requests wait for their turn.
    """

    def __init__(
        self,
        destinations: Destinations,
        bounds: Bounds | None = None,
        *,
        connections: int = 64,
        verify_tls: bool = True,
    ) -> None:
        self.bounds = bounds or Bounds()
        self._destinations = destinations
        self._connections = connections
        self._tls = _client_context(verify=verify_tls)
        self._origins: dict[tuple[str, str, int], _Origin] = {}

    async def send(self, request: Request, extra: Headers = ()) -> Answer:
        """Sends one request and reads its answer. Every failure is in the answer; only cancellation raises.

        extra: headers behind the request's own, the run's marker; they are sent and not kept in the exchange.
        """
        started = time.time()
        outcome = await self._outcome(request, extra)
        exchange = Exchange(request=request, response=outcome.response, started=started, elapsed=outcome.elapsed)
        return Answer(exchange=exchange, failure=outcome.failure)

    async def reaches(self, request: Request) -> bool:
        """Whether the target takes a connection now; nothing is sent."""
        try:
            address = await self._destinations.find(request.host, request.port)
            async with asyncio.timeout(self.bounds.connect):
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

    async def close(self) -> None:
        """Drops all connections."""
        for origin in self._origins.values():
            origin.drop()
        self._origins.clear()
        await asyncio.sleep(0)  # the turn of the loop in which dropped transports close their sockets

    async def _outcome(self, request: Request, extra: Headers) -> Outcome:
        try:
            address = self._destinations.pinned(request.host, request.port)
            if address is None:
                address = await self._destinations.find(request.host, request.port)
        except NotAllowed:
            return Outcome(failure="not_allowed")
        except Unresolved:
            return Outcome(failure="refused")
        payload, delimited = request_bytes(request, extra)
        origin = self._origin(request)
        await origin.enter()
        try:
            return await self._over(origin, address, request, payload, last=not delimited)
        finally:
            origin.leave()

    async def _over(self, origin: "_Origin", address: str, request: Request, payload: bytes, *, last: bool) -> Outcome:
        """Sends over a pooled connection; once more over a fresh one where the pooled one turns out to be stale."""
        idempotent = request.method in IDEMPOTENT
        connection = origin.pooled(MAX_IDLE if idempotent else MAX_IDLE_UNSAFE)
        pooled = connection is not None
        while True:
            try:
                if connection is None:
                    connection = await self._connect(address, request)
                outcome = await connection.ask(payload, request.method, last=last)
            except asyncio.CancelledError:
                if connection is not None:
                    connection.drop()
                raise
            except TimeoutError:
                return Outcome(failure="timeout")
            except ssl.SSLError:
                return Outcome(failure="broken")
            except OSError:
                return Outcome(failure="refused")
            if connection.reusable:
                origin.idle.append(connection)
            if not (pooled and outcome.untouched and outcome.failure == "closed" and idempotent):
                return outcome
            connection, pooled = None, False

    async def _connect(self, address: str, request: Request) -> TargetConnection:
        tls = request.scheme == "https"
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(self.bounds.connect):
            _, connection = await loop.create_connection(
                lambda: TargetConnection(self.bounds),
                address,
                request.port,
                ssl=self._tls if tls else None,
                server_hostname=request.host if tls else None,
            )
        return connection

    def _origin(self, request: Request) -> "_Origin":
        key = (request.scheme, request.host, request.port)
        origin = self._origins.get(key)
        if origin is None:
            origin = self._origins[key] = _Origin(self._connections)
        return origin


class _Origin:
    """The connections to one origin: so many are used at once, `idle` holds those that wait for another request."""

    def __init__(self, connections: int) -> None:
        self.idle: deque[TargetConnection] = deque()
        self._free = connections
        self._queue: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> None:
        """Takes a place, in the order of asking. (A semaphore of asyncio costs a tenth of a whole request here.)"""
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()  # the place was handed over just now
            raise

    def leave(self) -> None:
        """Hands the place to who waits longest."""
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def pooled(self, max_idle: float) -> TargetConnection | None:
        """The connection used last, if it is fresh enough: the others age and are dropped."""
        now = asyncio.get_running_loop().time()
        while self.idle and not (self.idle[0].reusable and now - self.idle[0].idle_since < MAX_IDLE):
            self.idle.popleft().drop()
        while self.idle:
            connection = self.idle.pop()
            if connection.reusable and now - connection.idle_since < max_idle:
                return connection
            connection.drop()
        return None

    def drop(self) -> None:
        """Closes what waits."""
        while self.idle:
            self.idle.pop().drop()


def _client_context(*, verify: bool) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
