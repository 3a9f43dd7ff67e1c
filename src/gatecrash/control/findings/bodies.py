"""Vulnerabilities as the API answers them. Runs hold some, so they stand apart from the operations and their framework."""

from typing import Literal

from pydantic import BaseModel, Field


class VulnerabilityView(BaseModel):
    """A vulnerability. point: empty for the request as a whole. found_at: UNIX seconds.

    state: what people decided about its code. suppressed: it fails no pipeline, and suppression_reason says why.
    """

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
    state: Literal["open", "fixed", "accepted", "false_positive"]
    suppressed: bool
    suppression_reason: str | None


class HistoryEntry(BaseModel):
    """What was decided or written. at: UNIX seconds. state: null where only words were written.

    actor_name: as in the audit log.
    """

    at: int
    actor: str
    actor_name: str | None
    state: str | None
    comment: str


class EvidenceView(VulnerabilityView):
    """A vulnerability with its proof; credentials are masked as `$TOKEN`.

    test_credentials and the like: a letter, the same for the same values; "none" where none were sent; null where
    nothing was kept, or the request is signed.
    """

    curl: str | None
    test_request: str | None
    test_response: str | None
    baseline_request: str | None
    baseline_response: str | None
    control_request: str | None
    control_response: str | None
    test_credentials: str | None
    baseline_credentials: str | None
    control_credentials: str | None
    history: list[HistoryEntry]


class VulnerabilityList(BaseModel):
    """A part of the client's vulnerabilities."""

    objects: list[VulnerabilityView]
    total: int
