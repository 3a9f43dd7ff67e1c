"""A run's row, its core value, and the run object that the API shows (contract 2.6, decisions 7)."""

from collections.abc import Iterable
from typing import Any

from gatecrash.control.testruns import starting
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.core.reports.run_object import run_object
from gatecrash.core.testing.run import Run, State

FIELDS = Run.__struct_fields__
KEPT_SECONDS = 15


def to_run(row: TestRun) -> Run:
    """The core's value of a row."""
    values = {name: getattr(row, name) for name in FIELDS}
    return Run(**{**values, "state": State(row.state)})


def from_run(row: TestRun, run: Run) -> list[str]:
    """Write the core's value into the row; the names of what changed."""
    changed = []
    for name in FIELDS:
        value = getattr(run, name)
        plain = str(value) if name == "state" else value
        if getattr(row, name) != plain:
            setattr(row, name, plain)
            changed.append(name)
    return changed


def recent_seconds(recent: dict[str, Any]) -> Iterable[tuple[float, int]]:
    """Sent per second as (begin of the second on our clock, sent).

    The node's present start keeps its own seconds and one offset, so that a jittery network never counts a second twice.
    """
    offset = recent.get("offset", 0.0)
    yield from ((begin, sent) for begin, sent in recent.get("earlier", ()))
    yield from ((begin + offset, sent) for begin, sent in recent.get("seconds", ()))


def merge_recent(
    recent: dict[str, Any], session: str, offset: float, seconds: Iterable[tuple[int, int]], now: float
) -> dict[str, Any]:
    """The column after a heartbeat: the node's last seconds replace what it said before; another start's are kept."""
    kept = [[begin, sent] for begin, sent in seconds if begin + offset > now - KEPT_SECONDS]
    if recent.get("session") == session:
        earlier = recent.get("earlier", [])
        offset = recent["offset"]
    else:
        earlier = [list(pair) for pair in recent_seconds(recent)]
    earlier = [[begin, sent] for begin, sent in earlier if begin > now - KEPT_SECONDS]
    return {"session": session, "offset": offset, "seconds": kept, "earlier": earlier}


def shown_run(row: TestRun, now: float) -> dict[str, Any]:
    """The run object."""
    return run_object(row, to_run(row), recent_seconds(row.recent), now)


def shown_record(row: TestRecord) -> dict[str, Any]:
    """The record object."""
    return {
        "id": row.id,
        "name": row.name,
        "baseline_count": row.baseline_count,
        "domains": row.domains,
        "recording": row.recording,
        "ready_for_recording": row.recording and row.confirmed,
        "ready_for_cloning": not (row.recording or row.draining),
        "node_id": row.node_id,
        "test_run_id": row.recorder or None,
        "inactivity_timeout": row.inactivity_timeout,
        "created_at": row.created_at,
        "start": starting.shown(row),
    }
