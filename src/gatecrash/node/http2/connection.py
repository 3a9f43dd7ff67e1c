"""One HTTP/2 connection as an asyncio protocol: frames in, events out; what is sent waits for its window.

Bounded: a peer may send as much as its windows allow, and they open again only when `credit` says that the bytes went
on; so no more than CONNECTION_WINDOW bytes are ever held for one connection and direction.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import cast

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import DataReceived, Event
from h2.exceptions import FrameTooLargeError, H2Error
from h2.settings import SettingCodes, Settings

from gatecrash.core.message import Headers

STREAM_WINDOW = 256 * 1024
CONNECTION_WINDOW = 1024 * 1024
MAX_STREAMS = 100
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_GOAWAY = 7
_MAX_HEADERS = 256 * 1024


class _Outgoing:
    """What one stream has still to send."""

    __slots__ = ("ended", "pieces", "trailers")

    def __init__(self) -> None:
        self.pieces: deque[tuple[bytes, int]] = deque()
        self.ended = False
        self.trailers: Headers = ()


class Http2Connection(asyncio.Protocol):
    """Either side of a connection. last_stream: set by a GOAWAY: the last stream that the peer still answers.

    Subclasses hear `event`, `sent` and `lost`.
    """

    def __init__(self, *, client: bool) -> None:
        self.last_stream: int | None = None
        self.transport: asyncio.Transport | None = None
        self._frames = _WithoutGoaway(0 if client else len(PREFACE))
        self._paused = False
        self._outgoing: dict[int, _Outgoing] = {}
        config = H2Configuration(
            client_side=client,
            header_encoding=None,
            validate_outbound_headers=False,
            normalize_outbound_headers=False,
            # Applications are read leniently, clients strictly, as in http1.
            validate_inbound_headers=not client,
            normalize_inbound_headers=False,
        )
        self._h2 = H2Connection(config)
        values = {
            SettingCodes.INITIAL_WINDOW_SIZE: STREAM_WINDOW,
            SettingCodes.MAX_CONCURRENT_STREAMS: MAX_STREAMS,
            SettingCodes.MAX_HEADER_LIST_SIZE: _MAX_HEADERS,
        }
        if client:
            values[SettingCodes.ENABLE_PUSH] = 0
        self._h2.local_settings = Settings(client=client, initial_values=values)

    # To be overridden

    def event(self, event: Event) -> None:
        """Something came."""

    def sent(self, source: int, size: int) -> None:
        """So many bytes that were given with this `source` left, or never will."""

    def lost(self, broken: bool) -> None:
        """The connection is gone. broken: the peer broke the protocol."""

    # The transport's events

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected: our preface and settings go first."""
        self.transport = cast("asyncio.Transport", transport)
        self._h2.initiate_connection()
        self._h2.increment_flow_control_window(CONNECTION_WINDOW - 65535)
        self.flush()

    def data_received(self, data: bytes) -> None:
        """Frames."""
        try:
            events = self._h2.receive_data(self._frames.feed(data))
            self.last_stream = self._frames.last_stream
            for event in events:
                self._take(event)
        except (H2Error, ValueError):
            self.flush(pump=False)
            self.end(broken=True)
            return
        self.flush()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - either way it is gone
        """The peer left."""
        if self.transport is not None:
            self.transport = None
            self.lost(False)

    def pause_writing(self) -> None:
        """The peer reads slowly: bodies wait."""
        self._paused = True

    def resume_writing(self) -> None:
        """It caught up."""
        self._paused = False
        self.flush()

    # For the owner

    @property
    def open(self) -> bool:
        """Whether streams can be sent on; new ones, only without a GOAWAY."""
        return self.transport is not None and not self.transport.is_closing()

    @property
    def free_streams(self) -> int:
        """How many more streams the peer takes now."""
        return self._h2.remote_settings.max_concurrent_streams - self._h2.open_outbound_streams

    def start(self, headers: Headers, *, end: bool) -> int:
        """A new stream with its request's headers."""
        stream = self._h2.get_next_available_stream_id()
        self.headers(stream, headers, end=end)
        return stream

    def headers(self, stream: int, headers: Headers, *, end: bool = False) -> None:
        """An (interim) answer's headers, or a request's."""
        self._try(lambda: self._h2.send_headers(stream, list(headers), end_stream=end))

    def data(self, stream: int, piece: bytes, source: int = 0) -> None:
        """A piece of a body; `sent` tells its source when it left."""
        if piece:
            self._outgoing.setdefault(stream, _Outgoing()).pieces.append((piece, source))

    def finish(self, stream: int, trailers: Headers = ()) -> None:
        """The end of a body, behind what waits."""
        outgoing = self._outgoing.setdefault(stream, _Outgoing())
        outgoing.ended, outgoing.trailers = True, trailers

    def reset(self, stream: int, code: int = ErrorCodes.CANCEL) -> None:
        """Gives a stream up."""
        outgoing = self._outgoing.pop(stream, None)
        for piece, source in outgoing.pieces if outgoing is not None else ():
            self.sent(source, len(piece))
        self._try(lambda: self._h2.reset_stream(stream, code))

    def credit(self, stream: int, size: int) -> None:
        """Bytes that came are done with: the peer may send as many more."""
        if size:
            self._try(lambda: self._h2.acknowledge_received_data(size, stream))

    def flush(self, *, pump: bool = True) -> None:
        """Sends what the windows allow."""
        if pump and not self._paused:
            for stream in list(self._outgoing):
                self._pump(stream)
        data = self._h2.data_to_send()
        if data and self.open:
            assert self.transport is not None
            self.transport.write(data)

    def end(self, *, broken: bool = False) -> None:
        """Closes, after what was sent."""
        if self.transport is None:
            return
        transport, self.transport = self.transport, None
        transport.close()
        self.lost(broken)

    def _take(self, event: Event) -> None:
        if isinstance(event, DataReceived):
            # Padding counts for flow control and goes nowhere.
            self.credit(event.stream_id or 0, (event.flow_controlled_length or 0) - len(event.data or b""))
        self.event(event)

    def _pump(self, stream: int) -> None:
        outgoing = self._outgoing[stream]
        while outgoing.pieces:
            piece, source = outgoing.pieces.popleft()
            size = self._room(stream)
            if size < len(piece):
                outgoing.pieces.appendleft((piece[size:], source))
                piece = piece[:size]
            if not piece:
                return
            self._try(partial(self._h2.send_data, stream, piece))
            self.sent(source, len(piece))
        if outgoing.ended:
            self._outgoing.pop(stream, None)
            self._try(lambda: self._end(stream, outgoing.trailers))

    def _room(self, stream: int) -> int:
        """Bytes that may be sent in one frame; a stream that is gone swallows all."""
        try:
            return max(0, min(self._h2.local_flow_control_window(stream), self._h2.max_outbound_frame_size))
        except H2Error:
            return 1 << 62

    def _end(self, stream: int, trailers: Headers) -> None:
        if trailers:
            self._h2.send_headers(stream, list(trailers), end_stream=True)
        else:
            self._h2.end_stream(stream)

    @staticmethod
    def _try(send: Callable[[], None]) -> None:
        """A stream that the peer gave up meanwhile takes nothing more; its reset is told as an event."""
        with suppress(H2Error, ValueError):
            send()


class _WithoutGoaway:
    """Takes GOAWAY frames out: `h2` closes at the first, while streams below its last one go on (RFC 9113 section 6.8)."""

    def __init__(self, preface: int) -> None:
        self.last_stream: int | None = None
        self._held = b""
        self._preface = preface

    def feed(self, data: bytes) -> bytes:
        """The whole frames in what came, without GOAWAY."""
        data = self._held + data
        position = self._preface
        if len(data) < position:
            self._held = data
            return b""
        self._preface = 0
        kept = [data[:position]]
        while len(data) >= position + 9:
            size = int.from_bytes(data[position : position + 3], "big")
            end = position + 9 + size
            if size > 1 << 14:
                # h2 would first wait for all of it (RFC 9113 section 4.2; an HTTP/1.1 answer reads as 4.7 MB).
                raise FrameTooLargeError("A frame is over 16 KiB.")
            if len(data) < end:
                break
            if data[position + 3] == _GOAWAY and size >= 8:
                last = int.from_bytes(data[position + 9 : position + 13], "big") & 0x7FFFFFFF
                self.last_stream = last if self.last_stream is None else min(last, self.last_stream)
                position = end
            else:
                kept.append(data[position:end])
                position = end
        self._held = data[position:]
        return b"".join(kept)


def pseudo(headers: Sequence[tuple[bytes, bytes]] | None) -> tuple[dict[bytes, bytes], Headers]:
    """A head's pseudo headers by their names, and its fields (RFC 9113 section 8.3)."""
    fields = listed(list(headers or ()))
    return (
        {name: value for name, value in fields if name[:1] == b":"},
        tuple((name, value) for name, value in fields if name[:1] != b":"),
    )


def joined_cookies(headers: Headers) -> Headers:
    """Cookie fields, which HTTP/2 clients may split, as the one that it was (RFC 9113 section 8.2.3)."""
    crumbs = [value for name, value in headers if name == b"cookie"]
    if len(crumbs) < 2:
        return headers
    first = next(index for index, (name, _) in enumerate(headers) if name == b"cookie")
    return tuple(
        (name, b"; ".join(crumbs)) if index == first else (name, value)
        for index, (name, value) in enumerate(headers)
        if name != b"cookie" or index == first
    )


def listed(headers: object) -> Headers:
    """h2's header tuples as plain ones."""
    assert isinstance(headers, list)
    return tuple((bytes(name), bytes(value)) for name, value in headers)
