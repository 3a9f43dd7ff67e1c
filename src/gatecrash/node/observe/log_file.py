"""A log that grows and is rotated, read from where it was left: whole lines, each once, across restarts.

A place in a log is its file (inode), the offset, and a keyed digest of the bytes before it: a file that was renamed is
found again by its inode, one that was copied and truncated by the digest. So nothing is lost or read twice

- when the log is renamed and begun anew: the old file is read to its end, then those that followed, oldest first;
- when it is copied and truncated: the rest is read from the copy, then the log from its beginning;
- when this happens while nobody reads, as long as the rotated files lie beside the log and are not compressed.

The digest, not the bytes, is kept on the disk: a log line may hold a credential.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec

CHUNK = 64 * 1024
MAX_LINE = 1024 * 1024
# Enough for a whole line with its time: the ends of lines are alike where the same is asked again and again.
TAIL = 4096
_DIGEST = 16
# After a rotation the writer goes on with the old file until it is told: for so many empty looks the old one is kept.
LOOKS = 5


class LogPosition(msgspec.Struct, frozen=True, array_like=True):
    """How far a log was read. tail: keyed digest of up to 4 KiB before the offset."""

    inode: int
    offset: int
    tail: bytes


class Chunk(msgspec.Struct, frozen=True):
    """Whole lines, and the position behind them. overlong: lines over 1 MiB that were passed over."""

    lines: list[bytes]
    position: LogPosition
    overlong: int = 0


class LogFile:
    """One log. Its methods block on the disk. restarted: how often its continuation was not found, so lines may be lost."""

    def __init__(self, path: Path, key: bytes, position: LogPosition | None = None) -> None:
        """Go on at the position; without one begin at the file's beginning. key: of the digests."""
        self.path = path
        self.restarted = 0
        self._key = key[:64]
        self._file: IO[bytes] | None = None
        self._inode = 0
        self._offset = 0
        self._tail = b""
        self._left = position
        self._live = False
        self._empty_looks = 0
        self._skipping = False

    def close(self) -> None:
        """Lets go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def read(self) -> Chunk | None:
        """The next whole lines; None where there are none now.

        Raises OSError where the log cannot be read; a log that is not there yet has no lines.
        """
        if self._file is None and not self._begin():
            return None
        assert self._file is not None
        chunk = self._lines(self._file)
        if chunk is not None:
            self._empty_looks = 0
            return chunk
        return self._end_of(self._file)

    def _begin(self) -> bool:
        """Opens the file in which to go on; False where there is none yet."""
        left, self._left = self._left, None
        if left is None:
            return self._open(self.path, 0)
        for path in (self.path, *_siblings(self.path)):
            if self._holds(path, left):
                return self._open(path, left.offset)
        if not self.path.exists():
            self._left = left
            return False
        self.restarted += 1
        return self._open(self.path, 0)

    def _holds(self, path: Path, left: LogPosition) -> bool:
        """Whether this is the file that was left there: by its inode and what lies before, or as a copy of it."""
        try:
            with path.open("rb") as file:
                inode, size = _facts(file)
                if size < left.offset or (inode != left.inode and not left.offset):
                    return False
                return self._digest(_before(file, left.offset)) == left.tail
        except OSError:
            return False

    def _open(self, path: Path, offset: int) -> bool:
        self.close()
        try:
            self._file = path.open("rb", buffering=0)
        except FileNotFoundError:
            return False
        self._inode = _facts(self._file)[0]
        self._live = path == self.path
        self._offset = offset
        self._tail = _before(self._file, offset)
        self._skipping = False
        self._empty_looks = 0
        return True

    def _lines(self, file: IO[bytes]) -> Chunk | None:
        """Whole lines behind the offset. None where there are none, or the file is not what it was."""
        start = self._offset - len(self._tail)
        data = os.pread(file.fileno(), len(self._tail) + CHUNK, start)
        if not data.startswith(self._tail):
            self._replaced()
            return None
        fresh = data[len(self._tail) :]
        if fresh and b"\n" not in fresh and len(fresh) == CHUNK:
            fresh = os.pread(file.fileno(), MAX_LINE, self._offset)
        end = fresh.rfind(b"\n") + 1
        if not end and len(fresh) < MAX_LINE:
            return None
        return self._taken(fresh[:end] if end else fresh, whole=bool(end))

    def _taken(self, fresh: bytes, *, whole: bool) -> Chunk:
        """Moves on behind these bytes: lines, or a piece of one that is too long."""
        lines = fresh.split(b"\n")[:-1] if whole else []
        overlong = 0
        if self._skipping and whole:
            lines = lines[1:]
        elif not whole and not self._skipping:
            overlong = 1
        self._skipping = not whole
        self._offset += len(fresh)
        self._tail = (self._tail + fresh)[-TAIL:]
        return Chunk(lines, self._position(), overlong)

    def _end_of(self, file: IO[bytes]) -> Chunk | None:
        """At the end of a file that is not the log any more: its last line, and on to the next file."""
        if self._file is not file:
            return None
        try:
            now = self.path.stat().st_ino
        except FileNotFoundError:
            return None
        if now == self._inode:
            self._empty_looks = 0
            return None
        self._empty_looks += 1
        if self._live and self._empty_looks < LOOKS:
            return None
        rest = b"" if self._skipping else os.pread(file.fileno(), MAX_LINE, self._offset)
        # Looked for at each end anew: the log may be renamed once more while its older files are read.
        if not self._open(self._next(), 0):
            return None
        return Chunk([line for line in rest.split(b"\n") if line], self._position())

    def _next(self) -> Path:
        """The file that followed the one that is read."""
        newer = self.path
        for path in _siblings(self.path):
            with suppress(OSError):
                if path.stat().st_ino == self._inode:
                    return newer
            newer = path
        return self.path

    def _replaced(self) -> None:
        """The log was truncated: what was not read of it lies in a copy, if there is one."""
        left = LogPosition(self._inode, self._offset, self._digest(self._tail))
        self.close()
        for path in _siblings(self.path):
            if left.offset and self._holds(path, left):
                self._open(path, left.offset)
                return
        self._open(self.path, 0)

    def _position(self) -> LogPosition:
        return LogPosition(self._inode, self._offset, self._digest(self._tail))

    def _digest(self, tail: bytes) -> bytes:
        return hashlib.blake2b(tail, key=self._key, digest_size=_DIGEST).digest()


def _facts(file: IO[bytes]) -> tuple[int, int]:
    """Inode and size."""
    facts = os.fstat(file.fileno())
    return facts.st_ino, facts.st_size


def _before(file: IO[bytes], offset: int) -> bytes:
    start = max(0, offset - TAIL)
    return os.pread(file.fileno(), offset - start, start)


def _siblings(path: Path) -> list[Path]:
    """The rotated files beside the log, the newest first."""
    found: list[tuple[float, Path]] = []
    for one in path.parent.glob(_escaped(path.name) + "[.-]*"):
        try:
            if one.is_file() and one.suffix not in (".gz", ".bz2", ".xz", ".zst"):
                found.append((one.stat().st_mtime, one))
        except OSError:
            continue
    return [one for _, one in sorted(found, reverse=True)]


def _escaped(name: str) -> str:
    """A name whose signs mean nothing to glob."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)
