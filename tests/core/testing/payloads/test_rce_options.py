"""Payloads that are options: what programs answer them with, and what only looks like it."""

import shutil
import subprocess

import pytest
from tests.absent import require

from gatecrash.core.testing.payloads.rce_options import (
    FORMAT,
    NO_FORMATS,
    NONE,
    UNKNOWN,
    VERSION,
    complains_of,
    is_formatted,
    names_a_revision,
    tells_version,
)


def said_by(program: str, option: str) -> str:
    require(shutil.which(program), f"{program} is absent")
    done = subprocess.run(
        [program, option], capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("program", ["grep", "find", "tar", "sort", "git", "date"])
def test_real_programs_tell_their_version(program):
    assert tells_version(said_by(program, VERSION), any_program=False)


@pytest.mark.parametrize("program", ["grep", "find", "tar", "sort", "date"])
def test_real_programs_complain_of_an_option_by_its_name(program):
    mark = "qzxkwvb"
    assert complains_of(said_by(program, UNKNOWN.replace("{mark}", mark)), mark, any_program=False)
    assert not complains_of(said_by(program, UNKNOWN.replace("{mark}", mark)), "qzxkwvc", any_program=True)
    assert all(not option.replace("{mark}", mark).startswith("-") for option in NONE)


@pytest.mark.parametrize("program", ["ls", "/bin/ls", "cat", "/usr/bin/head"])
def test_programs_whose_options_do_nothing_count_among_any_alone(program):
    mark = "qzxkwvb"
    assert [tells_version(said_by(program, VERSION), any_program=any_program) for any_program in (False, True)] == [
        False,
        True,
    ]
    complaint = said_by(program, UNKNOWN.replace("{mark}", mark))
    assert [complains_of(complaint, mark, any_program=any_program) for any_program in (False, True)] == [False, True]


@pytest.mark.parametrize("program", ["ping", "/bin/ping"])
def test_so_does_ping(program):
    complaint = f"{program}: unrecognized option '--qzxkwvb'"
    assert [complains_of(complaint, "qzxkwvb", any_program=any_program) for any_program in (False, True)] == [
        False,
        True,
    ]
    assert [tells_version("ping from iputils 20221126", any_program=any_program) for any_program in (False, True)] == [
        False,
        True,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "version 2.1 of our shop",
        "see --version",
        "Version: 5",
        "grep is a program",
        "our API (v2.3)",
        "git versions differ",
    ],
)
def test_other_words_of_versions_are_none(text):
    assert not tells_version(text, any_program=True)


@pytest.mark.parametrize(
    "text",
    [
        "error: unknown option --qzxkwvb",
        "You searched for --qzxkwvb",
        "unknown option: --qzxkwvb",
        "filter: --qzxkwvb is bad",
    ],
)
def test_other_complaints_are_none(text):
    assert not complains_of(text, "qzxkwvb", any_program=True)


@pytest.mark.parametrize(("parameter", "expected"), [("branch", True), ("ref", True), ("href", False), ("q", False)])
def test_names_of_what_git_knows_a_state_by(parameter, expected):
    assert names_a_revision(parameter) is expected


def test_what_a_format_comes_to_is_nowhere_in_it():
    asked = FORMAT.replace("{mark}", "kwxvqzr")
    assert is_formatted(asked, "kwxvqzrAkwxvqzr")
    assert not is_formatted(asked, asked)
    assert all(not is_formatted(asked, option.replace("{mark}", "kwxvqzr")) for option in NO_FORMATS)
