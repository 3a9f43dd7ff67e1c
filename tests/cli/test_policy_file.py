"""A policy's file is YAML or JSON, small, and plain."""

from pathlib import Path

import pytest

from gatecrash.cli.policy_file import MOST_BYTES, policy_fields, policy_from, read_document
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


EXTENSION = "meta-info: {title: t, type: info}\nsend: {url: /}\ndetect: {response: {status: 500}}\n"


def test_extensions_are_files_beside_the_policy(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "one.yaml").write_text(EXTENSION)
    file = tmp_path / "p.yaml"
    file.write_text("only_custom: true\nextensions: [own/one.yaml]\n")
    (extension,) = policy_from(file).extensions
    assert (extension.name, extension.text) == ("one.yaml", EXTENSION)
    assert policy_fields(file)["extensions"] == [{"name": "one.yaml", "text": EXTENSION}]


def test_a_mistake_in_an_extension_is_told_with_its_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(EXTENSION.replace("url: /", "url: x"))
    file = tmp_path / "p.yaml"
    file.write_text("types: [sqli]\nextensions: [one.yaml]\n")
    with pytest.raises(UserError, match=r"extension one\.yaml, line 2: send\.url"):
        policy_from(file)
    file.write_text("types: [sqli]\nextensions: [none.yaml]\n")
    with pytest.raises(UserError, match=r"none\.yaml cannot be read"):
        policy_from(file)
