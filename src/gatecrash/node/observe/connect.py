"""What becomes of a CONNECT: a blind tunnel, or, towards an allowed host, a connection that is looked into.

    client ⇄ TunnelEnd ─ joined ─ TunnelEnd ⇄ application        blind
    client ⇄ TLS ⇄ client_side ⇄ upstream_side ⇄ TLS ⇄ application   intercepted

The application is connected first and asked for what the client offers (SNI and ALPN of its ClientHello), and the
client gets what the application agreed to: so both sides speak one protocol, the one they would speak without us.
"""

import asyncio
import re
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from gatecrash.node.http2.connection import PREFACE
from gatecrash.node.observe.passing import refusal
from gatecrash.node.observe.route import Origin, Refused
from gatecrash.node.observe.tunnel import TunnelEnd
from gatecrash.node.tls.client_hello import ClientHello, NotTls, read_client_hello
from gatecrash.node.tls.handing import serve_tls

if TYPE_CHECKING:
    from gatecrash.node.observe.tap import Tap

HELLO_SECONDS = 30.0
_HTTP1 = re.compile(rb"[A-Z]{3,20} (?:/|\*|https?://)")
_TLS = 0x16
_SETTINGS = b"\x04"


class Connect:
    """One tunnel while it is decided what it becomes. name: the client's connection's."""

    ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"

    def __init__(
        self, tap: "Tap", client: asyncio.Transport, origin: Origin, name: str, rest: bytes, *, eof: bool
    ) -> None:
        self._tap = tap
        self._origin = origin
        self._name = name
        self._changed = asyncio.Event()
        self._near = TunnelEnd(tap.connections, self._changed)
        self._near.take_over(client, rest)
        self._near.eof = eof
        self._far = TunnelEnd(tap.connections, self._changed)
        tap.keep(self._run())

    async def _run(self) -> None:
        try:
            await self._tap.connect_end(self._far, self._origin)
        except Refused as refused:
            self._near.write(refusal(refused.status, str(refused), closing=True, with_body=True))
            self._near.close()
            return
        self._near.write(self.ESTABLISHED)
        try:
            if not self._tap.opens(self._origin) or not await self._look_inside():
                self._near.join(self._far)
        except OSError:
            # Either peer left, or the client does not trust our CA and says so.
            self._give_up()
        except Exception:
            self._give_up()
            raise

    def _give_up(self) -> None:
        self._near.abort()
        self._far.abort()

    async def _look_inside(self) -> bool:
        """Waits for who speaks first; whether this became something else than a blind tunnel."""
        await self._more_than(0)
        greeting = self._far.held
        if greeting and not (greeting[:1] == b"\0" and greeting[3:4] == _SETTINGS):
            return False
        while not self._near.held and not self._ended:
            # An application that speaks HTTP/2 without TLS greets with SETTINGS (RFC 9113 section 3.4).
            self._changed.clear()
            await self._changed.wait()
        first = self._near.held
        if not first:
            return False
        if first[0] == _TLS:
            return await self._look_at_tls()
        if _HTTP1.match(first) or first.startswith(PREFACE[:14]):
            self._put_plain("h2" if first.startswith(b"PRI") else "http/1.1")
            return True
        return False

    async def _look_at_tls(self) -> bool:
        hello = None
        with suppress(NotTls, TimeoutError):
            async with asyncio.timeout(HELLO_SECONDS):
                while (hello := read_client_hello(self._near.held)) is None and not self._ended:
                    await self._more_than(len(self._near.held))
        if hello is None:
            return False
        offered = tuple(name for name in hello.protocols if name in self._tap.protocols)
        if hello.protocols and not offered:
            return False  # TLS around something that is not HTTP
        await self._open(hello, offered)
        return True

    @property
    def _ended(self) -> bool:
        return self._near.lost or self._near.eof or self._far.lost or self._far.eof

    async def _more_than(self, size: int) -> None:
        """Returns when the client has sent more than that, the application anything, or one of them its last."""
        near, far = self._near, self._far
        while not (len(near.held) > size or far.held or self._ended):
            self._changed.clear()
            await self._changed.wait()

    def _put_plain(self, protocol: str) -> None:
        """HTTP without TLS in a tunnel, as browsers send WebSockets and gRPC clients plain calls."""
        origin = Origin("http", self._origin.host, self._origin.port)
        client = self._tap.client(self._name, origin, protocol)
        self._far.give(client.upstream(origin))
        self._near.give(client)

    async def _open(self, hello: ClientHello, offered: tuple[str, ...]) -> None:
        """TLS on both sides. Where the application's cannot be had, each request is answered with the reason."""
        origin = msgspec.structs.replace(self._origin, server_name=hello.server_name)
        far = None
        agreed = "http/1.1" if not offered or "http/1.1" in offered else offered[0]
        with suppress(Refused):
            far, agreed = await self._tap.upgrade(self._far, origin, offered)
        context = self._tap.certified(origin.tls_name, (agreed,) if offered else ())
        near = TunnelEnd(self._tap.connections, self._changed)
        assert self._near.transport is not None
        try:
            inside = await serve_tls(self._near.transport, near, context, self._near.take(), HELLO_SECONDS)
        except OSError:
            self._tap.distrusted(origin.tls_name)
            if far is not None:
                far.abort()
            raise
        finally:
            self._tap.connections.discard(self._near)
        near.connection_made(inside)
        client = self._tap.client(self._name, origin, agreed)
        if far is not None:
            far.give(client.upstream(origin))
        near.give(client)
