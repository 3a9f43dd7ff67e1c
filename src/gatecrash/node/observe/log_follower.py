"""Follows an access log: its lines become exchanges, are counted, and the place in the log is kept with the counts."""

import asyncio
import logging
import time
from pathlib import Path

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange
from gatecrash.formats.capture import LineReader, Malformed, UnreadableCapture
from gatecrash.formats.opening import LINE_READERS, is_blind, kind_of
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.log_file import Chunk, LogFile, LogPosition
from gatecrash.node.observe.observations import Observation
from gatecrash.node.observe.sound import Unsound, sound
from gatecrash.node.spool import Spool

log = logging.getLogger(__name__)

PAUSE_SECONDS = 0.5
TELL_SECONDS = 60.0


class LogFollower:
    """Follows one log for as long as the node runs. counted, unread: lines since the start."""

    def __init__(self, path: Path, kind: str | None, folding: Folding, spool: Spool) -> None:
        """kind: the log's format, found out from its first line where it is None."""
        self.path = path
        self.counted = 0
        self.unread = 0
        self._reader: LineReader | None = LINE_READERS[kind] if kind else None
        self._looked = False
        self._folding = folding
        self._spool = spool
        self._name = f"log:{path}"
        self._file: LogFile | None = None
        self._told = (0.0, 0, 0)
        self._complaint = ""

    async def follow_always(self, pause: float = PAUSE_SECONDS) -> None:
        """Reads what is there, then what comes, for ever."""
        kept = await self._spool.run(lambda: self._spool.kept(self._name))
        self._file = LogFile(self.path, self._spool.name.encode(), _position(kept))
        if not await asyncio.to_thread(self.path.exists):
            log.warning("the log is not there yet, and waited for", extra=self._where())
        try:
            while True:
                if not await self.read_some():
                    self._tell()
                    await asyncio.sleep(pause)
        finally:
            self._file.close()

    async def read_some(self) -> bool:
        """Counts a few lines; whether there were any."""
        assert self._file is not None
        try:
            chunk = await asyncio.to_thread(self._file.read)
        except OSError as error:
            self._complain(f"the log cannot be read: {error.strerror or error}")
            return False
        if chunk is None:
            return False
        self._complaint = ""
        # Without an await in between: counts and position are written by another task, and belong together.
        self._folding.add_logged(self._observed(chunk), self._name, msgspec.msgpack.encode(chunk.position))
        return True

    def _observed(self, chunk: Chunk) -> list[Observation]:
        reader = self._reader or self._found_out(chunk.lines)
        self.unread += chunk.overlong
        if reader is None:
            self.unread += len(chunk.lines)
            return []
        now = time.time()
        found = [one for line in chunk.lines if line.strip() and (one := _read(reader, line, now)) is not None]
        self.counted += len(found)
        self.unread += sum(1 for line in chunk.lines if line.strip()) - len(found)
        return [Observation(one, whole=False) for one in found]

    def _found_out(self, lines: list[bytes]) -> LineReader | None:
        """The reader for what the first line looks like."""
        first = next((line for line in lines if line.strip()), b"")
        if not first:
            return None
        try:
            kind = kind_of(first + b"\n")
        except UnreadableCapture:
            kind = ""
        self._reader = LINE_READERS.get(kind)
        if self._reader is None:
            self._complain("the log is neither JSON lines nor a JSON access log of nginx or Envoy")
        elif kind != "jsonl" and is_blind(first):
            log.warning("the log names no credentials, so every endpoint will seem to lack them", extra=self._where())
        return self._reader

    def _complain(self, why: str) -> None:
        """Tells a state once, until it changes."""
        if why != self._complaint:
            self._complaint = why
            log.error(why, extra=self._where())

    def _tell(self) -> None:
        """Tells of lines that could not be read, and of places that were not found again, at most once a minute."""
        assert self._file is not None
        told_at, unread, restarted = self._told
        now = time.monotonic()
        if (self.unread, self._file.restarted) == (unread, restarted) or (now - told_at < TELL_SECONDS and told_at):
            return
        if self._file.restarted > restarted:
            log.warning("the log is begun anew: where it was left is not found; lines may be lost", extra=self._where())
        if self.unread > unread:
            log.warning("lines not counted", extra={**self._where(), "lines": self.unread - unread})
        self._told = (now, self.unread, self._file.restarted)

    def _where(self) -> dict[str, str]:
        return {"log": str(self.path)}


def _read(reader: LineReader, line: bytes, now: float) -> Exchange | None:
    """The line's exchange; None where it is none that can be counted."""
    try:
        found = reader(0, line)
        return None if isinstance(found, Malformed) else sound(found, now)
    except (Unsound, ValueError, RecursionError):
        return None


def _position(kept: bytes | None) -> LogPosition | None:
    if kept is None:
        return None
    try:
        return msgspec.msgpack.decode(kept, type=LogPosition)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def read_log_option(text: str) -> tuple[Path, str | None]:
    """File and format out of `FILE` or `FORMAT=FILE`.

    Raises UserError.
    """
    kind, equals, name = text.partition("=")
    if not equals or "/" in kind:
        kind, name = "", text
    if kind and kind not in LINE_READERS:
        raise UserError(f"{kind!r} is no log format; there are {', '.join(LINE_READERS)}.")
    if not name:
        raise UserError("--follow-log needs a file, such as nginx=/var/log/nginx/gatecrash.log.")
    return Path(name).expanduser().absolute(), kind or None
