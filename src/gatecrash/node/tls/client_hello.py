"""What a client asks for in its first TLS message: the host's name and the protocols (RFC 8446 section 4.1.2).

Read before the handshake, since what we offer the client depends on what the application agrees to.
"""

import msgspec

from gatecrash.core.errors import GatecrashError

MAX_HELLO = 64 * 1024
_HANDSHAKE = 22
_CLIENT_HELLO = 1
_SERVER_NAME = 0
_ALPN = 16


class NotTls(GatecrashError):
    """The bytes are no ClientHello."""


class ClientHello(msgspec.Struct, frozen=True):
    """server_name: in lower case, "" without SNI (RFC 6066). protocols: as ALPN lists them (RFC 7301)."""

    server_name: str = ""
    protocols: tuple[str, ...] = ()


def read_client_hello(data: bytes) -> ClientHello | None:
    """The ClientHello at the head of a connection; None while more must come. Raises NotTls."""
    message = _message(data)
    if message is None:
        return None
    try:
        return _read(message)
    except IndexError as error:
        raise NotTls("The ClientHello's lengths do not fit.") from error


def _message(data: bytes) -> bytes | None:
    """The handshake message out of its records, which may be several; None while it is not whole."""
    message = b""
    position = 0
    while True:
        if position < len(data) and data[position] != _HANDSHAKE:
            raise NotTls("The first bytes are no TLS handshake.")
        if position + 1 < len(data) and data[position + 1] != 3:
            raise NotTls("The first bytes are no TLS version.")
        if len(data) < position + 5:
            return None
        size = int.from_bytes(data[position + 3 : position + 5], "big")
        record = data[position + 5 : position + 5 + size]
        message += record
        if message and message[0] != _CLIENT_HELLO:
            raise NotTls("The first message is no ClientHello.")
        if len(message) >= 4 and len(message) >= 4 + int.from_bytes(message[1:4], "big"):
            return message[4 : 4 + int.from_bytes(message[1:4], "big")]
        if len(record) < size:
            return None
        if not size or len(message) > MAX_HELLO:
            raise NotTls("The ClientHello is empty or over 64 KiB.")
        position += 5 + size


class _Reader:
    """Takes fields off the front. Raises IndexError where there are too few bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def take(self, size: int) -> bytes:
        if size > len(self.data):
            raise IndexError(size)
        taken, self.data = self.data[:size], self.data[size:]
        return taken

    def vector(self, width: int) -> bytes:
        """A field behind its own length of so many bytes."""
        return self.take(int.from_bytes(self.take(width), "big"))


def _read(message: bytes) -> ClientHello:
    fields = _Reader(message)
    fields.take(2 + 32)  # version and random
    fields.vector(1)  # session
    fields.vector(2)  # cipher suites
    fields.vector(1)  # compression
    name = ""
    protocols: tuple[str, ...] = ()
    extensions = _Reader(fields.vector(2) if fields.data else b"")
    while extensions.data:
        kind = int.from_bytes(extensions.take(2), "big")
        content = _Reader(extensions.vector(2))
        if kind == _SERVER_NAME and content.data:
            names = _Reader(content.vector(2))
            if names.take(1) == b"\0":
                name = names.vector(2).decode("ascii", "replace").lower()
        elif kind == _ALPN:
            protocols = _protocols(_Reader(content.vector(2)))
    return ClientHello(name, protocols)


def _protocols(listed: _Reader) -> tuple[str, ...]:
    found: list[str] = []
    while listed.data:
        found.append(listed.vector(1).decode("ascii", "replace"))
    return tuple(found)
