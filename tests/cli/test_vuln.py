"""Vulnerabilities from the command line; the demo's test looks at real ones."""

from collections.abc import Callable
from typing import Any

from tests.cli.conftest import Invoke

from gatecrash.cli.vuln import FOUND_COLUMNS, VULNERABILITY_COLUMNS, once, vulnerability_row


def test_an_empty_listing_is_a_document_too(invoke: Invoke, document: Callable[..., Any]) -> None:
    assert document("vuln", "list", "--type", "sqli") == {"objects": [], "total": 0}
    assert "only what was tested can be found" in invoke("vuln", "list", "--type", "sqli").stderr


def test_an_unknown_one_is_refused(invoke: Invoke) -> None:
    assert invoke("vuln", "show", "vuln_none").exit_code == 4


def test_a_row_shows_the_point_as_it_is_typed() -> None:
    one = dict.fromkeys(VULNERABILITY_COLUMNS, "x") | {"point": [["get", "q"]]}
    assert vulnerability_row(one)[-1] == "query:q"
    assert vulnerability_row({**one, "point": []})[-1] == "-"


def test_a_run_s_vulnerability_is_one_row_with_the_number_of_its_findings() -> None:
    one = dict.fromkeys(VULNERABILITY_COLUMNS, "x") | {"point": [["get", "q"]]}
    rows = [{**one, "id": f"vuln_{place}", "code": code} for place, code in enumerate(("S0001", "S0002", "S0001"))]
    assert [dict(zip(FOUND_COLUMNS, row, strict=True))["findings"] for row in once(rows)] == [2, 1]
    assert [row[0] for row in once(rows)] == ["vuln_0", "vuln_1"]
