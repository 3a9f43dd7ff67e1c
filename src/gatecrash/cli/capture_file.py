"""Captured traffic that a user names: a file, or standard input, read as often as it is needed."""

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange
from gatecrash.core.reports.masking import TOKEN
from gatecrash.formats.capture import UnreadableCapture
from gatecrash.formats.descriptions.bundling import bundled
from gatecrash.formats.draft import MOST_BYTES
from gatecrash.formats.opening import kind_of

# What browsers take out of an exported HAR file.
STRIPPED = frozenset({b"cookie", b"set-cookie", b"authorization"})
STRIPPED_WORDS = (
    "The HAR file holds no Cookie, Set-Cookie or Authorization header at all, as browsers export it by default{what}. "
    "Headers that are masked ($TOKEN), as in an exported record, are none. Export it again with sensitive data (Chromium: Settings, Preferences, Network, Allow to generate HAR with "
    "sensitive data)."
)


@contextmanager
def opened_file(name: str) -> Iterator[BinaryIO]:
    """The named file, or standard input for `-`. Raises UserError."""
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = Path(name).open("rb")  # noqa: SIM115 - closed below, after reading
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror}.{_if_an_address(name)}") from error
    with stream:
        yield cast("BinaryIO", stream)


def _if_an_address(name: str) -> str:
    """What to write where the name of no file is meant as an address: `127.0.0.1:3000`, `localhost:3000/openapi.json`."""
    return " An address begins with http:// or https://, and only `gatecrash scan` reads one." if ":" in name else ""


@contextmanager
def seekable_file(name: str) -> Iterator[BinaryIO]:
    """The same, to be read from its beginning more than once: what comes from standard input waits on disk."""
    with opened_file(name) as stream:
        if name != "-" and stream.seekable():
            yield stream
            return
        with tempfile.TemporaryFile() as kept:
            shutil.copyfileobj(stream, kept)
            kept.seek(0)
            yield cast("BinaryIO", kept)


@contextmanager
def whole_file(name: str) -> Iterator[BinaryIO]:
    """The same; a description of several files is one, with those that are in its folder or below it."""
    with seekable_file(name) as stream:
        beginning = stream.read(_LOOK)
        stream.seek(0)
        if name == "-" or not _may_be_of_several_files(beginning):
            yield stream
            return
        data = stream.read(MOST_BYTES + 1)
        path = Path(name)
        whole = bundled(data, path.name, lambda place: _beside(path.parent, place))
        # Like an opened file, which can be looked into.
        yield io.BufferedReader(cast("io.RawIOBase", io.BytesIO(whole)))


_LOOK = 64 * 1024


def _may_be_of_several_files(beginning: bytes) -> bool:
    try:
        return kind_of(beginning) in ("openapi", "swagger")
    except UnreadableCapture:
        return False


def _beside(folder: Path, place: str) -> bytes | None:
    """What a file below the folder holds; None where it is none, or a link leads elsewhere."""
    path = (folder / place).resolve()
    try:
        inside = path.is_relative_to(folder.resolve()) and path.is_file() and path.stat().st_size <= MOST_BYTES
        return path.read_bytes() if inside else None
    except OSError:
        return None


def has_credentials(exchange: Exchange) -> bool:
    """Whether a header is there that browsers take out of an export, and that no export of ours has masked."""
    answered = exchange.response.headers if exchange.response else ()
    return any(
        name.lower() in STRIPPED and TOKEN not in value for name, value in (*exchange.request.headers, *answered)
    )
