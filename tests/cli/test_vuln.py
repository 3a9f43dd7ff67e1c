"""Vulnerabilities from the command line; the demo's test looks at real ones."""

from collections.abc import Callable
from typing import Any

from tests.cli.conftest import Invoke

from gatecrash.cli.vuln import VULNERABILITY_COLUMNS, vulnerability_row


def test_an_empty_listing_is_a_document_too(invoke: Invoke, document: Callable[..., Any]) -> None:
    assert document("vuln", "list", "--type", "sqli") == {"objects": [], "total": 0}
    assert "only what was tested can be found" in invoke("vuln", "list", "--type", "sqli").stderr


def test_an_unknown_one_is_refused(invoke: Invoke) -> None:
    assert invoke("vuln", "show", "vuln_none").exit_code == 4


def test_a_row_shows_the_point_as_it_is_typed() -> None:
    one = dict.fromkeys(VULNERABILITY_COLUMNS, "x") | {"point": [["get", "q"]]}
    assert vulnerability_row(one)[-1] == "query:q"
    assert vulnerability_row({**one, "point": []})[-1] == "-"
