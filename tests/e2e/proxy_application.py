"""An application of HTTP/1.1 with a page, JSON, a form, uploads, downloads and a WebSocket, on sockets alone."""

import asyncio
import base64
import hashlib
import json
import ssl
from types import TracebackType
from typing import Self

PAGE = b"""<!doctype html><title>Tea</title><h1>Tea shop</h1>
<form method=post action=/form><input name=tea value=mint><button>Order</button></form>
<script>
async function all() {
  const teas = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(n =>
    fetch('/json?n=' + n, {headers: {Authorization: 'Bearer 0123456789abcdef'}}).then(a => a.json())));
  const upload = await fetch('/upload', {method: 'POST', body: new Uint8Array(3000000)}).then(a => a.json());
  const said = await new Promise((done, failed) => {
    const socket = new WebSocket((location.protocol == 'https:' ? 'wss://' : 'ws://') + location.host + '/ws');
    socket.onopen = () => socket.send('good morning');
    socket.onmessage = message => { socket.close(); done(message.data); };
    socket.onerror = () => failed('the WebSocket broke');
  });
  return {teas: teas.map(tea => tea.n), size: upload.size, said};
}
</script>"""

PIECE = bytes(256 * 1024)
_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Application:
    """Listens on loopback; `held` connections wait at /hold until `release` is set.

    GET / · GET /json · POST /form · POST /upload · GET /download/<bytes> · GET /hold · GET /ws
    """

    def __init__(self, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self.held = 0
        self.release = asyncio.Event()
        self._tls = tls
        self._host = host
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, self._host, 0, ssl=self._tls, backlog=2048)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while True:
                await self._answer(reader, writer)
        except (asyncio.IncompleteReadError, OSError, asyncio.CancelledError):
            pass  # how every connection of a test ends
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if headers.get("expect") == "100-continue":
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        path, _, query = first.split(" ")[1].partition("?")
        if path == "/ws":
            await self._talk(headers, reader, writer)
            return
        size, start = await self._read_body(reader, headers)
        if path.startswith("/download/"):
            await self._download(writer, int(path.rpartition("/")[2]))
            return
        if path == "/hold":
            self.held += 1
            await self.release.wait()
        if path == "/":
            kind, body = "text/html", PAGE
        elif path == "/json":
            known = headers.get("authorization", "").startswith("Bearer ")
            kind, body = "application/json", json.dumps({"n": query.removeprefix("n="), "known": known}).encode()
        elif path == "/form":
            kind, body = "text/html", b"<h1>You ordered " + start + b"</h1>"
        else:
            kind, body = "application/json", json.dumps({"size": size}).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()

    async def _read_body(self, reader: asyncio.StreamReader, headers: dict[str, str]) -> tuple[int, bytes]:
        """Its size and its first bytes."""
        size, start = 0, b""
        if "transfer-encoding" in headers:
            while length := int(await reader.readline(), 16):
                start = (start + await reader.readexactly(length))[:1000]
                size += length
                await reader.readline()
            await reader.readline()
        left = int(headers.get("content-length", "0"))
        while left:
            piece = await reader.read(min(left, len(PIECE)))
            if not piece:
                raise ConnectionResetError
            start = (start + piece)[:1000] if len(start) < 1000 else start
            size, left = size + len(piece), left - len(piece)
        return size, start

    async def _download(self, writer: asyncio.StreamWriter, size: int) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n" % size)
        while size:
            piece = PIECE[:size]
            writer.write(piece)
            await writer.drain()
            size -= len(piece)

    async def _talk(self, headers: dict[str, str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """WebSocket (RFC 6455): says every short message back in capitals until the client closes."""
        proof = base64.b64encode(hashlib.sha1((headers["sec-websocket-key"] + _KEY).encode()).digest()).decode()
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + proof.encode() + b"\r\n\r\n"
        )
        while True:
            kind, size = await reader.readexactly(2)
            mask = await reader.readexactly(4)
            said = bytes(byte ^ mask[at % 4] for at, byte in enumerate(await reader.readexactly(size & 127)))
            answer = said if kind & 15 == 8 else said.upper()
            writer.write(bytes((kind, len(answer))) + answer)
            await writer.drain()
            if kind & 15 == 8:
                raise ConnectionResetError
