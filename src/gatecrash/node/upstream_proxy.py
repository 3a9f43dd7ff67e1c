"""Another proxy on the way to applications, as many companies have one: CONNECT for TLS, absolute form for plain HTTP.

The proxy resolves the names of targets. Which hosts are allowed is decided before and by their names; the proxy itself need
not be among them.
"""

import asyncio
import base64
import ssl
from urllib.parse import unquote, urlsplit

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.node.http1.head import BrokenMessage, end_of_head, read_response_head
from gatecrash.node.observe.tunnel import MAX_HELD, Held, TunnelEnd

DEFAULT_PORT = 3128


class UpstreamProxy(msgspec.Struct, frozen=True, array_like=True):
    """Where it listens. credentials: `user:password`, or "" where it wants none."""

    host: str
    port: int = DEFAULT_PORT
    credentials: str = ""

    def __repr__(self) -> str:
        """Without the password: settings end up in logs and tracebacks."""
        return f"UpstreamProxy({self})"

    def __str__(self) -> str:
        """For messages."""
        return authority(self.host, self.port)

    @property
    def url(self) -> str:
        """Its address, without the credentials."""
        return f"http://{self}"

    @property
    def pair(self) -> tuple[str, str] | None:
        """User name and password."""
        user, _, password = self.credentials.partition(":")
        return (user, password) if user else None

    @property
    def header(self) -> bytes:
        """Proxy-Authorization as a line behind its line end; empty without credentials."""
        if not self.credentials:
            return b""
        return b"\r\nProxy-Authorization: Basic " + base64.b64encode(self.credentials.encode())

    def absolute(self, data: bytes, host: str, port: int) -> bytes:
        """A request to a server of plain HTTP, as the proxy takes it (RFC 9112 section 3.2.2). data: its head at least.

        Nothing else of it changes. Raises ValueError where the target could lead the proxy elsewhere.
        """
        end = data.find(b"\r\n")
        method, _, rest = data[:end].partition(b" ")
        target, _, version = rest.rpartition(b" ")
        if b"\n" in rest or not version.startswith(b"HTTP/1.") or not (target == b"*" or target.startswith(b"/")):
            raise ValueError("only a path can be asked for through an upstream proxy")
        path = b"" if target == b"*" else target
        there = b"http://" + authority(host, port).encode() + path
        return b"%b %b %b%b%b" % (method, there, version, self.header, data[end:])


def authority(host: str, port: int) -> str:
    """`host:port`, an address of IPv6 in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def read_upstream_proxy(url: str) -> UpstreamProxy:
    """What `--upstream-proxy` names. Raises UserError, which never quotes the password."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UserError("--upstream-proxy is no valid address; write http://host:port.") from None
    if parts.scheme != "http" or not parts.hostname or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise UserError("--upstream-proxy wants an address such as http://proxy.example.com:3128 (no https, no SOCKS).")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if parts.username is not None and (not user or ":" in user):
        raise UserError("--upstream-proxy has no user name that can be sent; write http://user:password@host:port.")
    return UpstreamProxy(parts.hostname, port or DEFAULT_PORT, f"{user}:{password}" if user else "")


async def open_tunnel(proxy: UpstreamProxy, host: str, port: int, held_by: set[Held] | None = None) -> TunnelEnd:
    """A connection through the proxy to there, which holds what came already. Raises OSError with what went wrong."""
    changed = asyncio.Event()
    end = TunnelEnd(set() if held_by is None else held_by, changed)
    await asyncio.get_running_loop().create_connection(lambda: end, proxy.host, proxy.port)
    try:
        there = authority(host, port).encode()
        end.write(b"CONNECT %b HTTP/1.1\r\nHost: %b%b\r\n\r\n" % (there, there, proxy.header))
        await _agreed(end, changed, proxy)
    except BaseException:
        end.abort()
        raise
    return end


async def lay_tls(
    end: TunnelEnd, context: ssl.SSLContext, name: str, seconds: float, held_by: set[Held] | None = None
) -> TunnelEnd:
    """TLS over a tunnel. Raises OSError (ssl.SSLError is one)."""
    inner = TunnelEnd(set() if held_by is None else held_by)
    assert end.transport is not None
    try:
        transport = await asyncio.get_running_loop().start_tls(
            end.transport, inner, context, server_hostname=name, ssl_handshake_timeout=seconds
        )
    except BaseException:
        end.abort()
        raise
    if transport is None:
        raise ConnectionAbortedError("it closed the connection during the TLS handshake")
    if held_by is not None:
        held_by.discard(end)
    inner.connection_made(transport)
    return inner


async def _agreed(end: TunnelEnd, changed: asyncio.Event, proxy: UpstreamProxy) -> None:
    """Returns when the proxy has agreed to CONNECT; what came behind its answer stays held. Raises OSError."""
    while (ends := end_of_head(end.held)) is None:
        if end.lost or end.eof or len(end.held) > MAX_HELD:
            raise ConnectionAbortedError(f"the upstream proxy {proxy} gave no answer to CONNECT")
        changed.clear()
        await changed.wait()
    held = end.take()
    end.held = held[ends[1] :]
    try:
        status = read_response_head(held[: ends[0]]).status
    except BrokenMessage as error:
        raise ConnectionAbortedError(f"the upstream proxy {proxy} answered with something that is not HTTP") from error
    if not 200 <= status < 300:
        raise ConnectionRefusedError(f"the upstream proxy {proxy} refused it with {status}")
