"""Authentication parameters from the command line."""

from collections.abc import Callable
from typing import Any

from tests.cli.conftest import Invoke

Document = Callable[..., Any]


def test_parameters_can_be_listed_added_and_removed(invoke: Invoke, document: Document) -> None:
    assert len(document("auth-params", "list")["parameters"]) == 34
    added = document("auth-params", "add", "header:x-partner")
    assert added["point"] == [["header", "X-PARTNER"]]
    assert f"{added['id']}  custom   header:X-PARTNER" in invoke("auth-params", "list").stdout
    again = invoke("auth-params", "add", '["header", "X-Partner"]')
    assert (again.exit_code, again.stdout) == (4, "")
    assert "point: exists already" in again.stderr
    assert invoke("auth-params", "remove", added["id"]).exit_code == 0
    assert len(document("auth-params", "list")["parameters"]) == 34
    assert invoke("auth-params", "add", "nonsense").exit_code == 2
