"""A connection that just came to the reverse proxy: its first bytes tell HTTP/1 from HTTP/2 without TLS.

HTTP/2 with prior knowledge (RFC 9113 section 3.3) is how gRPC clients and meshes speak to a port without TLS. A request
of HTTP/1 can never begin with the preface, so looking at it takes nothing away.
"""

import asyncio
from typing import TYPE_CHECKING

from gatecrash.node.http2.connection import PREFACE
from gatecrash.node.observe.client_side import ClientConnection
from gatecrash.node.observe.http2_side import Http2Client
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tunnel import TunnelEnd

if TYPE_CHECKING:
    from gatecrash.node.observe.tap import Tap

HELLO_SECONDS = 75.0


class Arriving(TunnelEnd):
    """Holds the first bytes until they tell. name: the connection's. upstream: where the reverse proxy leads."""

    def __init__(self, tap: "Tap", name: str, upstream: Origin) -> None:
        super().__init__(tap.connections)
        self._tap = tap
        self._name = name
        self._upstream = upstream
        self._since = asyncio.get_running_loop().time()

    def data_received(self, data: bytes) -> None:
        """Hands the connection over as soon as it is clear to whom; the preface may come in pieces."""
        self.held += data
        begun = self.held[: len(PREFACE)]
        if begun == PREFACE:
            self.give(Http2Client(self._tap, self._name, self._upstream, tunnelled=False))
        elif not PREFACE.startswith(begun):
            self.give(ClientConnection(self._tap, self._name))

    def eof_received(self) -> bool:
        """It left before it said anything."""
        return False

    def sweep(self, now: float) -> None:
        """Nobody may hold a connection without ever saying anything."""
        if now - self._since > HELLO_SECONDS:
            self.close()
