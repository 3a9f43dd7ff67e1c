"""The listener's sockets: a small server of HTTP and, at the same port, LDAP; where a zone is given, one of DNS over UDP.

All answer names of ours alone and keep nothing of what they are sent but where it came from and what stood beside the
name. Nobody is authenticated: whoever knows a name was given it by a test.
"""

import asyncio
import logging
import socket
import time
from contextlib import suppress

from gatecrash.core.errors import UserError
from gatecrash.core.testing.out_of_band import DNS, HTTP, LDAP, Hit, Listening, name_in_host, name_in_path
from gatecrash.node.oob.dns_message import answer, read_question
from gatecrash.node.oob.ldap_message import SEARCH, SEQUENCE, read_message
from gatecrash.node.oob.ldap_message import answer as answer_as_directory
from gatecrash.node.oob.lures import Lures
from gatecrash.node.oob.settings import OobSettings, reached_at

log = logging.getLogger(__name__)

MAX_HEAD = 16 * 1024
HEAD_SECONDS = 10.0
# A bind, a search, and what is asked between them.
_MOST_MESSAGES = 5
MOST_CONNECTIONS = 256
_NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Listener:
    """The servers of one node or scan. address: where HTTP is bound; dns_address: where DNS is, "" without a zone."""

    def __init__(self, settings: OobSettings, lures: Lures) -> None:
        self.lures = lures
        self.grace = settings.grace
        self.address = self.dns_address = ""
        self._settings = settings
        self._server: asyncio.Server | None = None
        self._dns: asyncio.DatagramTransport | None = None
        self._connections: set[asyncio.StreamWriter] = set()
        self._listening: Listening | None = None

    @property
    def listening(self) -> Listening:
        """Where targets reach it; known once it listens."""
        assert self._listening is not None
        return self._listening

    async def start(self) -> None:
        """Listens. Raises UserError where an address cannot be had."""
        settings = self._settings
        try:
            self._server = await self._bound()
        except OSError as error:
            raise UserError(
                f"The out-of-band listener cannot listen on {settings.host}:{settings.port}: {error.strerror or error}. "
                "Choose another --oob-listen."
            ) from error
        bound = self._server.sockets[0].getsockname()
        self.address = _joined(bound)
        if self.lures.notebook is not None:
            self.lures.notebook.port = bound[1]
        host, port = reached_at(settings, bound[1])
        self._listening = Listening(host=host, port=port, zone=settings.zone)
        if settings.zone:
            await self._start_dns(await _ipv4(host))
        log.info(
            "out-of-band listener", extra={"address": self.address, "dns": self.dns_address, "zone": settings.zone}
        )

    async def _bound(self) -> asyncio.Server:
        """The HTTP server; where any port will do, on the one of the last start, which payloads that are out name."""
        last = self.lures.notebook.port if self.lures.notebook is not None else 0
        if last and not self._settings.port:
            with suppress(OSError):
                return await asyncio.start_server(self._serve, self._settings.host, last, limit=MAX_HEAD)
        return await asyncio.start_server(self._serve, self._settings.host, self._settings.port, limit=MAX_HEAD)

    async def close(self) -> None:
        """Ends both servers and drops who is connected."""
        if self._dns is not None:
            self._dns.close()
        if self._server is not None:
            self._server.close()
            for writer in list(self._connections):
                writer.transport.abort()
            await self._server.wait_closed()
        self.lures.stop()

    async def _start_dns(self, address: str) -> None:
        settings = self._settings
        loop = asyncio.get_running_loop()
        try:
            self._dns, _ = await loop.create_datagram_endpoint(
                lambda: _Dns(settings.zone, address, self.lures), (settings.dns_host, settings.dns_port)
            )
        except OSError as error:
            raise UserError(
                f"Names of {settings.zone} cannot be answered on {settings.dns_host}:{settings.dns_port}: "
                f"{error.strerror or error}. Choose another --oob-dns-listen; ports below 1024 need a privilege."
            ) from error
        bound = self._dns.get_extra_info("sockname")
        self.dns_address = _joined(bound)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request of one connection: of HTTP, or of LDAP, whose first byte no method of HTTP has."""
        ended = self._server is not None and not self._server.is_serving()
        if ended or len(self._connections) >= MOST_CONNECTIONS:
            writer.transport.abort()
            return
        self._connections.add(writer)
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                peer = writer.get_extra_info("peername")
                source = str(peer[0]) if peer else ""
                first = await reader.readexactly(1)
                if first[0] == SEQUENCE:
                    await self._answer_as_directory(first, reader, writer, source)
                else:
                    # An empty line is no request.
                    head = first + (b"" if first == b"\r" else await reader.readuntil(b"\r\n\r\n"))
                    writer.write(self._answer(head, source))
                    await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            self._connections.discard(writer)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _answer_as_directory(
        self, begun: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, source: str
    ) -> None:
        """Until the client has told whom it looks for."""
        for _ in range(_MOST_MESSAGES):
            message = await read_message(reader, begun)
            begun = b""
            if message is None:
                return
            found = name_in_path(f"/{message.base}") if message.kind == SEARCH else None
            if found is not None:
                name, asked = found
                self.lures.hear(Hit(name=name, protocol=LDAP, asked=asked, source=source, at=time.time()))
            writer.write(answer_as_directory(message))
            await writer.drain()

    def _answer(self, head: bytes, source: str) -> bytes:
        method, _, rest = head.partition(b"\r\n")[0].decode("latin-1").partition(" ")
        found = self._name(rest.rpartition(" ")[0], head)
        content = None
        if found is not None:
            name, asked = found
            content = self.lures.hear(Hit(name=name, protocol=HTTP, asked=asked, source=source, at=time.time()))
        if content is None:
            return _NOT_FOUND
        # A comment, so that parsers take it for a document type's or a document's content without an error.
        body = f"<!-- {content} -->\n".encode()
        lines = (
            f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        return lines.encode() + (b"" if method == "HEAD" else body)

    def _name(self, target: str, head: bytes) -> tuple[str, str] | None:
        """The name in the path, else in the Host: a fetcher may have put a path of its own behind the address."""
        if target.startswith("http://"):
            target = "/" + target.removeprefix("http://").partition("/")[2]
        found = name_in_path(target)
        if found is not None:
            return found
        for line in head.split(b"\r\n")[1:]:
            field, _, value = line.partition(b":")
            if field.strip().lower() == b"host":
                host = value.strip().decode("latin-1").partition(":")[0]
                known = name_in_host(host, self._settings.zone)
                return (known[0], known[1] or target.removeprefix("/")[:200]) if known else None
        return None


class _Dns(asyncio.DatagramProtocol):
    """Answers for the zone, a packet at a time."""

    def __init__(self, zone: str, address: str, lures: Lures) -> None:
        self._zone = zone
        self._address = address
        self._lures = lures
        self._transport: asyncio.DatagramTransport

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]  # of this kind here
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        question = read_question(data)
        if question is None:
            return
        found = name_in_host(question.name, self._zone)
        if found is not None:
            name, asked = found
            self._lures.hear(Hit(name=name, protocol=DNS, asked=asked, source=addr[0], at=time.time()))
        self._transport.sendto(answer(data, question, self._zone, self._address), addr)


def _joined(bound: tuple[str, int]) -> str:
    """Host and port as they are written in an address."""
    return f"[{bound[0]}]:{bound[1]}" if ":" in bound[0] else f"{bound[0]}:{bound[1]}"


async def _ipv4(host: str) -> str:
    """The IPv4 address behind a host, for the zone's A records; "" where it has none."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, family=socket.AF_INET)
    except OSError:
        log.warning("the zone's names have no address: the listener's own has no IPv4 one", extra={"host": host})
        return ""
    return str(found[0][4][0])
