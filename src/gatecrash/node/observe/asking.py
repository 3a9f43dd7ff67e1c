"""The way of a client's requests to the application: the connection kept for them, or the one that is being made."""

import asyncio
from typing import TYPE_CHECKING

from gatecrash.node.observe.answer import AnswerSocket
from gatecrash.node.observe.client_socket import CONNECTING
from gatecrash.node.observe.passing import Passing
from gatecrash.node.observe.route import Origin, Refused
from gatecrash.node.observe.upstream_side import Client, UpstreamConnection

if TYPE_CHECKING:
    from gatecrash.node.observe.tap import Tap


class Asking(Client, asyncio.Protocol):
    """The part of a client's connection that asks applications, one connection at a time.

    What is sent while one is being made waits; the client is not read meanwhile, so this holds one read at most.
    """

    def __init__(self, tap: "Tap") -> None:
        self._tap = tap
        self._socket = AnswerSocket()
        self._upstream: UpstreamConnection | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._pending: list[bytes] = []

    def upstream(self, origin: Origin) -> UpstreamConnection:
        """The application's side for a connection that was made for this client already."""
        self._upstream = UpstreamConnection(self, origin)
        return self._upstream

    def pause_writing(self) -> None:
        """The client reads slower than the application sends."""
        if self._upstream is not None:
            self._upstream.read(on=False)

    def resume_writing(self) -> None:
        """It caught up."""
        if self._upstream is not None:
            self._upstream.read(on=True)

    def _begin(self, passing: Passing) -> None:
        """Sends the request's head over the kept connection, or starts a new one."""
        upstream = self._upstream
        if upstream is not None and upstream.leads_to(passing.route.origin):
            upstream.ask(passing.head.method, passing.request_head())
            return
        self._drop_upstream()
        self._socket.pause(CONNECTING)
        self._connecting = self._tap.keep(self._connect(passing.route.origin, passing))

    def _to_upstream(self, data: bytes) -> None:
        """Writes, or keeps until connected."""
        if self._connecting is not None:
            self._pending.append(data)
        elif self._upstream is not None:
            self._upstream.write(data)

    async def _connect(self, origin: Origin, passing: Passing) -> None:
        """Connects to the origin; a failure becomes the tap's own answer."""
        try:
            upstream = await self._tap.connect(self, origin)
        except Refused as refused:
            self._connecting = None
            self._socket.resume(CONNECTING)
            self._refuse(refused.status, str(refused))
            return
        except Exception:
            self.abort()
            raise
        self._connecting = None
        self._upstream = upstream
        if not upstream.open:
            # It was closed before we could speak, and its loss was reported before we knew it.
            self._socket.resume(CONNECTING)
            self.upstream_lost(upstream, "closed")
            return
        pending, self._pending = b"".join(self._pending), []
        upstream.ask(passing.head.method, passing.request_head() + pending)
        self._socket.resume(CONNECTING)

    def _drop_upstream(self) -> None:
        upstream, self._upstream = self._upstream, None
        if upstream is not None:
            self._socket.flush()  # it will not tell any more that its read is over
            upstream.drop()
        if self._connecting is not None:
            self._connecting.cancel()
            self._connecting = None

    def _refuse(self, status: int, sentence: str) -> None:
        """The tap's own answer in place of the application's."""
        raise NotImplementedError

    def abort(self) -> None:
        """Drops the client's connection at once."""
        raise NotImplementedError
