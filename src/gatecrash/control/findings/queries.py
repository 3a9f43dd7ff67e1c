"""Reads of vulnerabilities, with their evidence masked."""

from collections.abc import Sequence
from typing import Any

from gatecrash.control.findings import evidence_rows
from gatecrash.control.findings.masking import mask_request, mask_response
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.findings.raw import curl, raw_request, raw_response
from gatecrash.control.findings.recognising import current_recogniser
from gatecrash.core.auth.recogniser import Recogniser
from gatecrash.core.message import Exchange
from gatecrash.core.testing.catalogue import entry_of


def vulnerabilities(run_id: str | None, type_: str | None, code: str | None) -> Any:
    """The client's vulnerabilities, the newest first."""
    rows = Vulnerability.objects.order_by("-found_at", "-id")
    wanted = {"run_id": run_id, "type": type_, "code": code}
    return rows.filter(**{name: value for name, value in wanted.items() if value is not None})


def ids_by_baseline(run_id: str, baseline_ids: Sequence[str]) -> dict[str, list[str]]:
    """The identifiers of the run's vulnerabilities on each of these baselines."""
    found: dict[str, list[str]] = {}
    rows = Vulnerability.objects.filter(run_id=run_id, baseline_id__in=list(baseline_ids)).order_by("found_at", "id")
    for baseline_id, vulnerability_id in rows.values_list("baseline_id", "id"):
        found.setdefault(baseline_id, []).append(vulnerability_id)
    return found


def shown(row: Vulnerability) -> dict[str, Any]:
    """A vulnerability without its evidence; what is true of its whole class comes from the catalogue."""
    about = entry_of(row.type)
    return {
        "id": row.id,
        "code": row.code,
        "type": row.type,
        "threat": row.threat,
        "title": row.title or about.title,
        "cwe": row.cwe or list(about.cwe),
        "owasp": list(about.owasp),
        "owasp_api": list(about.owasp_api),
        "method": row.method,
        "url": row.url,
        "endpoint": row.endpoint,
        "point": [row.point] if row.point else [],
        "verified_by": row.verified_by,
        "remediation": about.remediation,
        "test_run_id": row.run_id,
        "baseline_id": row.baseline_id,
        "found_at": row.found_at,
    }


def with_evidence(row: Vulnerability) -> dict[str, Any]:
    """A vulnerability with the exchanges that prove it, credentials masked, and a curl command that repeats it."""
    evidence = evidence_rows.read(row.id)
    recogniser = current_recogniser()
    test = _masked(evidence.test if evidence else None, recogniser)
    baseline = _masked(evidence.baseline if evidence else None, recogniser)
    control = _masked(evidence.control if evidence else None, recogniser)
    return {
        **shown(row),
        "curl": curl(test.request) if test else None,
        "test_request": _request(test),
        "test_response": _response(test),
        "baseline_request": _request(baseline),
        "baseline_response": _response(baseline),
        "control_request": _request(control),
        "control_response": _response(control),
    }


def _masked(exchange: Exchange | None, recogniser: Recogniser) -> Exchange | None:
    if exchange is None:
        return None
    response = mask_response(exchange.response) if exchange.response is not None else None
    return Exchange(mask_request(exchange.request, recogniser), response)


def _request(exchange: Exchange | None) -> str | None:
    return raw_request(exchange.request) if exchange else None


def _response(exchange: Exchange | None) -> str | None:
    return raw_response(exchange.response) if exchange and exchange.response is not None else None
