"""The contract of a codec: it says which bytes of its data hold which value, and never writes the data anew.

A codec splices. `parts` reports spans; rewriting replaces one span and leaves every other byte as it came, so what was
odd about a request (blanks, order, escapes, duplicates) stays odd. Data that cannot be read raises Unreadable, which
walking catches; a value that cannot be held raises UnwritableValue, which is the caller's to hear.
"""

from typing import Final

import msgspec

from gatecrash.core.errors import GatecrashError

# What a part's span is made of; codecs add kinds of their own from 10 on.
LEAF: Final = 0
OPAQUE: Final = -1  # for `inner`: nothing is decoded inside
NAMED: Final = 2  # the name of an entry and not its value
CONTAINER: Final = 1  # holds other parts of the same codec; its value is its raw bytes, cut only when asked for


class Limits(msgspec.Struct, frozen=True):
    """Bounds on the work one request can cause.

    body: bytes of a body or any other buffer that is looked into. points: points of one request.
    levels: how deep encodings and structures nest. expansion: decompressed bytes for one compressed byte.
    decompressed: decompressed bytes in all. decoded: bytes that decoders inside values may produce in one walk.
    """

    body: int = 10 * 1024 * 1024
    points: int = 10_000
    levels: int = 32
    expansion: int = 100
    decompressed: int = 10 * 1024 * 1024
    decoded: int = 20 * 1024 * 1024


LIMITS: Final = Limits()


class Unreadable(GatecrashError):
    """The data is not what its codec reads; the text says why, without showing the data."""


class Part(msgspec.Struct, gc=False):
    """One value within a codec's data.

    steps: the walk from the data to the part. start, end: the span that rewriting replaces. value: decoded.
    begin, finish: the span of the whole entry, name and delimiters included, for removal.
    kind: LEAF, CONTAINER or a kind of the codec's own. inner: where in `value` a decoder begins (behind `Bearer `), or OPAQUE.
    """

    steps: tuple[str, ...]
    start: int
    end: int
    value: bytes
    begin: int
    finish: int
    kind: int = LEAF
    inner: int = 0


def cost(part: Part) -> int:
    """How many levels a decoder inside the part is deeper than the part's own codec."""
    return 1 + len(part.steps) // 2


class Codec:
    """One encoding. Subclasses hold no state but what describes the data (a multipart boundary)."""

    step: str = ""
    # Whether a value that looks like this encoding and cannot be read is worth telling: a broken gzip stream is,
    # a text that merely begins with a brace is not.
    telling: bool = False
    # The bytes that a value may begin with to be guessed at all: one look spares most values all others.
    first_bytes: bytes = b""
    # What stands between two entries that have names; None where another entry is more than its own bytes.
    between: bytes | None = None

    def looks(self, data: bytes, /) -> bool:
        """Whether a value is so clearly of this encoding that it is decoded unasked; cheap and conservative."""
        raise NotImplementedError

    def parts(self, data: bytes, limits: Limits, levels: int, /) -> list[Part]:
        """Every part in the order of the data, containers before what they hold.

        levels: how much deeper the walk may go. At most a few more leaves than `limits.points` are reported; the
        caller sees by their number that there were too many. Raises Unreadable.
        """
        raise NotImplementedError

    def encode(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """The bytes that hold the value at the part's span. Raises UnwritableValue."""
        raise NotImplementedError

    def insert(self, _data: bytes, _part: Part, value: bytes, /) -> bytes:
        """The bytes for the part's span where the caller encodes the value himself."""
        return value

    def name(self, _data: bytes, _part: Part, /) -> Part | None:
        """The name of a part's entry, as a part of kind NAMED; None where it has none that could be written."""
        return None

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The data without the part's entry; None where nothing sensible is left and its holder must go too."""
        raise NotImplementedError


def splice(data: bytes, start: int, end: int, piece: bytes) -> bytes:
    """The data with one span replaced."""
    return b"".join((data[:start], piece, data[end:]))


def text(data: bytes) -> str:
    """A name as text: UTF-8, and ISO-8859-1 where it is not UTF-8, so that every name has one."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
