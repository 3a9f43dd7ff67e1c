"""A run's baselines as pages show them: filtered by status, and one opened."""

from typing import Any

from gatecrash.control import bulk_sql, wall
from gatecrash.control.findings import queries as findings
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.findings.recognising import current_recogniser, hidden_points
from gatecrash.control.testruns import baseline_rows, check_rows, queries, undecided_rows
from gatecrash.control.testruns.mapping import to_run
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.ui.words import UNDECIDED
from gatecrash.core.reports.body_secrets import secrets_of
from gatecrash.core.reports.finding import masked
from gatecrash.core.reports.raw import raw_request, raw_response
from gatecrash.core.testing.catalogue import entry_of

# The bar's segments in the order in which they grow: counter, words, tone.
SEGMENTS = (
    ("baseline_check_passed_count", "Passed", "good"),
    ("baseline_check_fail_count", "Failed", "bad"),
    ("baseline_check_tech_fail_count", "Error", "warn"),
    ("baseline_check_interrupted_count", "Interrupted", "idle"),
    ("baseline_check_running_count", "In progress", "busy"),
    ("baseline_check_waiting_count", "Waiting", "sunk"),
)


def progress(run: dict[str, Any]) -> list[dict[str, Any]]:
    """The run's bar: each status with its count, and its place and width in thousandths."""
    total = sum(run[name] for name, _, _ in SEGMENTS)
    segments, start = [], 0.0
    for name, words, tone in SEGMENTS:
        width = 1000 * run[name] / total if total else 0.0
        segments.append(
            {"words": words, "tone": tone, "count": run[name], "start": round(start, 2), "width": round(width, 2)}
        )
        start += width
    return segments


def page(row: TestRun, status: str | None, limit: int, offset: int) -> tuple[list[dict[str, Any]], int]:
    """A part of the run's baselines, of one status where one is wanted, and how many there are."""
    if status is None:
        return queries.baselines(row, limit, offset), to_run(row).baseline_count
    stored, found = _stored(status, has_ended=to_run(row).ended)
    if not stored:
        return [], 0
    ids, total = _ids(row.id, stored, found, limit, offset)
    return _lines(row, ids), total


def one(row: TestRun, baseline_id: str) -> dict[str, Any] | None:
    """One baseline with its exchange, credentials masked, what was found and what was left undecided; None without it."""
    if baseline_id not in check_rows.of_baselines(row.id, [baseline_id]):
        return None
    kept = baseline_rows.read(row.record_id, [baseline_id]).get(baseline_id)
    shown = (
        masked(kept.exchange, current_recogniser(), hidden_points(id=row.id), secrets_of(kept.request))
        if kept is not None
        else None
    )
    rows = Vulnerability.objects.filter(run_id=row.id, baseline_id=baseline_id).order_by("-threat", "id")
    return {
        **_lines(row, [baseline_id])[0],
        "vulns": [findings.shown(item) for item in rows],
        "undecided": [
            {**item, "title": entry_of(item["type"]).title, "why": UNDECIDED.get(item["reason"], item["reason"])}
            for item in undecided_rows.of_baseline(row.id, baseline_id)
        ],
        "request": raw_request(shown.request) if shown else None,
        "response": raw_response(shown.response) if shown and shown.response is not None else None,
    }


def _lines(row: TestRun, ids: list[str]) -> list[dict[str, Any]]:
    """Checks of these baselines as the API shows them, in this order."""
    checks = check_rows.of_baselines(row.id, ids)
    return queries.shown(row, [checks[name] for name in ids])


def _stored(status: str, *, has_ended: bool) -> tuple[tuple[str, ...], bool | None]:
    """Which stored statuses, and which mark of a finding, read as this status (see `effective_status`)."""
    if not has_ended:
        return (status,), None
    if status in ("waiting", "in_progress"):
        return (), None
    return (
        ((status, "waiting", "in_progress"), status == "failed")
        if status in ("failed", "interrupted")
        else ((status,), None)
    )


def _ids(run_id: str, stored: tuple[str, ...], found: bool | None, limit: int, offset: int) -> tuple[list[str], int]:
    marks = ", ".join(["%s"] * len(stored))
    condition = f"FROM testruns_check WHERE client_id = %s AND run_id = %s AND status IN ({marks})"
    params: tuple[Any, ...] = (wall.required(), run_id, *stored)
    if found is not None:  # what was open when the run ended is Failed with a finding, else Interrupted
        condition += " AND (status = %s OR found = %s)"
        params = (*params, "failed" if found else "interrupted", found)
    total = int(bulk_sql.select(f"SELECT COUNT(*) {condition}", params)[0][0])
    order = f"SELECT baseline_id {condition} ORDER BY sequence LIMIT %s OFFSET %s"
    return [row[0] for row in bulk_sql.select(order, (*params, limit, offset))], total
