"""A vulnerability's body says what the contract says, and takes nothing else."""

from typing import Any

import pytest
from pydantic import ValidationError

from gatecrash.control.findings.bodies import VulnerabilityView

SHOWN: dict[str, Any] = {
    "id": "vuln_1",
    "code": "S0001",
    "type": "sqli",
    "threat": 95,
    "title": "SQL injection",
    "cwe": [89],
    "owasp": ["A03:2021"],
    "owasp_api": [],
    "method": "GET",
    "url": "http://shop.example/teas?origin=India",
    "endpoint": "GET /teas",
    "point": [["get", "origin"]],
    "verified_by": "asked twice",
    "remediation": "bind parameters",
    "test_run_id": "tr_1",
    "baseline_id": "bl_1",
    "found_at": 1_700_000_000,
    "state": "open",
    "suppressed": False,
    "suppression_reason": None,
}


def test_it_is_told_as_it_was_given() -> None:
    assert VulnerabilityView.model_validate(SHOWN, strict=True).model_dump() == SHOWN


@pytest.mark.parametrize(
    ("name", "value"), [("threat", 0), ("threat", 101), ("state", "closed"), ("suppressed", None), ("point", ["get"])]
)
def test_what_the_contract_does_not_know_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError) as raised:
        VulnerabilityView.model_validate({**SHOWN, name: value}, strict=True)
    assert raised.value.errors()[0]["loc"][0] == name
