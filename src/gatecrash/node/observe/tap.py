"""The recording tap: a forward proxy, or with an upstream a reverse proxy, that passes traffic on and keeps a copy.

It changes nothing but what RFC 9110 section 7.6 asks of an intermediary, and adds no Via: the application must see what
it would see without us. A loop is noticed by the address it connects to instead.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import msgspec

from gatecrash.core.certificates import refused
from gatecrash.core.errors import NO_TLS, NOT_IN_TLS, UserError
from gatecrash.core.testing.selection.hosts import is_loopback_name, plain
from gatecrash.node.http1.head import RequestHead
from gatecrash.node.journal import place_of
from gatecrash.node.observe.arriving import Arriving
from gatecrash.node.observe.client_side import ClientConnection
from gatecrash.node.observe.http2_side import Http2Client
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.passing import may_pass
from gatecrash.node.observe.route import Origin, Refused, Route, forward, inside, read_authority, reverse
from gatecrash.node.observe.tunnel import Held, TunnelEnd
from gatecrash.node.observe.upstream_side import Client, ForwardedConnection, UpstreamConnection
from gatecrash.node.tls.authority import CertificateAuthority
from gatecrash.node.tls.resuming import ResumingContext
from gatecrash.node.upstream_proxy import UpstreamProxy, lay_tls, open_tunnel

if TYPE_CHECKING:
    from asyncio.trsock import TransportSocket

log = logging.getLogger(__name__)

MAX_TOLD = 100
BACKLOG = 2048


class TapSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Where it listens (port 0: any free one) and what it is.

    upstream: reverse proxy to this origin; None is a forward proxy. credentials: `user:password` that clients of a
    forward proxy must show; required off loopback, or anybody could reach the inner network through it.
    proxy: through which applications are reached; None connects to them directly.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    upstream: Origin | None = None
    proxy: UpstreamProxy | None = None
    credentials: str | None = None
    verify_tls: bool = True
    connect_seconds: float = 10.0
    answer_seconds: float = 300.0
    sweep_seconds: float = 5.0


class Interception(msgspec.Struct, frozen=True):
    """What a forward proxy needs to look into TLS. allows: whether it may, for a host and port."""

    authority: CertificateAuthority
    allows: Callable[[str, int], bool]


class Tap:
    """Listens, and holds the clients' connections. observations: what it saw. protocols: by ALPN, those it can open.

    interception: None tunnels every CONNECT blindly. name: what the names of its clients' connections begin with.
    """

    protocols = ("h2", "http/1.1")

    def __init__(
        self,
        settings: TapSettings,
        observations: Observations,
        interception: Interception | None = None,
        name: str = "tap",
    ) -> None:
        check_listening(settings)
        self._name = name
        self.observations = observations
        self.connections: set[Held] = set()
        self.answer_seconds = settings.answer_seconds
        self._settings = settings
        self._server: asyncio.Server | None = None
        self._own: set[tuple[str, int]] = set()
        self._count = 0
        self._sweeper: asyncio.Task[None] | None = None
        self._interception = interception
        self._tasks: set[asyncio.Task[None]] = set()
        self._contexts: dict[tuple[str, ...], ssl.SSLContext] = {}
        self._told: set[str] = set()

    @property
    def address(self) -> str:
        """Where it listens, as `host:port`."""
        assert self._server is not None
        return address_of(self._server.sockets[0])

    @property
    def port(self) -> int:
        """The bound port."""
        return int(self.address.rpartition(":")[2])

    async def start(self, listening: socket.socket | None = None) -> None:
        """Starts to listen, or takes a socket that does. Raises UserError where the address cannot be bound."""
        settings = self._settings
        loop = asyncio.get_running_loop()
        try:
            if listening is not None:
                self._server = await loop.create_server(self._client, sock=listening, backlog=BACKLOG)
            else:
                self._server = await loop.create_server(self._client, settings.host, settings.port, backlog=BACKLOG)
        except OSError as error:
            raise cannot_listen(settings, error) from error
        self._own = {tuple(each.getsockname()[:2]) for each in self._server.sockets}
        self._sweeper = loop.create_task(self._sweep())

    async def close(self) -> None:
        """Stops listening and drops the connections."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._sweeper
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for connection in list(self.connections):
            connection.abort()
        await asyncio.sleep(0)  # the turn of the loop in which dropped transports close their sockets

    def keep(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs what nobody waits for, until it or the tap ends; a failure is told."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._kept_ended)
        return task

    def _kept_ended(self, task: asyncio.Task[None]) -> None:
        """A failure that is no refusal is a mistake of ours: told by its place, since its text could quote a secret."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("a connection was given up", extra=place_of(error))

    def route(self, head: RequestHead, within: Origin | None = None) -> Route:
        """Where a request goes; within: the origin of the tunnel it came through. Raises Refused."""
        if within is not None:
            return inside(head, within)
        if self._settings.upstream is not None:
            return reverse(head, self._settings.upstream)
        self._check_credentials(head)
        return forward(head)

    def connect_origin(self, head: RequestHead, within: Origin | None) -> Origin:
        """Where a tunnel goes. Raises Refused."""
        if within is not None:
            raise Refused(405, "There is no tunnel inside a tunnel.")
        if self._settings.upstream is not None:
            raise Refused(405, "This is a reverse proxy: it opens no tunnels.")
        self._check_credentials(head)
        return read_authority(head.target, "https")

    async def connect(self, client: Client, origin: Origin) -> UpstreamConnection:
        """A fresh connection to the origin. Raises Refused with a sentence that says what failed."""
        proxy = self._settings.proxy
        if proxy is not None and origin.scheme == "http":
            upstream: UpstreamConnection = ForwardedConnection(client, origin, proxy)
            await self._connect(upstream, origin, None, proxy.host, proxy.port)
            return upstream
        upstream = UpstreamConnection(client, origin)
        await self._reach(upstream, origin, self._context(("http/1.1",)) if origin.scheme == "https" else None)
        return upstream

    async def connect_http2(self, upstream: asyncio.Protocol, origin: Origin) -> None:
        """A fresh connection to the origin for HTTP/2. Raises Refused."""
        transport = await self._reach(upstream, origin, self._context(("h2",)) if origin.scheme == "https" else None)
        tls = transport.get_extra_info("ssl_object")
        if tls is not None and tls.selected_alpn_protocol() != "h2":
            transport.abort()
            raise Refused(502, f"{origin} does not speak HTTP/2, as the client does.")

    async def connect_end(self, end: TunnelEnd, origin: Origin) -> None:
        """A fresh connection to the origin, without TLS, for a tunnel. Raises Refused."""
        await self._reach(end, origin, None)

    async def upgrade(self, end: TunnelEnd, origin: Origin, offered: tuple[str, ...]) -> tuple[TunnelEnd, str]:
        """TLS over the tunnel's connection, and the protocol that the application chose. Raises Refused."""
        seconds = self._settings.connect_seconds
        with _refusing(origin, seconds):
            inner = await lay_tls(end, self._context(offered), origin.tls_name, seconds, self.connections)
        assert inner.transport is not None
        chosen = inner.transport.get_extra_info("ssl_object").selected_alpn_protocol()
        return inner, chosen or "http/1.1"

    def opens(self, origin: Origin) -> bool:
        """Whether tunnels to there are looked into."""
        return self._interception is not None and self._interception.allows(origin.host, origin.port)

    def certified(self, host: str, protocols: tuple[str, ...]) -> ssl.SSLContext:
        """A server's TLS with our certificate for the host."""
        assert self._interception is not None
        return self._interception.authority.context(host, protocols)

    def distrusted(self, host: str) -> None:
        """A client broke off our handshake; told once for each of the first hosts."""
        if host not in self._told and len(self._told) < MAX_TOLD:
            self._told.add(host)
            log.warning(
                "a client broke off TLS: it may not trust this node's CA, which `gatecrash node ca` prints",
                extra={"host": host},
            )

    def client(self, name: str, within: Origin, protocol: str) -> ClientConnection | Http2Client:
        """The client's side inside a tunnel, for the protocol that was agreed."""
        return Http2Client(self, name, within) if protocol == "h2" else ClientConnection(self, name, within)

    async def _reach(self, protocol: asyncio.Protocol, origin: Origin, tls: ssl.SSLContext | None) -> asyncio.Transport:
        """Connects to the origin, through a tunnel where there is an upstream proxy."""
        proxy = self._settings.proxy
        if proxy is None:
            return await self._connect(protocol, origin, tls, origin.host, origin.port)
        seconds = self._settings.connect_seconds
        with _refusing(origin, seconds):
            async with asyncio.timeout(seconds):
                end = await open_tunnel(proxy, origin.host, origin.port, self.connections)
                if tls is not None:
                    end = await lay_tls(end, tls, origin.tls_name, seconds, self.connections)
        transport = end.transport
        assert transport is not None
        self._refuse_itself(transport, origin)
        end.give(protocol)
        return transport

    async def _connect(
        self, protocol: asyncio.Protocol, origin: Origin, tls: ssl.SSLContext | None, host: str, port: int
    ) -> asyncio.Transport:
        loop = asyncio.get_running_loop()
        with _refusing(origin, self._settings.connect_seconds):
            async with asyncio.timeout(self._settings.connect_seconds):
                transport, _ = await loop.create_connection(
                    lambda: protocol,
                    host,
                    port,
                    ssl=tls,
                    server_hostname=origin.tls_name if tls else None,
                )
        self._refuse_itself(transport, origin)
        return transport

    def _refuse_itself(self, transport: asyncio.Transport, origin: Origin) -> None:
        """A connection that leads back to here would lead on for ever. Raises Refused."""
        if self._is_own(transport):
            transport.abort()
            raise Refused(508, f"{origin} is this proxy itself. Point the request at the application instead.")

    def _context(self, protocols: tuple[str, ...]) -> ssl.SSLContext:
        """TLS towards applications, offering these protocols."""
        context = self._contexts.get(protocols)
        if context is None:
            context = ResumingContext.offering(protocols, verify=self._settings.verify_tls)
            self._contexts[protocols] = context
        return context

    def _client(self) -> ClientConnection | Arriving:
        self._count += 1
        name = f"{self._name}-{self._count}"
        upstream = self._settings.upstream
        return ClientConnection(self, name) if upstream is None else Arriving(self, name, upstream)

    def _check_credentials(self, head: RequestHead) -> None:
        credentials = self._settings.credentials
        if credentials is not None and not may_pass(head.headers, credentials):
            raise Refused(407, "This proxy wants a user name and a password (Proxy-Authorization: Basic).")

    def _is_own(self, transport: asyncio.BaseTransport) -> bool:
        """Whether the connection leads back to this listener, also where it listens on all addresses."""
        peer = transport.get_extra_info("peername")
        local = transport.get_extra_info("sockname")
        if peer is None or local is None:
            return False
        return peer[:2] in self._own or (peer[0] == local[0] and peer[1] in self._wildcard_ports())

    def _wildcard_ports(self) -> set[int]:
        return {port for host, port in self._own if host in ("0.0.0.0", "::")}  # noqa: S104 - compared, not bound

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._settings.sweep_seconds)
            for connection in list(self.connections):
                connection.sweep(loop.time())


def check_listening(settings: TapSettings) -> None:
    """Raises UserError where it would be an open proxy (decisions 11)."""
    if settings.upstream is None and settings.credentials is None and not is_loopback_name(plain(settings.host)):
        raise UserError(
            f"A forward proxy on {settings.host} could be used by anybody. Give it credentials (user:password), "
            "listen on 127.0.0.1, or name one --upstream."
        )


def cannot_listen(settings: TapSettings, error: OSError) -> UserError:
    """What to tell a user whose address cannot be bound."""
    return UserError(
        f"The proxy cannot listen on {settings.host}:{settings.port}: {error.strerror or error}. "
        "Choose another port, or 0 for any free one."
    )


def address_of(listening: "socket.socket | TransportSocket") -> str:
    """Where a socket listens, as `host:port`."""
    host, port = listening.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@contextmanager
def _refusing(origin: Origin, seconds: float) -> Iterator[None]:
    """Turns what may go wrong with a connection into Refused."""
    try:
        yield
    except TimeoutError:
        raise Refused(504, f"{origin} could not be connected to within {seconds:g} seconds.") from None
    except (OSError, UnicodeError) as error:
        raise Refused(502, f"{origin} could not be connected to: {_reason(error)}.") from error


def _reason(error: OSError | UnicodeError) -> str:
    """What the system said, without Python's wrapping."""
    if isinstance(error, ssl.SSLCertVerificationError):
        told = error.verify_message.rstrip(".")
        return f"its {refused(told, ', or start the node with --upstream-insecure')} ({told})"
    if isinstance(error, ssl.SSLError):
        if error.reason in NO_TLS:
            return NOT_IN_TLS
        return f"TLS failed ({error.reason})"
    if isinstance(error, OSError):
        return (error.strerror or str(error)).rstrip(".")
    return "its name is not valid"
