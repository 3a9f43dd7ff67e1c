"""A policy's file is YAML or JSON, small, and plain."""

from pathlib import Path

import pytest

from gatecrash.cli.policy_file import MOST_BYTES, policy_from, read_document
from gatecrash.core.errors import UserError


@pytest.mark.parametrize("text", ["types: [sqli]\n", '{"types": ["sqli"]}', "---\ntypes:\n- sqli\n"])
def test_yaml_and_json(tmp_path: Path, text: str) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(text)
    assert policy_from(file).types == ("sqli",)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[1, 2]", "holds no policy"),
        (b"", "holds no policy"),
        (b"{", "neither YAML nor JSON"),
        (b"\xff\xfe\x00", "neither YAML nor JSON"),
        (b"a: !!python/object/apply:os.getcwd []", "neither YAML nor JSON"),
        (b"[" * 100_000, "neither YAML nor JSON"),
        (b"#" * (MOST_BYTES + 1), "is over"),
    ],
)
def test_what_is_no_policy_is_told(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "p"
    file.write_bytes(content)
    with pytest.raises(UserError, match=said):
        read_document(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        policy_from(tmp_path / "none")
