"""A server and a client of HTTP/2 made of `h2` alone, so that they share nothing with what they test."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import h2.config
import h2.connection
import h2.events
import h2.settings

Pairs = list[tuple[bytes, bytes]]


class Speaker(asyncio.Protocol):
    """One connection; events are handed out, windows are opened at once unless `lazy`."""

    def __init__(self, *, client: bool, take: Callable[["Speaker", Any], None]) -> None:
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=client, header_encoding=None))
        self.take = take
        self.lazy = False
        self.transport: Any = None
        self.window_opened = asyncio.Event()
        self.lost = asyncio.Event()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.h2.initiate_connection()
        self.flush()

    def data_received(self, data: bytes) -> None:
        for event in self.h2.receive_data(data):
            if isinstance(event, h2.events.DataReceived) and not self.lazy:
                self.h2.acknowledge_received_data(event.flow_controlled_length or 0, event.stream_id or 0)
            if isinstance(event, h2.events.WindowUpdated | h2.events.RemoteSettingsChanged):
                self.window_opened.set()
            self.take(self, event)
        self.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()
        self.window_opened.set()

    def flush(self) -> None:
        self.transport.write(self.h2.data_to_send())

    async def send(self, stream: int, data: bytes, *, end: bool) -> None:
        """A body, as fast as the windows allow."""
        view = memoryview(data)
        while view and not self.lost.is_set():
            size = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size, len(view))
            if size == 0:
                self.window_opened.clear()
                await self.window_opened.wait()
                continue
            self.h2.send_data(stream, bytes(view[:size]))
            view = view[size:]
            self.flush()
        if end:
            self.h2.end_stream(stream)
            self.flush()


class Call:
    """One request as the server got it, or one answer as the client got it."""

    def __init__(self) -> None:
        self.head: Pairs = []
        self.size = 0
        self.body = b""
        self.trailers: Pairs = []
        self.reset: int | None = None
        self.head_ended = False
        self.done = asyncio.Event()

    def take(self, event: Any) -> None:
        if isinstance(event, h2.events.RequestReceived | h2.events.ResponseReceived):
            self.head = [(bytes(name), bytes(value)) for name, value in event.headers or []]
            self.head_ended = event.stream_ended is not None
        elif isinstance(event, h2.events.DataReceived):
            self.size += len(event.data or b"")
            self.body = (self.body + (event.data or b""))[:1000]
        elif isinstance(event, h2.events.TrailersReceived):
            self.trailers = [(bytes(name), bytes(value)) for name, value in event.headers or []]
        elif isinstance(event, h2.events.StreamReset):
            self.reset = int(event.error_code or 0)
            self.done.set()
        elif isinstance(event, h2.events.StreamEnded):
            self.done.set()


Handler = Callable[[Speaker, int, Call], Awaitable[None]]


class Http2Server:
    """Hands each whole request to the handler; listens in TLS with ALPN h2, or plainly."""

    def __init__(self, handler: Handler, tls: ssl.SSLContext | None = None, streams: int = 100) -> None:
        self.handler = handler
        self.streams = streams
        self.tls = tls
        self.calls: list[Call] = []
        self.speakers: list[Speaker] = []
        self.tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self.server = await asyncio.get_running_loop().create_server(self._speaker, "127.0.0.1", 0, ssl=self.tls)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.close()
        for task in self.tasks:
            task.cancel()
        for speaker in self.speakers:
            speaker.transport.abort()
        await asyncio.sleep(0)

    def _speaker(self) -> Speaker:
        calls: dict[int, Call] = {}

        def take(speaker: Speaker, event: Any) -> None:
            if isinstance(event, h2.events.RequestReceived):
                calls[event.stream_id or 0] = call = Call()
                self.calls.append(call)
            stream = getattr(event, "stream_id", None)
            if stream in calls:
                calls[stream].take(event)
            if isinstance(event, h2.events.StreamEnded):
                task = asyncio.ensure_future(self.handler(speaker, event.stream_id or 0, calls[event.stream_id or 0]))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)

        self.speakers.append(Speaker(client=False, take=take))
        self.speakers[-1].h2.local_settings = h2.settings.Settings(
            client=False, initial_values={h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: self.streams}
        )
        return self.speakers[-1]


class Http2Caller:
    """A client over a transport that exists already or a fresh connection."""

    def __init__(self) -> None:
        self.calls: dict[int, Call] = {}
        self.kept: Any = None
        self.speaker = Speaker(client=True, take=self._take)

    def _take(self, _speaker: Speaker, event: Any) -> None:
        stream = getattr(event, "stream_id", None)
        if stream in self.calls:
            self.calls[stream].take(event)

    def start(self, headers: Pairs, *, end: bool) -> tuple[int, Call]:
        stream = self.speaker.h2.get_next_available_stream_id()
        call = self.calls[stream] = Call()
        self.speaker.h2.send_headers(stream, headers, end_stream=end)
        self.speaker.flush()
        return stream, call


async def through_tunnel(proxy: int, host: str, port: int, tls: ssl.SSLContext | None) -> Http2Caller:
    """A client of HTTP/2 through CONNECT, in TLS or plainly."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy)
    writer.write(f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
    caller = Http2Caller()
    caller.kept = writer  # a StreamWriter that is not referred to any more closes its transport
    loop = asyncio.get_running_loop()
    transport: Any = writer.transport
    if tls is not None:
        transport = await loop.start_tls(transport, caller.speaker, tls, server_hostname=host)
        assert transport.get_extra_info("ssl_object").selected_alpn_protocol() == "h2"
    else:
        transport.set_protocol(caller.speaker)
    caller.speaker.connection_made(transport)
    return caller
