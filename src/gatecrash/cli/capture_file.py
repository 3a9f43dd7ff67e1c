"""Captured traffic that a user names: a file, or standard input, read as often as it is needed."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange

# What browsers take out of an exported HAR file.
STRIPPED = frozenset({b"cookie", b"set-cookie", b"authorization"})
STRIPPED_WORDS = (
    "The HAR file holds no Cookie, Set-Cookie or Authorization header at all, as browsers export it by default{what}. "
    "Export it again with sensitive data (Chromium: Settings, Preferences, Network, Allow to generate HAR with "
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
        raise UserError(f"{name} cannot be read: {error.strerror}.") from error
    with stream:
        yield cast("BinaryIO", stream)


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


def has_credentials(exchange: Exchange) -> bool:
    """Whether a header is there that browsers take out of an export."""
    answered = exchange.response.headers if exchange.response else ()
    return any(name.lower() in STRIPPED for name, _ in (*exchange.request.headers, *answered))
