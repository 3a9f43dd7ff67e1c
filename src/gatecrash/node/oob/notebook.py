"""What of the listener must survive a restart: which payloads are out, and who came for them.

In SQLite beside the spool, sealed as its baselines are, since a payload's request carries live credentials. A day after it
was sent a payload is forgotten. Commits are not synced one by one: a kill of the process loses none of them, and one that
loses the machine's power may lose the last payloads, whose baselines are then tested anew. Where the disk is full, tests go on:
what cannot be noted lives as long as the process.
"""

import logging
import sqlite3
from pathlib import Path

import msgspec

from gatecrash.core.errors import ProtocolMismatch, UserError
from gatecrash.core.message import Exchange
from gatecrash.core.testing.out_of_band import Hit, Lure
from gatecrash.node.sealing import CannotOpen, Seal
from gatecrash.wire import codec

log = logging.getLogger(__name__)

KEPT_SECONDS = 24 * 3600.0
_MOST_BODY = 256 * 1024
_SCHEMA = """
CREATE TABLE IF NOT EXISTS planted (name TEXT PRIMARY KEY, at REAL NOT NULL, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS hits (name TEXT NOT NULL, at REAL NOT NULL, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS hits_of ON hits (name);
"""


class Planted(msgspec.Struct, frozen=True, kw_only=True):
    """A lure that was sent. at: UNIX seconds. exchange: the request it stood in, with the answer once that came."""

    lure: Lure
    run_id: str
    generation: int
    baseline_id: str
    exchange: Exchange
    at: float


class Notebook:
    """The file in a node's folder. name: the spool's; the seal's key is named after it."""

    def __init__(self, folder: Path, name: str) -> None:
        """Open it; one that is damaged is begun anew."""
        self._seal = Seal(folder, f"{name}-oob")
        self._db = _open(folder / "oob.sqlite3")
        self._is_refused = False

    @property
    def port(self) -> int:
        """Where the listener was bound last; 0 where it never was. Payloads that are out name it."""
        row = self._db.execute("SELECT value FROM about WHERE name = 'port'").fetchone()
        return int(row[0]) if row is not None else 0

    @port.setter
    def port(self, port: int) -> None:
        self._write("INSERT OR REPLACE INTO about VALUES ('port', ?)", port)

    def plant(self, planted: Planted) -> bool:
        """Note a lure; the same name again replaces it. Whether it is noted: a full disk takes nothing."""
        data = self._seal.seal(codec.encode(_bounded(planted)), planted.lure.name)
        return self._write("INSERT OR REPLACE INTO planted VALUES (?, ?, ?)", planted.lure.name, planted.at, data)

    def planted(self, name: str) -> Planted | None:
        """The lure of this name; None where there is none, or it cannot be opened any more."""
        row = self._db.execute("SELECT data FROM planted WHERE name = ?", (name,)).fetchone()
        if row is None:
            return None
        try:
            return codec.decode(self._seal.open(bytes(row[0]), name), Planted)
        except (CannotOpen, ProtocolMismatch) as error:
            log.warning("a payload that was sent cannot be read any more", extra={"why": str(error)})
            return None

    def forget(self, name: str) -> None:
        """What came for it is told, or nobody needs to know any more."""
        self._write("DELETE FROM planted WHERE name = ?", name)

    def hear(self, hit: Hit) -> None:
        """Note a hit."""
        self._write("INSERT INTO hits VALUES (?, ?, ?)", hit.name, hit.at, codec.encode(hit))

    def hits(self, name: str) -> list[Hit]:
        """Who came for this name, in their order."""
        rows = self._db.execute("SELECT data FROM hits WHERE name = ? ORDER BY rowid", (name,))
        return [codec.decode(bytes(data), Hit) for (data,) in rows]

    def prune(self, now: float) -> None:
        """Forget what is older than a day; the key goes with the last payload."""
        for table in ("planted", "hits"):
            self._write(f"DELETE FROM {table} WHERE at < ?", now - KEPT_SECONDS)  # noqa: S608 - our names
        if self._db.execute("SELECT 1 FROM planted LIMIT 1").fetchone() is None:
            self._seal.forget()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _write(self, statement: str, *values: object) -> bool:
        """Whether it was written. Told once until the disk takes something again: each request of a run may write."""
        try:
            self._db.execute(statement, values)
        except sqlite3.OperationalError as error:
            if not self._is_refused:
                log.error("the listener's notes cannot be written: a restart would lose them", extra={"why": str(error)})  # fmt: skip  # noqa: TRY400 - told
            self._is_refused = True
            return False
        self._is_refused = False
        return True


def _bounded(planted: Planted) -> Planted:
    """Without the greater part of a large answer: the request proves, the answer only shows."""
    response = planted.exchange.response
    if response is None or len(response.body) <= _MOST_BODY:
        return planted
    cut = msgspec.structs.replace(response, body=response.body[:_MOST_BODY], truncated=True)
    return msgspec.structs.replace(planted, exchange=msgspec.structs.replace(planted.exchange, response=cut))


def _open(path: Path) -> sqlite3.Connection:
    try:
        return _connect(path)
    except sqlite3.OperationalError as error:  # a full disk is no damage
        raise UserError(
            f"The listener's notes {path} cannot be opened: {error}. Check the folder's owner and free space."
        ) from error
    except sqlite3.DatabaseError as error:
        log.error("the listener's notes are damaged and begun anew", extra={"why": str(error)})  # noqa: TRY400 - told
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        return _connect(path)


def _connect(path: Path) -> sqlite3.Connection:
    path.touch(mode=0o600)
    db = sqlite3.connect(path, isolation_level=None, timeout=5)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA secure_delete = ON")
        db.executescript(_SCHEMA)
    except BaseException:
        db.close()
        raise
    return db
