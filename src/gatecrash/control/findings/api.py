"""Vulnerabilities: list and read, with evidence."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import field_validator

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.errors import refuse
from gatecrash.control.api.gate import identifier
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.findings import queries, triage, triage_api
from gatecrash.control.findings.bodies import EvidenceView, VulnerabilityList
from gatecrash.control.findings.models import Vulnerability
from gatecrash.core.testing.catalogue import CATALOGUE

router = Router(tags=["vulnerabilities"])
router.add_router("", triage_api.router)


class VulnerabilityFilter(fields.Page):
    """Which vulnerabilities are wanted."""

    test_run_id: fields.Name | None = None
    type: fields.Name | None = None
    code: fields.Name | None = None

    @field_validator("type")
    @classmethod
    def known(cls, value: str | None) -> str | None:
        """Refuse a type that there is not: an empty list would read like no flaw. What an earlier version found stays."""
        if value is None or value in CATALOGUE or queries.vulnerabilities(None, value, None).exists():
            return value
        raise refuse("invalid_value", choices=list(CATALOGUE))


@identifier("vulnerability_id")
def load(_caller: Caller, value: str) -> Vulnerability | None:
    """The vulnerability of a path."""
    return Vulnerability.objects.filter(id=value).first()


@router.get("/vulns", **operation(READ, VulnerabilityList, query=True, summary="List vulnerabilities"))
def list_vulnerabilities(request: HttpRequest, wanted: Query[VulnerabilityFilter]) -> Answer:
    """The client's vulnerabilities, the newest first."""
    rows = queries.vulnerabilities(wanted.test_run_id, wanted.type, wanted.code)
    part, total = fields.page(rows, wanted)
    suppressed = triage.suppressed_codes()
    return ok({"objects": [queries.shown(row, suppressed) for row in part], "total": total})


@router.get(
    "/vulns/{vulnerability_id}", **operation(READ, EvidenceView, summary="Read a vulnerability with its evidence")
)
def show_vulnerability(request: HttpRequest, vulnerability_id: str) -> Answer:
    """A vulnerability with its evidence."""
    row: Any = found(request, "vulnerability_id")
    return ok(queries.with_evidence(row))


@router.patch(
    "/vulns/{vulnerability_id}", **operation(EDIT, EvidenceView, body=True, summary="Decide about a vulnerability")
)
def decide(request: HttpRequest, vulnerability_id: str, body: triage_api.Decision) -> Answer:
    """Set the state of the vulnerability's code, write a comment, or both; it holds in every run."""
    row: Any = found(request, "vulnerability_id")
    triage.decide(row, body.state, body.comment)
    row.refresh_from_db()
    return ok(queries.with_evidence(row))
