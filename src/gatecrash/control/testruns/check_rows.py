"""The bulk table of checks, one for each baseline of a run: the one place that reads and writes it.

Statuses are stored as they were last moved. When a run ends, its open checks are over too, but not one row is touched:
whoever reads them applies `effective_status`.
"""

from collections.abc import Iterable, Sequence

import msgspec

from gatecrash.control import bulk_sql, wall
from gatecrash.core.testing.health.refused_sessions import FOUND_BEFORE, is_over, may_be_anothers
from gatecrash.core.testing.pacing.parts import BROKEN_OFF, OTHERS, Todo
from gatecrash.core.testing.pacing.passes import Sort, up_to
from gatecrash.core.testing.run_events import Check, Status, effective_status

CREATE = (
    """
    CREATE TABLE testruns_check (
        client_id varchar(64) NOT NULL,
        run_id varchar(64) NOT NULL,
        sequence integer NOT NULL,
        rank smallint NOT NULL,
        baseline_id varchar(64) NOT NULL,
        status varchar(16) NOT NULL,
        reason varchar(32),
        detail varchar(255) NOT NULL,
        found boolean NOT NULL,
        forecast integer NOT NULL,
        remaining integer NOT NULL,
        inconclusive integer NOT NULL,
        generation integer NOT NULL,
        sent integer NOT NULL,
        sent_before integer NOT NULL,
        PRIMARY KEY (client_id, run_id, sequence)
    ) {without_rowid}
    """,
    "CREATE UNIQUE INDEX testruns_check_baseline ON testruns_check (client_id, run_id, baseline_id)",
    "CREATE INDEX testruns_check_status ON testruns_check (client_id, run_id, status, rank, sequence)",
)
ADD_USERS = "ALTER TABLE testruns_check ADD COLUMN users varchar(8) NOT NULL DEFAULT ''"
# Rows of before are all of the first wave, and so stay in the order of recording.
ADD_WAVES = (
    "ALTER TABLE testruns_check ADD COLUMN kind varchar(32) NOT NULL DEFAULT ''",
    "ALTER TABLE testruns_check ADD COLUMN wave integer NOT NULL DEFAULT 0",
    "DROP INDEX testruns_check_status",
    "CREATE INDEX testruns_check_status ON testruns_check (client_id, run_id, status, rank, wave, sequence)",
    "CREATE INDEX testruns_check_kind ON testruns_check (client_id, run_id, kind, wave)",
)
DROP_WAVES = (
    "DROP INDEX testruns_check_kind",
    "DROP INDEX testruns_check_status",
    "CREATE INDEX testruns_check_status ON testruns_check (client_id, run_id, status, rank, sequence)",
    "ALTER TABLE testruns_check DROP COLUMN wave",
    "ALTER TABLE testruns_check DROP COLUMN kind",
)
ADD_PARTS = (
    "ALTER TABLE testruns_check ADD COLUMN part smallint NOT NULL DEFAULT 0",
    "DROP INDEX testruns_check_status",
    "CREATE INDEX testruns_check_status ON testruns_check (client_id, run_id, status, rank, part, wave, sequence)",
)
DROP_PARTS = (
    "DROP INDEX testruns_check_status",
    "CREATE INDEX testruns_check_status ON testruns_check (client_id, run_id, status, rank, wave, sequence)",
    "ALTER TABLE testruns_check DROP COLUMN part",
)
# What was half made of rows of before was all but headers. Which of what changes something only adds is not known of them.
ADD_TURNS = (
    "ALTER TABLE testruns_check ADD COLUMN sort smallint NOT NULL DEFAULT 0",
    "ALTER TABLE testruns_check ADD COLUMN turn smallint NOT NULL DEFAULT 0",
    (
        "UPDATE testruns_check SET sort = CASE rank WHEN 0 THEN 0 WHEN 1 THEN 5 ELSE rank + 9 END, "
        "part = CASE WHEN users = 'alone' THEN 4 WHEN users = 'half' OR part > 0 THEN 3 ELSE 0 END"
    ),
    "UPDATE testruns_check SET turn = CASE WHEN part <> 3 OR users = 'half' THEN sort WHEN rank = 0 THEN 9 ELSE 10 END",
    "DROP INDEX testruns_check_status",
    "CREATE INDEX testruns_check_status ON testruns_check (client_id, run_id, status, turn, wave, sequence)",
)
DROP_TURNS = (
    "UPDATE testruns_check SET part = CASE WHEN part = 3 AND users <> 'half' THEN 1 ELSE 0 END",
    "DROP INDEX testruns_check_status",
    "CREATE INDEX testruns_check_status ON testruns_check (client_id, run_id, status, rank, part, wave, sequence)",
    "ALTER TABLE testruns_check DROP COLUMN turn",
    "ALTER TABLE testruns_check DROP COLUMN sort",
)
MOST_DETAIL = 255
DUE, REFUSED, ALONE, HALF = "due", "refused", "alone", "half"
_ANY_RANK = 100
_SELECT = (
    "SELECT sequence, rank, baseline_id, status, reason, detail, found, forecast, remaining, inconclusive, generation, "
    "sent, sent_before, users, kind, wave, part, sort, turn FROM testruns_check WHERE "
)
_OF_RUN = f"{_SELECT}client_id = %s AND run_id = %s "
_SESSION_ENDED = (
    "client_id = %s AND run_id = %s AND ((status = %s AND reason = %s) OR (status = %s AND detail LIKE %s))"
)


class CheckRow(msgspec.Struct, frozen=True):
    """One check. rank: its place in the order of testing, safe methods first. sent: under `generation`; sent_before:
    under earlier ones. reason, detail: of an error or a skip. users: DUE where it was over before the record's users
    were known and nobody has seen yet what that leaves open; REFUSED where all of it is, as its session ended; ALONE
    where only tests as other users are made, now or in the end; HALF where these are, and then what was put off.
    kind: a keyed digest that checks share which differ in numbers alone; empty where it is skipped or can destroy.
    wave: how many of its kind come before it. part: how many passes were made of it before those that are open, or were
    made last; forecast is of these. sort: how it goes through the turns of core/testing/pacing/passes.py. turn: its next
    one, or where it is over its last.
    """

    sequence: int
    rank: int
    baseline_id: str
    status: Status
    reason: str | None = None
    detail: str = ""
    found: bool = False
    forecast: int = 0
    remaining: int = 0
    inconclusive: int = 0
    generation: int = 0
    sent: int = 0
    sent_before: int = 0
    users: str = ""
    kind: str = ""
    wave: int = 0
    part: int = 0
    sort: Sort = Sort.READ
    turn: int = 0

    @property
    def todo(self) -> Todo:
        """What is to be made of it when its turn comes."""
        if self.users == ALONE:
            return OTHERS
        return Todo(self.part, up_to(self.turn), belated=self.users == HALF)

    def read(self, *, run_ended: bool) -> Check:
        """The check as the state machine sees it."""
        status = effective_status(self.status, found=self.found, run_ended=run_ended)
        return Check(status, self.found, self.forecast, self.remaining)


def _row(values: Sequence[object]) -> CheckRow:
    row = CheckRow(*values)  # type: ignore[arg-type]
    return msgspec.structs.replace(row, status=Status(row.status), found=bool(row.found), sort=Sort(row.sort))


def fitting(detail: str) -> str:
    """A detail as every database takes it."""
    return detail[:MOST_DETAIL].replace("\x00", "")


def store(run_id: str, rows: Iterable[CheckRow]) -> None:
    """Insert checks; one that exists already is left as it is, so that a clone may be repeated."""
    client_id = wall.required()
    bulk_sql.insert(
        "INSERT INTO testruns_check (client_id, run_id, sequence, rank, baseline_id, status, reason, detail, found, "
        "forecast, remaining, inconclusive, generation, sent, sent_before, users, kind, wave, part, sort, turn) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
        [(client_id, run_id, *_plain(row)) for row in rows],
    )


def _plain(row: CheckRow) -> tuple[object, ...]:
    return msgspec.structs.astuple(msgspec.structs.replace(row, status=row.status.value, sort=int(row.sort)))


def write(run_id: str, row: CheckRow) -> None:
    """Write a check back."""
    bulk_sql.execute(
        "UPDATE testruns_check SET status = %s, reason = %s, detail = %s, found = %s, forecast = %s, remaining = %s, "
        "inconclusive = %s, generation = %s, sent = %s, sent_before = %s, users = %s, part = %s, turn = %s "
        "WHERE client_id = %s AND run_id = %s AND sequence = %s",
        (
            row.status.value,
            row.reason,
            row.detail,
            row.found,
            row.forecast,
            row.remaining,
            row.inconclusive,
            row.generation,
            row.sent,
            row.sent_before,
            row.users,
            row.part,
            row.turn,
            wall.required(),
            run_id,
            row.sequence,
        ),
    )


def of_baselines(run_id: str, ids: Sequence[str]) -> dict[str, CheckRow]:
    """The checks of these baselines, by the baseline's identifier."""
    sql = _OF_RUN + "AND baseline_id IN ({})"
    return {row[2]: _row(row) for row in bulk_sql.select_in(sql, (wall.required(), run_id), ids)}


def of_kinds(run_id: str, kinds: Sequence[str]) -> dict[str, int]:
    """How many checks of each of these kinds there are."""
    sql = (
        "SELECT column1, (SELECT MAX(wave) FROM testruns_check WHERE client_id = %s AND run_id = %s AND kind = column1) "
        "FROM (VALUES {}) AS wanted"
    )
    rows = bulk_sql.select_in(sql, (wall.required(), run_id), kinds, "(%s)")
    return {kind: last + 1 for kind, last in rows if last is not None}


def in_status(run_id: str, status: Status, limit: int, *, below: int = _ANY_RANK) -> list[CheckRow]:
    """The first checks in a stored status, in the order of testing: by turns, the first of each kind first, then as
    recorded. below: of lower ranks alone.
    """
    rows = bulk_sql.select(
        _OF_RUN + "AND status = %s AND rank < %s ORDER BY turn, wave, sequence LIMIT %s",
        (wall.required(), run_id, status.value, below, limit),
    )
    return [_row(row) for row in rows]


def page(run_id: str, limit: int, offset: int) -> list[CheckRow]:
    """A part of all checks, in the order of recording."""
    rows = bulk_sql.select(
        _OF_RUN + "ORDER BY sequence LIMIT %s OFFSET %s",
        (wall.required(), run_id, limit, offset),
    )
    return [_row(row) for row in rows]


def return_running(run_id: str) -> None:
    """What is in flight waits again, at its whole cost; of what changes something it is told that it was broken off."""
    bulk_sql.execute(
        "UPDATE testruns_check SET status = %s, remaining = forecast, "
        "detail = CASE WHEN rank > 0 AND detail = '' THEN %s ELSE detail END "
        "WHERE client_id = %s AND run_id = %s AND status = %s",
        (Status.WAITING.value, BROKEN_OFF, wall.required(), run_id, Status.IN_PROGRESS.value),
    )


def mark_users_due(run_id: str) -> None:
    """Note of all that is over by now that it was tested before the record's users were known."""
    bulk_sql.execute(
        "UPDATE testruns_check SET users = %s WHERE client_id = %s AND run_id = %s AND status IN (%s, %s)",
        (DUE, wall.required(), run_id, Status.PASSED.value, Status.FAILED.value),
    )


def mark_half(run_id: str) -> None:
    """Note of all whose rest waits that what was made of them was made before the record's users were known: tests as these come first."""
    bulk_sql.execute(
        "UPDATE testruns_check SET users = %s, turn = sort "
        "WHERE client_id = %s AND run_id = %s AND status = %s AND part > 0 AND users = %s",
        (HALF, wall.required(), run_id, Status.WAITING.value, ""),
    )


def mark_refused_due(run_id: str) -> None:
    """Note of all whose session ended that they were tested before anybody knew how their users sign in again."""
    bulk_sql.execute(
        f"UPDATE testruns_check SET users = %s WHERE {_SESSION_ENDED}",  # noqa: S608 - all of it is written here
        (REFUSED, *_session_ended(run_id)),
    )


def mark_anothers_due(run_id: str) -> None:
    """Note the same of all that were refused to an identity of the run's profile while nobody knew that another had sent them."""
    for one in map(_row, bulk_sql.select(_SELECT + _SESSION_ENDED, _session_ended(run_id))):
        if may_be_anothers(one.reason, one.detail):
            write(run_id, msgspec.structs.replace(one, users=REFUSED))


def refused(run_id: str) -> frozenset[str]:
    """The baselines whose recorded session is over at the target."""
    rows = bulk_sql.select(_SELECT + _SESSION_ENDED, _session_ended(run_id))
    return frozenset(one.baseline_id for one in map(_row, rows) if is_over(one.reason, one.detail))


def _session_ended(run_id: str) -> tuple[str, ...]:
    return wall.required(), run_id, Status.ERROR.value, "auth_failed", Status.FAILED.value, f"{FOUND_BEFORE}%"


def users_due(run_id: str, after: int, limit: int) -> list[CheckRow]:
    """The next of those, in the order of recording."""
    rows = bulk_sql.select(
        _OF_RUN + "AND sequence > %s AND users IN (%s, %s) ORDER BY sequence LIMIT %s",
        (wall.required(), run_id, after, DUE, REFUSED, limit),
    )
    return [_row(row) for row in rows]


def waiting_behind(run_id: str, after: int, limit: int) -> list[CheckRow]:
    """The next that wait, in the order of recording."""
    rows = bulk_sql.select(
        _OF_RUN + "AND sequence > %s AND status = %s ORDER BY sequence LIMIT %s",
        (wall.required(), run_id, after, Status.WAITING.value, limit),
    )
    return [_row(row) for row in rows]
