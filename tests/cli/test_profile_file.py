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


FROM_ENVIRONMENT = """
values: [{point: [header, Authorization], value: "Bearer ${env:TOKEN}"}]
identities: [{name: a, variables: {deep: "x${env:TOKEN}y"}}]
"""


def test_variables_of_the_environment_are_filled_in_wherever_they_stand(tmp_path: Path) -> None:
    (identity,) = profile_from(written(tmp_path, FROM_ENVIRONMENT), {"TOKEN": "s3cret"}).identities
    assert identity.values[0].value == "Bearer s3cret"
    assert identity.variables == (("deep", "xs3crety"),)


@pytest.mark.parametrize("environment", [{}, {"TOKEN": ""}])
def test_one_that_is_not_set_is_named(tmp_path: Path, environment: dict[str, str]) -> None:
    with pytest.raises(UserError, match="environment variable TOKEN, which is not set"):
        profile_from(written(tmp_path, FROM_ENVIRONMENT), environment)


def test_a_document_nested_beyond_reason_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nested over"):
        profile_document(written(tmp_path, "a: " + "[" * 60 + "]" * 60))
