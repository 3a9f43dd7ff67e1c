"""The report as one JSON document: the run, its vulnerabilities with their proof, its baselines."""

from collections.abc import Iterable, Mapping
from typing import Any

from gatecrash.core.reports.report import told_at

VULNERABILITY = (
    "id",
    "code",
    "type",
    "threat",
    "cwe",
    "owasp_api",
    "owasp",
    "method",
    "url",
    "endpoint",
    "point",
    "title",
    "verified_by",
    "curl",
    "test_request",
    "test_response",
    "baseline_request",
    "remediation",
)
BASELINE = ("id", "method", "url", "status", "reason", "sent", "vulnerabilities")


def document(
    run: Mapping[str, Any], vulnerabilities: Iterable[Mapping[str, Any]], baselines: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """The document of `gatecrash scan --json`. run: the run object of the contract; the others as the API shows them.

    A vulnerability whose cause is another's, too, has the code under which reports for people tell it as `cause`.
    """
    found = list(vulnerabilities)
    return {
        "test_run": dict(run),
        "vulnerabilities": [_vulnerability(one, cause) for one, cause in zip(found, told_at(found), strict=True)],
        "baselines": [_baseline(one) for one in baselines],
    }


def _vulnerability(one: Mapping[str, Any], cause: str) -> dict[str, Any]:
    told = {name: one[name] for name in VULNERABILITY}
    if cause:
        told["cause"] = cause
    if one.get("suppressed"):
        told |= {"suppressed": True, "suppression_reason": one.get("suppression_reason")}
    return told


def _baseline(one: Mapping[str, Any]) -> dict[str, Any]:
    """With its detail where it is in error: `connection_failed` stands for several things."""
    told = {name: one[name] for name in BASELINE}
    return {**told, "detail": one.get("detail") or ""} if one["reason"] else told
