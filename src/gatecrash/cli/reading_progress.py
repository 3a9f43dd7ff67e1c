"""A bar on standard error while a large file is read, on a terminal only; and what was read, as a digest."""

import hashlib
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from gatecrash.cli.output import coloured

# Smaller files are read before anybody could look.
WORTH_A_BAR = 4 * 1024 * 1024
_CHUNK = 256 * 1024


class Watched(io.RawIOBase):
    """A stream whose bytes are counted and digested on the way."""

    def __init__(self, stream: BinaryIO, told: Callable[[int], None] | None = None) -> None:
        """told: how many bytes were read since the last time."""
        super().__init__()
        self._stream = stream
        self._told = told
        self._digest = hashlib.sha256()

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, room: Any) -> int:
        """As io.RawIOBase."""
        piece = self._stream.read(len(room))
        room[: len(piece)] = piece
        self._digest.update(piece)
        if self._told is not None:
            self._told(len(piece))
        return len(piece)

    def digest(self) -> bytes:
        """Of all that was read."""
        return self._digest.digest()


@contextmanager
def watched(name: str, stream: BinaryIO) -> Iterator[tuple[BinaryIO, Watched]]:
    """The stream to read from, and what tells of it; a bar is shown meanwhile where somebody looks."""
    size = _size(stream)
    if not coloured(sys.stderr) or (size is not None and size < WORTH_A_BAR):
        raw = Watched(stream)
        yield cast("BinaryIO", io.BufferedReader(raw, _CHUNK)), raw
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("standard input" if name == "-" else name, total=size)
        raw = Watched(stream, lambda count: progress.advance(task, count))
        yield cast("BinaryIO", io.BufferedReader(raw, _CHUNK)), raw


def _size(stream: BinaryIO) -> int | None:
    """Bytes of a file; None where they are not known, as of a pipe."""
    try:
        if not stream.seekable():
            return None
        here = stream.tell()
        size = stream.seek(0, io.SEEK_END)
        stream.seek(here)
    except (OSError, ValueError):
        return None
    return size - here
