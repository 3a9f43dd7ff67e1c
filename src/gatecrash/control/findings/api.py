"""Vulnerabilities: list and read, with evidence."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel, Field

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.gate import identifier
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import READ
from gatecrash.control.findings import queries
from gatecrash.control.findings.models import Vulnerability

router = Router(tags=["vulnerabilities"])


class VulnerabilityView(BaseModel):
    """A vulnerability. point: empty for the request as a whole. found_at: UNIX seconds."""

    id: str
    code: str
    type: str
    threat: int = Field(ge=1, le=100)
    title: str
    cwe: list[int]
    owasp: list[str]
    owasp_api: list[str]
    method: str
    url: str
    endpoint: str
    point: list[list[str]]
    verified_by: str
    remediation: str
    test_run_id: str
    baseline_id: str
    found_at: int


class EvidenceView(VulnerabilityView):
    """A vulnerability with its proof; credentials are masked as `$TOKEN`."""

    curl: str | None
    test_request: str | None
    test_response: str | None
    baseline_request: str | None
    baseline_response: str | None
    control_request: str | None
    control_response: str | None


class VulnerabilityList(BaseModel):
    """A part of the client's vulnerabilities."""

    objects: list[VulnerabilityView]
    total: int


class VulnerabilityFilter(fields.Page):
    """Which vulnerabilities are wanted."""

    test_run_id: fields.Name | None = None
    type: fields.Name | None = None
    code: fields.Name | None = None


@identifier("vulnerability_id")
def load(_caller: Caller, value: str) -> Vulnerability | None:
    """The vulnerability of a path."""
    return Vulnerability.objects.filter(id=value).first()


@router.get("/vulns", **operation(READ, VulnerabilityList, query=True, summary="List vulnerabilities"))
def list_vulnerabilities(request: HttpRequest, wanted: Query[VulnerabilityFilter]) -> Answer:
    """The client's vulnerabilities, the newest first."""
    rows = queries.vulnerabilities(wanted.test_run_id, wanted.type, wanted.code)
    part, total = fields.page(rows, wanted)
    return ok({"objects": [queries.shown(row) for row in part], "total": total})


@router.get(
    "/vulns/{vulnerability_id}", **operation(READ, EvidenceView, summary="Read a vulnerability with its evidence")
)
def show_vulnerability(request: HttpRequest, vulnerability_id: str) -> Answer:
    """A vulnerability with its evidence."""
    row: Any = found(request, "vulnerability_id")
    return ok(queries.with_evidence(row))
