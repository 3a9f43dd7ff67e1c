"""A profile's file is read strictly, and no mistake is shown with a secret beside it."""

from pathlib import Path

import pytest

from gatecrash.cli.profile_file import profile_document, profile_from
from gatecrash.core.errors import UserError

GOOD = """
identities:
  - name: alice
    values: [{point: [header, X-KEY], value: hunter2}]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "users.yaml"
    path.write_text(text)
    return path


def test_the_file_names_the_profile_where_it_does_not_itself(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    assert profile_document(path)["name"] == "users"
    assert profile_from(path).name == "users"
    assert profile_from(written(tmp_path, f"name: mine\n{GOOD}")).name == "mine"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("identities: [{name: a, values: [{point: [nowhere], value: hunter2}]}]", "identities[0].values[0].point"),
        ("identities: [hunter2", "line 1, column"),
        ("identities: *hunter2", "found undefined alias '…'"),
        ("[hunter2]", "holds no auth profile"),
        ("identites: [{name: hunter2}]", "'identites' is no field of an auth profile"),
    ],
)
def test_a_mistake_is_told_by_its_place_and_never_by_its_value(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UserError) as error:
        profile_from(written(tmp_path, text))
    assert "users.yaml" in str(error.value)
    assert told in str(error.value)
    assert "hunter2" not in str(error.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        profile_from(tmp_path / "none.yaml")
