"""A run's log: what people did to it, what it found, and how it ended, the newest first."""

from typing import Any

from gatecrash.control.accounts import queries as accounts
from gatecrash.control.accounts.reading_names import names_of
from gatecrash.control.findings import queries as findings
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.ui import words
from gatecrash.core.reports.plural import plural

SHOWN = 50
ACTIONS = {
    "test_run.create": "Created",
    "test_run.stop": "Recording stopped by hand",
    "test_run.pause": "Paused",
    "test_run.resume": "Resumed",
    "test_run.interrupt": "Interrupted by hand",
}


def log_of(row: TestRun) -> list[dict[str, Any]]:
    """The last entries: `at` in UNIX seconds, `text`, `who` (empty for the run itself), and `vulnerability_id` of a finding."""
    entries = [*_happened(row)[::-1], *_found(row), *_done(row)]  # of one second, what came last stands first
    return sorted(entries, key=lambda entry: entry["at"], reverse=True)[:SHOWN]


def _done(row: TestRun) -> list[dict[str, Any]]:
    """What people and tokens did, by the audit log."""
    rows = list(accounts.audit_entries().filter(target=row.id)[:SHOWN])
    names = names_of({one.actor for one in rows})
    return [_entry(one.at, ACTIONS.get(one.action, one.action), names.get(one.actor, one.actor)) for one in rows]


def _found(row: TestRun) -> list[dict[str, Any]]:
    found = findings.vulnerabilities(row.id, None, None).order_by("-found_at", "-code")[:SHOWN]
    return [_entry(one.found_at, f"Found {one.code}: {one.title}", vulnerability_id=one.id) for one in found]


def _happened(row: TestRun) -> list[dict[str, Any]]:
    """What came by itself: the end of recording, and the run's own."""
    entries = []
    record = TestRecord.objects.filter(id=row.record_id).first()
    if record is not None and record.stopped_at is not None and record.recorder == row.id:
        entries.append(
            _entry(record.stopped_at, f"Recording over, {plural(record.baseline_count, 'baseline request')}")
        )
    if row.end_time is not None:
        title = words.STATES[row.state][0] if row.state in words.STATES else row.state
        reason = f": {row.interrupt_reason.replace('_', ' ')}" if row.interrupt_reason else ""
        entries.append(_entry(row.end_time, f"{title}{reason}"))
    return entries


def _entry(at: float, text: str, who: str = "", vulnerability_id: str = "") -> dict[str, Any]:
    return {"at": int(at), "text": text, "who": who, "vulnerability_id": vulnerability_id}
