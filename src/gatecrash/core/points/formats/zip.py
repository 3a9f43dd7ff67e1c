"""ZIP archives inside a value or as a body: the text files in them, as documents, workbooks and books carry them (docx,
xlsx, epub).

Steps: the member's name, `["post", "multipart", "file", "zip", "word/document.xml"]`. Only members of text are read; pictures
and what is encrypted, split or of 64 bits stay as they are. A member that is written anew keeps its name, its time and its
way of being packed; the others keep every byte, and the directory says where they are now.
References: APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
"""

import struct
import zlib
from bisect import bisect_right
from typing import Final, NamedTuple

from gatecrash.core.points.codec import LIMITS, OPAQUE, Codec, Limits, Part, Unreadable, text
from gatecrash.core.points.naming import distinct

_LOCAL: Final = b"PK\x03\x04"
_LISTED: Final = b"PK\x01\x02"
_ENDING: Final = b"PK\x05\x06"
_END: Final = struct.Struct("<4s4H2LH")
_LOCAL_HEAD: Final = struct.Struct("<4s5H3L2H")
_LISTED_HEAD: Final = struct.Struct("<4s6H3L5H2L")
_STORED, _DEFLATED = 0, 8
_ENCRYPTED: Final = 0x1
_SIZES_BEHIND: Final = 0x8
_RAW: Final = -15  # zlib's window bits for a stream without a head
_LONGEST_COMMENT: Final = 65_535
_MOST_MEMBERS: Final = 500
# Of the parts' kinds: each stands for one member, since the span of each is the whole archive.
_FIRST_KIND: Final = 10
# Longer ones are no texts that somebody wrote; what they hold is a point as a whole.
_LONGEST_OPENED: Final = 64 * 1024
_NOT_TEXT: Final = bytes(code for code in range(0x20) if code not in b"\t\r\n") + b"\x7f"
# What says how an office document is put together and looks, and nothing that a person wrote.
_UNTOUCHED: Final = (".rels", "mimetype")
_MACHINERY: Final = (
    "[Content_Types].xml",
    "styles.xml",
    "settings.xml",
    "Settings.xml",
    "fontTable.xml",
    "manifest.xml",
    "container.xml",
    "workbook.xml",
    "app.xml",
)


class _Member(NamedTuple):
    """An entry of the directory.

    method, packed, size: how it is packed, and its length so and unpacked. listed: where the directory lists it.
    begin, start, finish: its own head, its packed bytes, and where what follows it begins.
    """

    name: bytes
    method: int
    packed: int
    size: int
    listed: int
    begin: int
    start: int
    finish: int


class Zip(Codec):
    """Reads one archive; a member written anew is packed anew."""

    step = "zip"
    first_bytes = b"P"
    telling = True

    def looks(self, data: bytes, /) -> bool:
        """Whether it begins with a member."""
        return data.startswith(_LOCAL)

    def parts(self, data: bytes, limits: Limits, _levels: int, /) -> list[Part]:
        """The members of text, in the order of the directory."""
        allowed = min(limits.decompressed, limits.expansion * len(data))
        parts: list[Part] = []
        for number, member in enumerate(_members(data)):
            if member is None or not member.size:
                continue
            if member.size > allowed:
                raise Unreadable("decompresses to more than is read")
            value = _unpacked(data, member)
            allowed -= len(value)
            if value.translate(None, _NOT_TEXT) != value:
                continue
            name = text(member.name)
            if name.endswith(_UNTOUCHED):
                continue
            closed = len(value) > _LONGEST_OPENED or name.endswith(_MACHINERY) or "/theme/" in name
            # Writing one moves the others, so that its span is the whole; the kind says which one it is.
            inner = OPAQUE if closed else 0
            parts.append(Part((name,), 0, len(data), value, 0, len(data), _FIRST_KIND + number, inner))
        return distinct(parts)

    def encode(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """The archive with the member written anew."""
        return _rewritten(data, part.kind - _FIRST_KIND, value)

    def insert(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """The same: there is no other way to hold a value."""
        return self.encode(data, part, value)

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The archive with the member empty: what lists its members would miss it."""
        return self.encode(data, part, b"")


def _members(data: bytes) -> list[_Member | None]:
    """What the directory lists; None for what cannot be read. Raises Unreadable."""
    directory, heads = _heads(data)
    begins = sorted({*(head[15] for _, head in heads), directory})
    return [_member(data, at, head, begins) for at, head in heads]


def _heads(data: bytes) -> tuple[int, list[tuple[int, tuple[int, ...]]]]:
    """Where the directory begins, and each of its entries: where it is and what it says. Raises Unreadable."""
    directory, count = _directory(data)
    at = directory
    heads: list[tuple[int, tuple[int, ...]]] = []
    for _ in range(count):
        if at + _LISTED_HEAD.size > len(data) or data[at : at + 4] != _LISTED:
            raise Unreadable("an archive whose directory is broken")
        head = _LISTED_HEAD.unpack_from(data, at)[1:]
        heads.append((at, head))
        at += _LISTED_HEAD.size + head[9] + head[10] + head[11]
    if len({head[15] for _, head in heads if head[15] < directory}) != count:
        raise Unreadable("an archive whose members lie in each other or nowhere")
    return directory, heads


def _directory(data: bytes) -> tuple[int, int]:
    """Where the directory begins, and how many members it lists. Raises Unreadable."""
    at = data.rfind(_ENDING, max(0, len(data) - _LONGEST_COMMENT - _END.size))
    if at < 0 or at + _END.size > len(data):
        raise Unreadable("an archive without its directory")
    disk, first_disk, here, count, size, directory, _ = _END.unpack_from(data, at)[1:]
    if disk or first_disk or here != count or count > _MOST_MEMBERS or directory + size != at:
        raise Unreadable("an archive of a kind that is not read")
    return directory, count


def _member(data: bytes, listed: int, head: tuple[int, ...], begins: list[int]) -> _Member | None:
    flags, method, packed, size, begin = head[2], head[3], head[7], head[8], head[15]
    if begin + _LOCAL_HEAD.size > len(data) or data[begin : begin + 4] != _LOCAL:
        return None
    named, more = _LOCAL_HEAD.unpack_from(data, begin)[9:]
    start = begin + _LOCAL_HEAD.size + named + more
    finish = begins[bisect_right(begins, begin)]
    if flags & _ENCRYPTED or method not in (_STORED, _DEFLATED) or start + packed > finish:
        return None
    name = data[listed + _LISTED_HEAD.size : listed + _LISTED_HEAD.size + head[9]]
    return _Member(name, method, packed, size, listed, begin, start, finish)


def _unpacked(data: bytes, member: _Member) -> bytes:
    """What the member holds. Raises Unreadable where that is not what the directory says."""
    packed = data[member.start : member.start + member.packed]
    if member.method == _DEFLATED:
        engine = zlib.decompressobj(_RAW)
        try:
            packed = engine.decompress(packed, member.size + 1)
        except zlib.error as error:
            raise Unreadable("a member that is broken") from error
    if len(packed) != member.size:
        raise Unreadable("a member of another length than the directory says")
    return packed


def _rewritten(data: bytes, number: int, value: bytes) -> bytes:
    """The archive with another value in one member, and a directory that is true of it."""
    directory, heads = _heads(data)
    member = _members(data)[number]
    assert member is not None  # it was read
    packed = _packed(value) if member.method == _DEFLATED else value
    facts = (zlib.crc32(value), len(packed), len(value))
    head = list(_LOCAL_HEAD.unpack_from(data, member.begin))
    head[2] &= ~_SIZES_BEHIND
    head[6:9] = facts
    names = data[member.begin + _LOCAL_HEAD.size : member.start]
    local = _LOCAL_HEAD.pack(*head) + names + packed
    moved = len(local) - (member.finish - member.begin)
    tail = bytearray(data[directory:])
    for at, said in heads:
        _renew(tail, at - directory, moved if said[15] > member.begin else 0, facts if at == member.listed else None)
    end = len(tail) - (len(data) - data.rfind(_ENDING))
    struct.pack_into("<L", tail, end + 16, directory + moved)
    return data[: member.begin] + local + data[member.finish : directory] + bytes(tail)


def _renew(tail: bytearray, at: int, moved: int, facts: tuple[int, int, int] | None) -> None:
    """Say in the directory where a member is now, and what is in it where that is new."""
    head = list(_LISTED_HEAD.unpack_from(tail, at))
    head[16] += moved
    if facts is not None:
        head[3] &= ~_SIZES_BEHIND
        head[7:10] = facts
    _LISTED_HEAD.pack_into(tail, at, *head)


def _packed(value: bytes) -> bytes:
    engine = zlib.compressobj(6, zlib.DEFLATED, _RAW)
    packed = engine.compress(value) + engine.flush()
    if len(value) <= LIMITS.expansion * len(packed):
        return packed
    # What packs too well would be refused as a bomb by the next reader, ourselves included.
    engine = zlib.compressobj(0, zlib.DEFLATED, _RAW)
    return engine.compress(value) + engine.flush()


ZIP = Zip()
