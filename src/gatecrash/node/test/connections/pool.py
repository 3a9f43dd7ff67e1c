"""The connections to one origin: so many requests at once, and those connections that can carry another one."""

import asyncio
from collections import deque

from gatecrash.node.test.connections.connection import TargetConnection
from gatecrash.node.test.connections.http2_target import Http2Target

MAX_IDLE = 15.0

Connection = TargetConnection | Http2Target


class Origin:
    """One origin's pool. only_http1: nothing else is offered to it. speaks_http1: known to speak nothing else, so that
    nobody waits for another's connection.

    closes_kept: it closed a kept connection over a request without an answer, so that nobody knows what came of that.
    opening: a connection that is being made for whoever waits; it may turn out to be shared by all of them.
    spare: it turned out not to be, and the first of them may have it.
    """

    def __init__(self, connections: int, *, only_http1: bool) -> None:
        self.only_http1 = only_http1
        self.speaks_http1 = only_http1
        self.closes_kept = False
        self.opening: asyncio.Task[Connection] | None = None
        self.spare: TargetConnection | None = None
        self._idle: deque[TargetConnection] = deque()
        # Keeps one that is known to be of HTTP/1.x, and reusable.
        self.rest = self._idle.append
        self._shared: list[Http2Target] = []
        self._free = connections
        self._queue: deque[asyncio.Future[None]] = deque()
        self._clock = asyncio.get_running_loop().time

    def enters(self) -> bool:
        """Takes a place if one is free: the common way."""
        if not self._free:
            return False
        self._free -= 1
        return True

    async def enter(self) -> None:
        """Takes a place, in the order of asking. (A semaphore of asyncio costs a tenth of a whole request here.)"""
        if self.enters():
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

    def at_once(self, max_idle: float) -> TargetConnection | None:
        """An idle connection, and a place taken for its request; None where one of them is missing."""
        idle = self._idle
        if not self._free or not idle:
            return None
        now = self._clock()
        oldest, newest = idle[0], idle[-1]
        if oldest.reusable and newest.reusable and now - oldest.idle_since < max_idle:
            idle.pop()  # all are young enough: the common way
            self._free -= 1
            return newest
        connection = self._newest(now, max_idle)
        if connection is not None:
            self._free -= 1
        return connection

    def pooled(self, max_idle: float, *, alone: bool) -> Connection | None:
        """A connection that takes a request now: the one used last, the others age and are dropped."""
        now = self._clock()
        connection = self._newest(now, max_idle)
        if connection is None and self._shared:
            return self._sharing(now - max_idle, alone=alone)
        return connection

    def _newest(self, now: float, max_idle: float) -> TargetConnection | None:
        idle = self._idle
        while idle and not (idle[0].reusable and now - idle[0].idle_since < MAX_IDLE):
            idle.popleft().drop()
        while idle and max_idle:
            connection = idle.pop()
            if connection.reusable and now - connection.idle_since < max_idle:
                return connection
            connection.drop()
        return None

    def _sharing(self, used_after: float, *, alone: bool) -> Http2Target | None:
        for each in self._shared[:]:
            if each.open and not each.busy and each.idle_since < self._clock() - MAX_IDLE:
                each.drop()
            if not each.usable:
                self._shared.remove(each)
        fresh = (each for each in self._shared if each.busy or each.idle_since > used_after)
        return next((each for each in fresh if each.takes(alone=alone)), None)

    def keep(self, connection: Connection) -> None:
        """A connection that can carry another request."""
        if isinstance(connection, TargetConnection):
            if connection.reusable:
                self._idle.append(connection)
        elif connection not in self._shared:
            connection.idle_since = self._clock()
            self._shared.append(connection)

    def drop(self) -> None:
        """Closes all."""
        if self.opening is not None:
            self.opening.cancel()
        if self.spare is not None:
            self.spare.drop()
        while self._idle:
            self._idle.pop().drop()
        while self._shared:
            self._shared.pop().drop()
