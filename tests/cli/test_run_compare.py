"""Two runs beside each other; `test_vuln_triage.py` compares real ones with findings."""

from collections.abc import Callable
from typing import Any

from tests.cli.conftest import Invoke


def test_runs_that_found_nothing_have_nothing_to_compare(invoke: Invoke, document: Callable[..., Any]) -> None:
    runs = []
    for name in ("before", "after"):
        runs.append(document("run", "create", "--no-wait", name)["id"])
        invoke("run", "interrupt", runs[-1])
    body = document("run", "compare", runs[1], runs[0])
    assert (body["test_run_id"], body["other_test_run_id"]) == (runs[1], runs[0])
    assert {name: body[name] for name in ("new", "persisting", "fixed", "not_tested")} == {
        "new": [],
        "persisting": [],
        "fixed": [],
        "not_tested": [],
    }
    told = invoke("run", "compare", runs[1], runs[0])
    assert "Neither run found anything." in told.stderr
    assert "0 are new; 0 are persisting; 0 are fixed; 0 are not tested." in told.stderr
    assert invoke("run", "compare", runs[1], "tr_none").exit_code == 4
