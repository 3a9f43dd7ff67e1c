"""Connects to a target and finds out what it speaks: by ALPN in TLS, in the clear by what was recorded.

RFC 9113 section 3: in TLS the target picks from what we offer; without TLS a client must know that HTTP/2 is spoken, and
we know it where the baseline was recorded so.
"""

import asyncio
import ssl
from contextlib import suppress
from typing import cast

from gatecrash.core.errors import TargetError
from gatecrash.core.message import Request
from gatecrash.core.testing.operations.sockets import opens_socket
from gatecrash.node.http1.body import request_body
from gatecrash.node.http1.head import BrokenMessage, end_of_head, read_request_head
from gatecrash.node.test.connections.connection import Bounds, Outcome, Repeated, TargetConnection
from gatecrash.node.test.connections.http2_target import Http2Target
from gatecrash.node.test.connections.pool import Connection
from gatecrash.node.test.connections.socket_target import SocketTarget
from gatecrash.node.upstream_proxy import UpstreamProxy, lay_tls, open_tunnel


class Unusable(TargetError):
    """Connected, but no request can be sent. kind: a kind of failure, as an Answer has it."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Dialler:
    """Makes connections within the bounds."""

    def __init__(self, bounds: Bounds, *, verify_tls: bool, proxy: UpstreamProxy | None = None) -> None:
        """proxy: through which targets are reached; None connects to them directly."""
        self._bounds = bounds
        self._proxy = proxy
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
        socket = SocketTarget(self._bounds, request.body) if opens_socket(request) else None
        chooser = _Chooser(self._bounds, self._repeated, http2=known, socket=socket)
        try:
            async with asyncio.timeout(self._bounds.connect):
                context = self.context(only_http1=only_http1) if tls else None
                if self._proxy is None:
                    await asyncio.get_running_loop().create_connection(
                        lambda: chooser,
                        address,
                        request.port,
                        ssl=context,
                        server_hostname=request.host if tls else None,
                    )
                elif tls or known or socket is not None:
                    await self._through(self._proxy, chooser, request, context)
                else:
                    return await self._forwarded(self._proxy, request)
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

    async def _through(
        self, proxy: UpstreamProxy, chooser: "_Chooser", request: Request, context: ssl.SSLContext | None
    ) -> None:
        """Through a tunnel; the proxy is told the name, as most look at names."""
        end = await open_tunnel(proxy, request.host, request.port)
        if context is not None:
            end = await lay_tls(end, context, request.host, self._bounds.connect)
        end.give(chooser)

    async def _forwarded(self, proxy: UpstreamProxy, request: Request) -> Connection:
        """To the proxy itself, which is asked in absolute form."""
        made = ForwardedTarget(self._bounds, proxy, request.host, request.port)
        await asyncio.get_running_loop().create_connection(lambda: made, proxy.host, proxy.port)
        return made


class ForwardedTarget(TargetConnection):
    """A target of plain HTTP through an upstream proxy. What others of it answered is not known here: proxies add to it."""

    def __init__(self, bounds: Bounds, proxy: UpstreamProxy, host: str, port: int) -> None:
        super().__init__(bounds)
        self._proxy = proxy
        self._host = host
        self._port = port

    def ask(self, payload: bytes, method: str, *, last: bool) -> "asyncio.Future[Outcome]":
        """As TargetConnection has it. What could lead the proxy elsewhere is not sent: only this host was allowed."""
        forwarded = self._absolute(payload)
        if forwarded is None:
            self.drop()
            future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
            future.set_result(Outcome(failure="not_allowed"))
            return future
        return super().ask(forwarded, method, last=last)

    def _absolute(self, payload: bytes) -> bytes | None:
        """The bytes of a request as a proxy takes them; None where they hold more than one, since the second could go anywhere."""
        with suppress(ValueError, BrokenMessage):
            if is_one_request(payload):
                return self._proxy.absolute(payload, self._host, self._port)
        return None


def is_one_request(payload: bytes) -> bool:
    """Whether a proxy sees one request in these bytes and no more. Raises BrokenMessage where it may see anything."""
    ends = end_of_head(payload)
    if ends is None:
        return False
    body = request_body(read_request_head(payload[: ends[0]]))
    rest = payload[ends[1] :]
    if not body.done:
        _, rest = body.feed(rest)
    return body.done and not rest


async def _settled(connection: Http2Target) -> None:
    """Waits for the target's settings: only then is it known how many streams it takes at once."""
    failure = await asyncio.shield(connection.ready)
    if failure or connection.free_streams <= 0:
        raise Unusable(failure or "closed")


class _Chooser(asyncio.Protocol):
    """Stands in until it is connected, then lets the protocol that was agreed take over."""

    def __init__(self, bounds: Bounds, repeated: Repeated, *, http2: bool, socket: SocketTarget | None) -> None:
        """socket: what takes over where a WebSocket is asked for, which stands for one connection alone."""
        self.chosen: Connection | None = None
        self._socket = socket
        self._bounds = bounds
        self._repeated = repeated
        self._http2 = http2

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        tls = transport.get_extra_info("ssl_object")
        http2 = self._http2 if tls is None else tls.selected_alpn_protocol() == "h2"
        plain = self._socket or TargetConnection(self._bounds, self._repeated)
        self.chosen = Http2Target(self._bounds) if http2 else plain
        cast("asyncio.Transport", transport).set_protocol(self.chosen)
        self.chosen.connection_made(transport)

    # What a tunnel held already comes here, since it knows this one only.

    def data_received(self, data: bytes) -> None:
        assert self.chosen is not None
        self.chosen.data_received(data)

    def eof_received(self) -> bool | None:
        assert self.chosen is not None
        return self.chosen.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.chosen is not None:
            self.chosen.connection_lost(exc)


def _client_context(protocols: list[str], *, verify: bool) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(protocols)
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
