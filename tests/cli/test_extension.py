"""`gatecrash extension check`: what is fine and what is wrong, for people, editors and programs."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from gatecrash.cli.main import main

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "docs" / "extensions").glob("*.yaml"))
WRONG = "meta-info: {title: t, type: x}\nsnd: 1\n"


def checked(*words: object) -> Result:
    return CliRunner().invoke(main, ["extension", "check", *map(str, words)])


def test_our_examples_are_fine() -> None:
    done = checked(*EXAMPLES)
    assert (done.exit_code, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == len(EXAMPLES) >= 5
    assert all(": fine: " in line for line in done.stdout.splitlines())


def test_a_mistake_is_told_as_compilers_do_and_the_others_are_checked_too(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(WRONG)
    done = checked(file, EXAMPLES[0])
    assert done.exit_code == 1
    assert f"{file}:1: meta-info.type: 'x' is none of" in done.stdout
    assert f"{file}:2: snd: no such phase" in done.stdout
    assert ": fine: " in done.stdout


def test_programs_read_json(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(WRONG)
    done = checked("--json", file, EXAMPLES[0])
    assert done.exit_code == 1
    wrong, fine = json.loads(done.stdout)["extensions"]
    assert (wrong["ok"], [each["line"] for each in wrong["mistakes"]]) == (False, [1, 2])
    assert (fine["ok"], fine["mistakes"]) == (True, [])


def test_a_file_that_cannot_be_read_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "large").write_bytes(b"#" * 100_000)
    for name in ("none", "bytes", "large"):
        done = checked(tmp_path / name)
        assert (done.exit_code, name in done.stderr) == (2, True), name
