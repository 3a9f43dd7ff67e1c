"""Connects to a target and finds out what it speaks: by ALPN in TLS, in the clear by what was recorded.

RFC 9113 section 3: in TLS the target picks from what we offer; without TLS a client must know that HTTP/2 is spoken, and
we know it where the baseline was recorded so.
"""

import asyncio
import ssl
from typing import cast

from gatecrash.core.errors import TargetError
from gatecrash.core.message import Request
from gatecrash.node.test.connection import Bounds, Repeated, TargetConnection
from gatecrash.node.test.http2_target import Http2Target
from gatecrash.node.test.pool import Connection


class Unusable(TargetError):
    """Connected, but no request can be sent. kind: a kind of failure, as an Answer has it."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Dialler:
    """Makes connections within the bounds."""

    def __init__(self, bounds: Bounds, *, verify_tls: bool) -> None:
        self._bounds = bounds
        self._verify_tls = verify_tls
        self._contexts: dict[bool, ssl.SSLContext] = {}
        self._repeated: Repeated = {}

    def context(self, *, only_http1: bool) -> ssl.SSLContext:
        """What is offered in TLS. Made when it is first wanted: reading the system's authorities takes 80 ms."""
        context = self._contexts.get(only_http1)
        if context is None:
            offered = ["http/1.1"] if only_http1 else ["h2", "http/1.1"]
            context = self._contexts[only_http1] = _client_context(offered, verify=self._verify_tls)
        return context

    async def dial(self, address: str, request: Request, *, only_http1: bool) -> Connection:
        """A connection that takes a request. Raises TimeoutError, OSError (ssl.SSLError is one), Unusable."""
        tls = request.scheme == "https"
        known = not tls and not only_http1 and request.version == "2"
        chooser = _Chooser(self._bounds, self._repeated, http2=known)
        try:
            async with asyncio.timeout(self._bounds.connect):
                await asyncio.get_running_loop().create_connection(
                    lambda: chooser,
                    address,
                    request.port,
                    ssl=self.context(only_http1=only_http1) if tls else None,
                    server_hostname=request.host if tls else None,
                )
                connection = chooser.chosen
                if isinstance(connection, Http2Target):
                    await _settled(connection)
        except BaseException:
            if isinstance(chooser.chosen, Http2Target):
                chooser.chosen.drop()
            raise
        if connection is None:
            raise Unusable("closed")
        return connection


async def _settled(connection: Http2Target) -> None:
    """Waits for the target's settings: only then is it known how many streams it takes at once."""
    failure = await asyncio.shield(connection.ready)
    if failure or connection.free_streams <= 0:
        raise Unusable(failure or "closed")


class _Chooser(asyncio.Protocol):
    """Stands in until it is connected, then lets the protocol that was agreed take over."""

    def __init__(self, bounds: Bounds, repeated: Repeated, *, http2: bool) -> None:
        self.chosen: Connection | None = None
        self._bounds = bounds
        self._repeated = repeated
        self._http2 = http2

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        tls = transport.get_extra_info("ssl_object")
        http2 = self._http2 if tls is None else tls.selected_alpn_protocol() == "h2"
        self.chosen = Http2Target(self._bounds) if http2 else TargetConnection(self._bounds, self._repeated)
        cast("asyncio.Transport", transport).set_protocol(self.chosen)
        self.chosen.connection_made(transport)


def _client_context(protocols: list[str], *, verify: bool) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(protocols)
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
