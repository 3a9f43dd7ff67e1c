"""Two runs beside each other, by the codes of what they found: a code is the same weakness in every run."""

from typing import Any

from gatecrash.control.findings import queries
from gatecrash.control.findings.models import Vulnerability


def compare(run_id: str, other_id: str) -> dict[str, list[dict[str, Any]]]:
    """What only this run found, what only the other did, and what both did; the most severe first."""
    ours, theirs = _by_code(run_id), _by_code(other_id)
    return {
        "only_here": [found for code, found in ours.items() if code not in theirs],
        "only_there": [found for code, found in theirs.items() if code not in ours],
        "both": [found for code, found in ours.items() if code in theirs],
    }


def _by_code(run_id: str) -> dict[str, dict[str, Any]]:
    rows = Vulnerability.objects.filter(run_id=run_id).order_by("-threat", "code", "id")
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        found.setdefault(row.code, queries.shown(row))
    return found
