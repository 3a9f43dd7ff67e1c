"""What must survive a kill until the control plane has it: recorded baselines and batches of counts, in SQLite.

A baseline is on disk (synced) before it counts as recorded. Counts are written every second at most; a kill may lose the
last second and never counts twice, since a batch keeps its number until it is acknowledged. A spool that was lost or
damaged starts again under another name, so that numbers are never reused for other counts.
Files are readable by their owner only, what is deleted is overwritten, and baselines are sealed (sealing.py): they hold
live credentials.
"""

import asyncio
import fcntl
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.testing.baseline import Baseline
from gatecrash.node.sealing import CannotOpen, Seal
from gatecrash.wire import codec
from gatecrash.wire.counts import Counts

log = logging.getLogger(__name__)

MAX_COUNTS = 256 * 1024 * 1024
MAX_BASELINES = 2 * 1024 * 1024 * 1024
MAX_MARKS = 500
MOST_FRESH = 100
"""So many batches may wait unsent before they are gathered into few."""


_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS baselines (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL, record_id TEXT NOT NULL,
  data BLOB NOT NULL, unsure INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS counts (sequence INTEGER PRIMARY KEY AUTOINCREMENT, data BLOB NOT NULL);
"""

Answer = TypeVar("Answer")


class SpooledBaseline(msgspec.Struct, frozen=True):
    """A baseline that waits, and where it belongs."""

    run_id: str
    record_id: str
    baseline: Baseline


class Spool:
    """The spool in a folder, held by one process. Its methods block on the disk: call them through `run`.

    name: random, new when the spool is new. lost_counts: batches dropped because the spool was full.
    lost_baselines: baselines not taken because it was full.
    """

    def __init__(
        self, folder: Path, *, max_counts: int = MAX_COUNTS, max_baselines: int = MAX_BASELINES, patience: float = 5.0
    ) -> None:
        """Opens it. patience: seconds to wait for a node that is just ending. Raises UserError."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.lost_counts = 0
        self.lost_baselines = 0
        self._max_counts = max_counts
        self._max_baselines = max_baselines
        self._lock = _lock(folder, patience)
        self._db = _open(folder / "spool.sqlite3")
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="spool")
        self.name = self._name()
        self._seal = Seal(folder, self.name)
        self._counts_size = self._sum("counts")
        # What the process before handed out is not known, so all that waits now may have been.
        self._handed_out: int = self._db.execute("SELECT coalesce(max(sequence), 0) FROM counts").fetchone()[0]
        self._fresh = 0
        self._baselines_size = self._sum("baselines")
        self._waiting: dict[str, int] = dict(
            self._db.execute("SELECT run_id, count(*) FROM baselines GROUP BY run_id").fetchall()
        )

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Does the work on the spool's own thread, one after the other, also where who asked is cancelled meanwhile."""
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._executor, work))

    def waiting(self, run_id: str) -> int:
        """How many baselines of a run wait here."""
        return self._waiting.get(run_id, 0)

    def keep(self, name: str, data: bytes) -> None:
        """Writes down what the next start of the node is to know."""
        self._write("INSERT OR REPLACE INTO kept VALUES (?, ?)", [(name, data)], synced=True)

    def kept(self, name: str) -> bytes | None:
        """What was written down under this name last."""
        row = self._db.execute("SELECT data FROM kept WHERE name = ?", (name,)).fetchone()
        return None if row is None else bytes(row[0])

    def kept_under(self, prefix: str) -> dict[str, bytes]:
        """What was written down under names that begin so."""
        rows = self._db.execute("SELECT name, data FROM kept WHERE substr(name, 1, ?) = ?", (len(prefix), prefix))
        return {name: bytes(data) for name, data in rows}

    def add_baselines(self, baselines: Sequence[SpooledBaseline], *, unsure: bool = False) -> int:
        """Writes and syncs them; returns how many were taken (fewer where the spool is full).

        unsure: recorded under the orders of the node's last start. They are not handed out until `settle` takes them in.
        """
        rows = []
        for item in baselines:
            data = self._seal.seal(codec.encode(item.baseline), item.baseline.id)
            if self._baselines_size + len(data) > self._max_baselines:
                self.lost_baselines += 1
                log.error("spool full: baseline not recorded", extra={"run": item.run_id, "bytes": len(data)})
                continue
            self._baselines_size += len(data)
            rows.append((item.baseline.id, item.run_id, item.record_id, data, unsure))
        self._write(
            "INSERT OR IGNORE INTO baselines (id, run_id, record_id, data, unsure) VALUES (?, ?, ?, ?, ?)",
            rows,
            synced=True,
        )
        for _, run_id, *_ in rows:
            self._waiting[run_id] = self._waiting.get(run_id, 0) + 1
        return len(rows)

    def settle(self, recording: Collection[str]) -> int:
        """Takes in the unsure baselines of these runs and drops those of others; how many were dropped."""
        unsure = self._db.execute("SELECT id, run_id FROM baselines WHERE unsure").fetchall()
        if not unsure:
            return 0
        sure = [(name,) for name, run_id in unsure if run_id in recording]
        self._write("UPDATE baselines SET unsure = 0 WHERE id = ?", sure, synced=True)
        gone = [name for name, run_id in unsure if run_id not in recording]
        for start in range(0, len(gone), MAX_MARKS):
            self.drop_baselines(gone[start : start + MAX_MARKS])
        return len(gone)

    def baselines(self, most: int, most_bytes: int) -> list[SpooledBaseline]:
        """The oldest that wait, of one run, within the size and at least one."""
        rows = self._db.execute(
            "SELECT id, run_id, record_id, data FROM baselines WHERE NOT unsure AND run_id ="
            " (SELECT run_id FROM baselines WHERE NOT unsure ORDER BY sequence LIMIT 1) ORDER BY sequence LIMIT ?",
            (most,),
        ).fetchall()
        found: list[SpooledBaseline] = []
        broken: list[str] = []
        size = 0
        for identifier, run_id, record_id, data in rows:
            size += len(data)
            if found and (size > most_bytes or record_id != found[0].record_id):
                break
            try:
                opened = self._seal.open(data, identifier)
            except CannotOpen as error:
                log.error("baseline lost: it cannot be opened", extra={"baseline": identifier, "why": str(error)})  # noqa: TRY400 - told
                broken.append(identifier)
                continue
            found.append(SpooledBaseline(run_id, record_id, codec.decode(opened, Baseline)))
        if broken:
            self.lost_baselines += len(broken)
            self.drop_baselines(broken)
        return found or (self.baselines(most, most_bytes) if broken else [])

    def drop_baselines(self, identifiers: Sequence[str]) -> None:
        """The control plane has them, or will never take them."""
        marks = ",".join("?" * len(identifiers))
        gone = self._db.execute(
            f"SELECT run_id, length(data) FROM baselines WHERE id IN ({marks})",  # noqa: S608 - question marks only
            tuple(identifiers),
        ).fetchall()
        self._write("DELETE FROM baselines WHERE id = ?", [(each,) for each in identifiers], synced=False)
        for run_id, size in gone:
            self._baselines_size -= size
            left = self._waiting[run_id] - 1
            if left:
                self._waiting[run_id] = left
            else:
                del self._waiting[run_id]

    def add_counts(self, *batches: Counts, keep: Mapping[str, bytes | None] | None = None) -> None:
        """Writes batches, all or none; their numbers are given here. Where the spool is full, the oldest go, loudly.

        keep: what is kept under these names from the same moment on, and no more where it is None: how far the logs
        were read that were counted, and what waits to be counted.
        """
        rows = [(codec.encode(batch),) for batch in batches]
        kept = (keep or {}).items()
        self._write_all(
            ("INSERT INTO counts (data) VALUES (?)", rows),
            ("INSERT OR REPLACE INTO kept VALUES (?, ?)", [(name, data) for name, data in kept if data is not None]),
            ("DELETE FROM kept WHERE name = ?", [(name,) for name, data in kept if data is None]),
        )
        self._fresh += len(rows)
        self._counts_size += sum(len(data) for (data,) in rows)
        while self._counts_size > self._max_counts:
            sequence, data = self._db.execute("SELECT sequence, data FROM counts ORDER BY sequence LIMIT 1").fetchone()
            self._write("DELETE FROM counts WHERE sequence = ?", [(sequence,)], synced=False)
            self._counts_size -= len(data)
            self.lost_counts += 1
            lost = sum(endpoint.requests for endpoint in codec.decode(data, Counts).endpoints)
            log.error("spool full: oldest counts dropped", extra={"sequence": sequence, "requests": lost})

    def gather(self, merge: Callable[[Iterable[Counts]], list[Counts]]) -> None:
        """Where many batches wait that were never handed out, makes few of them, under new numbers.

        What was handed out once keeps its number and its content for ever: the control plane may have it.
        """
        if self._fresh < MOST_FRESH:
            return
        rows = self._db.execute("SELECT sequence, data FROM counts WHERE sequence > ?", (self._handed_out,)).fetchall()
        merged = [(codec.encode(batch),) for batch in merge(codec.decode(data, Counts) for _, data in rows)]
        self._write_all(
            ("DELETE FROM counts WHERE sequence = ?", [(sequence,) for sequence, _ in rows]),
            ("INSERT INTO counts (data) VALUES (?)", merged),
        )
        self._counts_size += sum(len(data) for (data,) in merged) - sum(len(data) for _, data in rows)
        self._fresh = 0

    def counts(self, most: int) -> list[Counts]:
        """The oldest batches that wait, with their numbers."""
        rows = self._db.execute("SELECT sequence, data FROM counts ORDER BY sequence LIMIT ?", (most,)).fetchall()
        if rows and rows[-1][0] > self._handed_out:
            self._handed_out = rows[-1][0]
            self._fresh = 0
        return [
            msgspec.structs.replace(codec.decode(data, Counts), spool=self.name, sequence=sequence)
            for sequence, data in rows
        ]

    def drop_counts(self, sequence: int) -> None:
        """The control plane has this batch."""
        row = self._db.execute("SELECT length(data) FROM counts WHERE sequence = ?", (sequence,)).fetchone()
        if row is not None:
            self._write("DELETE FROM counts WHERE sequence = ?", [(sequence,)], synced=False)
            self._counts_size -= row[0]

    def close(self) -> None:
        """Syncs and lets go of the folder."""
        self._executor.shutdown()
        if not self._waiting:
            self._seal.forget()
        self._db.close()
        self._lock.close()

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]], *, synced: bool) -> None:
        self._write_all((statement, rows), synced=synced)

    def _write_all(self, *writes: tuple[str, Sequence[tuple[object, ...]]], synced: bool = True) -> None:
        # In WAL, FULL syncs at each commit and NORMAL at checkpoints only; a mere kill loses nothing either way.
        self._db.execute(f"PRAGMA synchronous = {'FULL' if synced else 'NORMAL'}")
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for statement, rows in writes:
                self._db.executemany(statement, rows)
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _name(self) -> str:
        self._write("INSERT OR IGNORE INTO about VALUES ('name', ?)", [("sp_" + secrets.token_hex(16),)], synced=True)
        return str(self._db.execute("SELECT value FROM about WHERE name = 'name'").fetchone()[0])

    def _sum(self, table: str) -> int:
        return int(self._db.execute(f"SELECT coalesce(sum(length(data)), 0) FROM {table}").fetchone()[0])  # noqa: S608 - our names


def _lock(folder: Path, patience: float) -> IO[bytes]:
    """Holds the folder for this process: two nodes on one spool would send the same numbers for other counts."""
    file = (folder / "lock").open("ab")
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if time.monotonic() < deadline:
                time.sleep(0.1)  # the node before may be ending
                continue
            file.close()
            raise UserError(
                f"Another node (`gatecrash up` has one, too) uses the spool in {folder}. Stop it, or give this one --data-dir."
            ) from error
        return file


def _open(path: Path) -> sqlite3.Connection:
    """The database, or a new one where it is damaged: the damaged file stays beside it for whoever wants to look."""
    try:
        return _connect(path)
    except sqlite3.OperationalError as error:
        raise UserError(
            f"The spool {path} cannot be opened: {error}. Check the folder's owner and free space."
        ) from error
    except sqlite3.DatabaseError as error:
        aside = path.with_name(f"damaged-{int(time.time())}-{secrets.token_hex(4)}.sqlite3")
        path.rename(aside)
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        log.error("spool damaged: what waited in it is lost, a new one is begun", extra={"kept_as": str(aside), "why": str(error)})  # fmt: skip  # noqa: TRY400 - the traceback says no more
        return _connect(path)


def _connect(path: Path) -> sqlite3.Connection:
    path.touch(mode=0o600)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=20)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA secure_delete = ON")
        if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("the quick check failed")  # noqa: TRY301 - told apart by its type, as SQLite's own
        db.executescript(_SCHEMA)
    except BaseException:
        db.close()
        raise
    return db
