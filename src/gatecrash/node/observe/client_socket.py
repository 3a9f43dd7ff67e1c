"""The client's transport: writes gathered, reading paused for as long as anybody has a reason."""

import asyncio

CONNECTING, UPSTREAM_FULL, PIPELINED = 1, 2, 4
"""Why the client is not read from."""


def address_of(transport: asyncio.BaseTransport) -> str:
    """The client's address without its port, as its exchanges carry it; empty where the transport has none."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) and peer else ""


class ClientSocket:
    """Wraps the transport so that it may be gone at any moment. `put` gathers, `flush` writes once."""

    __slots__ = ("_out", "_pauses", "_transport")

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._out: list[bytes] = []
        self._pauses = 0

    def attach(self, transport: asyncio.Transport) -> None:
        """The connection was made."""
        self._transport = transport

    def detach(self) -> None:
        """The connection is gone."""
        self._transport = None
        self._out.clear()

    def put(self, data: bytes) -> None:
        """Data for the next flush."""
        self._out.append(data)

    def write(self, data: bytes) -> None:
        """One write for all that was put, and for this."""
        if self._out:
            self._out.append(data)
            self.flush()
        elif self._transport is not None:
            self._transport.write(data)

    def flush(self) -> None:
        """One write for all that was put."""
        out = self._out
        if out:
            data = out[0] if len(out) == 1 else b"".join(out)
            out.clear()
            if self._transport is not None:
                self._transport.write(data)

    def release(self) -> asyncio.Transport | None:
        """Gives the transport away, after what was put; None where it is gone."""
        self.flush()
        transport, self._transport = self._transport, None
        if transport is not None and self._pauses and not transport.is_closing():
            transport.resume_reading()
        self._pauses = 0
        return transport

    def close(self) -> None:
        """Closes after what was put."""
        self.flush()
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Drops the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def pause(self, why: int) -> None:
        """Stops reading for a reason."""
        if not self._pauses and self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()
        self._pauses |= why

    def resume(self, why: int) -> None:
        """The reason is gone; reads on where it was the last."""
        if not self._pauses & why:
            return
        self._pauses &= ~why
        if not self._pauses and self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()
