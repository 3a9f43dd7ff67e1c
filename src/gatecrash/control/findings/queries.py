"""Reads of vulnerabilities, with their evidence masked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, Max, Min

from gatecrash.control.findings import evidence_rows, triage
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.findings.recognising import current_recogniser, hidden_points
from gatecrash.core.reports.finding import evidence, vulnerability

AT_ONCE = 100  # findings whose evidence is read together; each may hold several long answers


def vulnerabilities(run_id: str | None, type_: str | None, code: str | None) -> Any:
    """The client's vulnerabilities, the newest first."""
    rows = Vulnerability.objects.select_related("fingerprint").order_by("-found_at", "-id")
    wanted = {"run_id": run_id, "type": type_, "code": code}
    return rows.filter(**{name: value for name, value in wanted.items() if value is not None})


def once(rows: Any) -> Any:
    """Of vulnerabilities, one for each code: the newest, as identifiers begin with their moment."""
    newest = rows.order_by().values("code").annotate(newest=Max("id")).values("newest")
    return rows.filter(id__in=newest)


def times_found(codes: Sequence[str]) -> dict[str, int]:
    """How often each of these codes was found, in all runs together."""
    rows = Vulnerability.objects.filter(code__in=list(codes)).values("code").annotate(number=Count("id"))
    return {row["code"]: row["number"] for row in rows}


def times_seen(code: str) -> dict[str, int]:
    """When this code was found first and last, and how often, in all runs together."""
    return dict(
        Vulnerability.objects.filter(code=code).aggregate(
            first=Min("found_at"), last=Max("found_at"), number=Count("id")
        )
    )


def ids_by_baseline(run_id: str, baseline_ids: Sequence[str]) -> dict[str, list[str]]:
    """The identifiers of the run's vulnerabilities on each of these baselines."""
    found: dict[str, list[str]] = {}
    rows = Vulnerability.objects.filter(run_id=run_id, baseline_id__in=list(baseline_ids)).order_by("found_at", "id")
    for baseline_id, vulnerability_id in rows.values_list("baseline_id", "id"):
        found.setdefault(baseline_id, []).append(vulnerability_id)
    return found


def shown(row: Vulnerability, suppressed: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A vulnerability without its evidence. suppressed: the codes that are, where the caller has read them already."""
    codes = triage.suppressed_codes() if suppressed is None else suppressed
    return {
        **vulnerability(row),
        "state": row.fingerprint.state,
        "suppressed": row.code in codes,
        "suppression_reason": codes.get(row.code),
    }


def with_evidence(row: Vulnerability) -> dict[str, Any]:
    """A vulnerability with the exchanges that prove it, credentials masked, and a curl command that repeats it."""
    return next(all_with_evidence([row]))


def all_with_evidence(rows: Sequence[Vulnerability]) -> Iterator[dict[str, Any]]:
    """The same of many: what holds for all of them is read once, and of the rest some at a time."""
    suppressed, recogniser = triage.suppressed_codes(), current_recogniser()
    points = hidden_points(id__in={row.run_id for row in rows})
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        kept = evidence_rows.read_all([row.id for row in some])
        histories = triage.histories([row.code for row in some])
        for row in some:
            one = kept.get(row.id)
            test, baseline, control = (one.test, one.baseline, one.control) if one else (None, None, None)
            told = evidence(test, baseline, control, recogniser, points)
            yield {**shown(row, suppressed), **told, "history": histories.get(row.code, [])}
