"""A variable is read strictly: what is mistyped is refused by name and value."""

from pathlib import Path

import click
import pytest

from gatecrash.cli.ci.variables import Variables


def test_what_is_not_set_or_empty_is_none() -> None:
    variables = Variables({"A": "", "B": "  "})
    for name in ("A", "B", "C"):
        assert variables.text(name) is None
        assert variables.number(name, 1, 9) is None
        assert variables.flag(name) is None
        assert variables.folder(name) is None


@pytest.mark.parametrize(("text", "value"), [("1", 1), ("600", 600), (" 691200 ", 691200)])
def test_numbers_inside_their_range(text: str, value: int) -> None:
    assert Variables({"N": text}).number("N", 1, 691_200) == value


@pytest.mark.parametrize("text", ["0", "691201", "-1", "1.5", "ten", "1e3", "٣", "9" * 40])
def test_other_numbers_are_refused_with_the_range(text: str) -> None:
    with pytest.raises(click.UsageError, match=r"N=.* is no whole number from 1 to 691200"):
        Variables({"N": text}).number("N", 1, 691_200)


@pytest.mark.parametrize(("text", "value"), [("true", True), ("1", True), ("YES", True), ("off", False), ("0", False)])
def test_flags(text: str, value: bool) -> None:
    assert Variables({"F": text}).flag("F") is value


def test_another_flag_is_refused() -> None:
    with pytest.raises(click.UsageError, match="F=maybe is neither true nor false"):
        Variables({"F": "maybe"}).flag("F")


def test_what_is_required_is_explained() -> None:
    with pytest.raises(click.UsageError, match="R is not set: it says which"):
        Variables({}).required("R", "it says which")


def test_a_folder_is_made_and_one_that_cannot_be_is_told(tmp_path: Path) -> None:
    wanted = tmp_path / "a" / "b"
    assert Variables({"D": str(wanted)}).folder("D") == wanted
    assert wanted.is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(click.UsageError, match=r"D=.* cannot be made"):
        Variables({"D": str(tmp_path / "file" / "x")}).folder("D")
