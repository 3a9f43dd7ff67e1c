"""Proof by options: real programs are given the value, with a shell's quotes or with none, and behind `--` or not."""

import shutil
import subprocess
from collections.abc import Callable

import pytest
from tests.absent import require
from tests.core.testing.driving import inquiry_into, played, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.option_based import Option, takes_options
from gatecrash.core.testing.probes.rce import PROBE

FOUND = Response(200, (), b"docs/tea.txt")


def outcome(application: Callable[[str], Response], seed: int = 1, parameter: str = "dir") -> Option | None:
    """What comes of it at an application that is told the value, which was "tea" at first."""
    request = Request("GET", f"/?{parameter}=tea".encode())
    inquiry = inquiry_into(parameter, record(lambda _: FOUND, request), PROBE, seed)
    return played(takes_options(inquiry), application)


def given_to(*command: str) -> Callable[[str], Response]:
    """An application that hands the value to a program as one argument, and shows what it says."""

    def answer(value: str) -> Response:
        if value == "tea":
            return FOUND
        words = [part.replace("@", value) for part in command]
        done = subprocess.run(words, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
        return Response(200, (), done.stdout + done.stderr)

    return answer


@pytest.mark.parametrize("command", [("grep", "-c", "@", "/dev/null"), ("find", "@"), ("sort", "@")])
def test_a_program_that_reads_the_value_as_an_option_is_found(command):
    found = outcome(given_to(*command))
    assert found is not None
    assert found.taken.payload == "--version"
    assert "version" in found.told().verified_by


def test_an_option_behind_a_blank_is_found_where_the_value_stands_behind_a_folder():
    found = outcome(lambda value: given_to(*f"sort /nowhere/{value}".split(" "))(value))
    assert found is not None
    assert found.taken.payload == "tea --version"


def test_a_value_that_becomes_several_arguments_is_found_whatever_the_options_of_its_program_do():
    found = outcome(lambda value: given_to(*f"ls {value}".split(" "))(value))
    assert found is not None
    assert found.taken.payload == "tea --version"


def test_a_program_without_versions_is_found_by_what_it_complains_of():
    def dig(value: str) -> Response:
        odd = next((word for word in value.split() if word.startswith("-")), None)
        return Response(200, (), f"dig: invalid option {odd}".encode()) if odd else FOUND

    found = outcome(dig)
    assert found is not None
    assert "knows no such option" in found.told().verified_by


@pytest.mark.parametrize(
    "application",
    [
        given_to("grep", "-c", "--", "@", "/dev/null"),
        given_to("echo", "you asked for @"),
        given_to("ls", "@"),
        # A manual is found by any word of its.
        lambda value: Response(200, (), b"grep (GNU grep) 3.8" if "version" in value else b"nothing"),
        # Speaks of options of its own.
        lambda value: Response(400, (), f"error: unknown option {value}".encode()),
        lambda _: Response(500, (), b"something is wrong"),
    ],
)
def test_what_takes_no_options_proves_nothing(application):
    for seed in range(20):
        assert outcome(application, seed) is None


def logging(*before: str) -> Callable[[str], Response]:
    """An application that shows what git writes, and none of its errors."""

    def answer(value: str) -> Response:
        words = ["git", *before, value]
        done = subprocess.run(words, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
        return FOUND if value == "tea" else Response(200, (), done.stdout or b"none")

    return answer


@pytest.fixture
def history(tmp_path, monkeypatch):
    """A folder whose history git knows."""
    require(shutil.which("git"), "git is absent")
    monkeypatch.chdir(tmp_path)
    person = ("-c", "user.name=anna", "-c", "user.email=anna@shop.example")
    for words in (("init", "-q"), (*person, "commit", "-q", "--allow-empty", "-m", "First")):
        subprocess.run(["git", *words], check=True, timeout=60)


@pytest.mark.usefixtures("history")
def test_git_that_writes_in_the_format_of_the_value_is_found():
    found = outcome(logging("log", "-n1"), parameter="branch")
    assert found is not None
    assert found.taken.payload.startswith("--format=")
    assert "whose sign it computes" in found.told().verified_by


@pytest.mark.usefixtures("history")
def test_git_that_is_told_where_options_end_proves_nothing():
    assert outcome(logging("log", "-n1", "--end-of-options"), parameter="branch") is None


@pytest.mark.parametrize("parameter", ["branch", "dir"])
def test_a_page_that_shows_a_format_or_what_any_sign_in_it_comes_to_proves_nothing(parameter):
    for seed in range(20):
        assert outcome(lambda value: Response(200, (), value.encode()), seed, parameter) is None
        assert outcome(lambda value: Response(200, (), value.replace("%x41", "A").encode()), seed, parameter) is None
