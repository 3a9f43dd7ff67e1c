"""Policies from the command line: made from files, changed, used by a run, deleted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cli.conftest import Invoke


def test_a_policy_s_life(invoke: Invoke, document: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "careful.yaml"
    file.write_text("types: [sqli, auth]\nexclude:\n  - [get, 'page|size']\nbudget: 200\n")
    made = invoke("policy", "create", str(file))
    policy_id = made.stdout.strip()
    assert policy_id.startswith("pol_")
    shown = document("policy", "show", policy_id)
    assert (shown["name"], shown["exclude"], shown["budget"]) == ("careful", [["get", "page|size"]], 200)
    assert "sqli, auth" in invoke("policy", "list").stdout
    file.write_text('{"budget": null}')
    assert document("policy", "change", policy_id, str(file))["budget"] is None
    run = document("run", "create", "--no-wait", "by policy", "--policy", policy_id)
    assert run["policy_id"] == policy_id
    assert invoke("policy", "delete", policy_id).exit_code == 0
    assert invoke("policy", "show", policy_id).exit_code == 4
    invoke("run", "interrupt", run["id"])


def test_a_mistake_in_a_file_is_named_with_its_place(invoke: Invoke, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("types: [sqli]\ninclude: [[get, '(']]\n")
    refused = invoke("policy", "create", str(file))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "wrong.yaml: include[0]" in refused.stderr
