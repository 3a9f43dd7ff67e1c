"""What a client of a directory sends, as Java's does (RFC 4511)."""


def _element(tag: int, content: bytes) -> bytes:
    """One element; its length in the long form where the short one is too short."""
    length = len(content)
    return bytes((tag, length) if length < 0x80 else (tag, 0x82, length >> 8, length & 0xFF)) + content


def _message(number: int, operation: bytes) -> bytes:
    return _element(0x30, _element(0x02, bytes((number,))) + operation)


def bind(number: int) -> bytes:
    """Nobody's name and no password."""
    return _message(number, _element(0x60, bytes((2, 1, 3, 4, 0, 0x80, 0))))


def search(number: int, base: str) -> bytes:
    """For the object itself, of any class."""
    rest = bytes.fromhex("0a0100 0a0103 020100 020100 010100") + _element(0x87, b"objectClass") + _element(0x30, b"")
    return _message(number, _element(0x63, _element(0x04, base.encode()) + rest))


def unbind(number: int) -> bytes:
    return _message(number, bytes((0x42, 0)))
