"""Auth profiles from the command line: made from files, used by a run, replaced, deleted, never shown."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cli.conftest import Invoke

TEXT = """
name: shop
identities:
  - name: alice
    rank: 1
    values: [{point: [header, X-KEY], value: hunter2}]
  - name: robot
    sign: {scheme: hawk, key_id: r, key: hawk-hunter2}
"""


def test_a_profile_s_life(invoke: Invoke, document: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "shop.yaml"
    file.write_text(TEXT)
    made = invoke("auth-profile", "create", str(file))
    profile_id = made.stdout.strip()
    assert profile_id.startswith("prof_"), made.stderr
    shown = invoke("auth-profile", "show", profile_id)
    for words in ("alice", "header:X-KEY", "hawk", "wherever tests go"):
        assert words in shown.stdout
    listed = invoke("auth-profile", "list")
    assert "alice, robot" in listed.stdout
    read = document("auth-profile", "show", profile_id)
    assert [one["rank"] for one in read["identities"]] == [1, 0]
    run = document("run", "create", "--no-wait", "signed in", "--auth-profile", profile_id)
    assert run["auth_profile_id"] == profile_id
    refused = invoke("auth-profile", "delete", profile_id)
    assert (refused.exit_code, "signs in by this profile" in refused.stderr) == (4, True)
    invoke("run", "interrupt", run["id"])
    file.write_text(TEXT.replace("name: shop", "name: other"))
    assert document("auth-profile", "replace", profile_id, str(file))["name"] == "other"
    assert invoke("auth-profile", "delete", profile_id).exit_code == 0
    assert invoke("auth-profile", "show", profile_id).exit_code == 4
    for said in (made, shown, listed, refused):
        assert "hunter2" not in said.stdout + said.stderr
    assert "hunter2" not in str(read)


def test_a_mistake_in_a_file_is_named_with_its_place(invoke: Invoke, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("identities: [{name: a}]")
    refused = invoke("auth-profile", "create", str(file))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "wrong.yaml: identities[0]: has no credentials" in refused.stderr


def test_an_unknown_profile_is_refused_by_its_field(invoke: Invoke) -> None:
    refused = invoke("run", "create", "--no-wait", "x", "--auth-profile", "prof_none")
    assert (refused.exit_code, "auth_profile_id: does not exist" in refused.stderr) == (4, True)
