"""Test records from the command line."""

from collections.abc import Callable
from typing import Any

from tests.cli.conftest import Invoke


def test_a_run_s_record_is_listed_and_shown(invoke: Invoke, document: Callable[..., Any]) -> None:
    run = document("run", "create", "--no-wait", "recorded", "--record-name", "its record")
    record = run["test_record_id"]
    assert document("record", "show", record)["name"] == "its record"
    assert f"{record}  its record" in invoke("record", "list").stdout
    assert "its record" in invoke("record", "show", record).stdout
    assert invoke("run", "interrupt", run["id"]).exit_code == 0


def test_an_unknown_one_is_refused(invoke: Invoke) -> None:
    assert invoke("record", "show", "rec_none").exit_code == 4
