"""What the processes of one node share: a folder of small mapped files, and one lock for all of them.

A file is a region, made by whoever asks for its name first; zeros are a valid beginning of everything that is kept in one.
The lock is the kernel's, so that a process that is killed while it holds it lets go of it.
"""

import fcntl
import hashlib
import mmap
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LANES = 64
"""The most processes that one node may have."""

CELLS = 2048
"""Numbers in a region, each of eight bytes: enough for the times of a thousand requests and a cell for each process."""

_SIZE = CELLS * 8


class Region:
    """One file of the board, as numbers. Reading or writing one of them is one step; what belongs together wants the lock."""

    def __init__(self, path: Path) -> None:
        """Map the file; it is made where it is missing."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(descriptor, _SIZE)
            self._map = mmap.mmap(descriptor, _SIZE)
        finally:
            os.close(descriptor)
        self.cells = memoryview(self._map).cast("d")

    def close(self) -> None:
        """Let go of it; the file stays for the others."""
        self.cells.release()
        self._map.close()


class Board:
    """The folder. lane: the number of this process, from 0; the main process, which tests nothing, has none.

    `with board:` holds the lock of all processes; it may be taken again by who has it. Nothing may be awaited meanwhile.
    """

    def __init__(self, folder: Path, lane: int = -1) -> None:
        """Use the folder, which must be this node's alone."""
        self.lane = lane
        self._folder = folder
        # One descriptor for good: a POSIX lock is lost when its process closes any descriptor of the file.
        self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        self._depth = 0

    def __enter__(self) -> "Board":
        if not self._depth:
            fcntl.lockf(self._lock, fcntl.LOCK_EX)
        self._depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            fcntl.lockf(self._lock, fcntl.LOCK_UN)

    def region(self, kind: str, name: str) -> Region:
        """The region of a kind and a name; names may hold anything, so their digest is the file's."""
        return Region(self._path(kind, name))

    def regions(self, kind: str) -> Iterator[Region]:
        """All regions of a kind that there are now, one after the other."""
        for path in sorted(self._folder.glob(f"{kind}-*")):
            region = Region(path)
            try:
                yield region
            finally:
                region.close()

    def forget(self, kind: str, name: str) -> None:
        """Remove a region's file; who has it mapped keeps what is in it."""
        with suppress(FileNotFoundError):
            self._path(kind, name).unlink()

    def close(self) -> None:
        """Let go of the lock's file."""
        os.close(self._lock)

    def _path(self, kind: str, name: str) -> Path:
        return self._folder / f"{kind}-{hashlib.sha256(name.encode()).hexdigest()[:32]}"
