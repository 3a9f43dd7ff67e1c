"""Bytes passed as they are, both ways: blind CONNECT tunnels, and what a WebSocket becomes."""

import asyncio
from typing import Protocol, cast

from gatecrash.node.observe.back_pressure import set_reading

MAX_HELD = 64 * 1024


class Held(Protocol):
    """What the tap holds: connections and tunnels."""

    def sweep(self, now: float) -> None:
        """Looks whether it hangs. now: the loop's clock."""
        ...

    def abort(self) -> None:
        """Drops it at once."""
        ...


class TunnelEnd(asyncio.Protocol):
    """One end. Until it is joined to another it holds what comes, up to a bound, so that somebody may look at it first.

    changed: set whenever something came or the connection ended. eof, lost: the peer sends no more, is gone.
    held_by: whoever keeps the set takes it out when it is lost.
    """

    def __init__(self, held_by: set[Held], changed: asyncio.Event | None = None) -> None:
        self.held = b""
        self.eof = False
        self.lost = False
        self.transport: asyncio.Transport | None = None
        self._changed = changed or asyncio.Event()
        self._other: TunnelEnd | None = None
        self._held_by = held_by

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected, or taken over."""
        self.transport = cast("asyncio.Transport", transport)
        self._held_by.add(self)

    def take_over(self, transport: asyncio.Transport, data: bytes) -> None:
        """Becomes the protocol of a connection that somebody else has read from; data: what they read too much."""
        transport.set_protocol(self)
        self.connection_made(transport)
        self.held = data

    def give(self, protocol: asyncio.Protocol) -> None:
        """The connection becomes another protocol's, with what was held."""
        transport = self.transport
        assert transport is not None
        self._held_by.discard(self)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        if not transport.is_closing():
            transport.resume_reading()  # before it is handed data, since that may be its reason to pause
        if self.held:
            protocol.data_received(self.take())
        if self.lost or transport.is_closing():
            protocol.connection_lost(None)
        elif self.eof and not protocol.eof_received():
            transport.close()

    def data_received(self, data: bytes) -> None:
        """To the other end, or held."""
        if self._other is not None:
            self._other.write(data)
            return
        self.held += data
        if len(self.held) > MAX_HELD:
            self.read(on=False)
        self._changed.set()

    def eof_received(self) -> bool:
        """Half-closed: the other end hears it and may still send; TLS cannot be half open."""
        self.eof = True
        self._changed.set()
        if self.transport is None or self.transport.get_extra_info("ssl_object") is not None:
            return False
        return self._other is None or self._other.write_eof()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - either way it is gone
        """The other end goes too, after what was written to it."""
        self.lost = True
        self._held_by.discard(self)
        self._changed.set()
        other, self._other = self._other, None
        if other is not None:
            other.close()

    def pause_writing(self) -> None:
        """The peer reads too slowly: the other end is not read meanwhile."""
        if self._other is not None:
            self._other.read(on=False)

    def resume_writing(self) -> None:
        """It caught up."""
        if self._other is not None:
            self._other.read(on=True)

    def join(self, other: "TunnelEnd") -> None:
        """From now on bytes pass between the two, those first that were held."""
        for one, two in ((self, other), (other, self)):
            one._other = two  # noqa: SLF001 - of the same class
        for one, two in ((self, other), (other, self)):
            held, one.held = one.held, b""
            two.write(held)
            one.read(on=True)
            if one.lost:
                two.close()
            elif one.eof:
                two.write_eof()

    def write(self, data: bytes) -> None:
        """To the peer."""
        if data and self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def write_eof(self) -> bool:
        """Closes this direction; false where the transport cannot (TLS), so that all of it must go."""
        if self.transport is None or self.transport.is_closing() or not self.transport.can_write_eof():
            return False
        self.transport.write_eof()
        return True

    def read(self, *, on: bool) -> None:
        """Stops reading, or reads on."""
        set_reading(self.transport, on=on)

    def take(self) -> bytes:
        """What was held, which is now somebody else's."""
        held, self.held = self.held, b""
        return held

    def sweep(self, now: float) -> None:
        """A tunnel may be silent for as long as it likes."""

    def close(self) -> None:
        """Closes after what was written."""
        if self.transport is not None:
            self.transport.close()

    def abort(self) -> None:
        """Drops at once."""
        if self.transport is not None:
            self.transport.abort()


def join(one: asyncio.Transport, one_rest: bytes, two: asyncio.Transport, two_rest: bytes, held_by: set[Held]) -> None:
    """Makes a tunnel of two connections; rest: what was read from each already."""
    near, far = TunnelEnd(held_by), TunnelEnd(held_by)
    near.take_over(one, one_rest)
    far.take_over(two, two_rest)
    near.join(far)
