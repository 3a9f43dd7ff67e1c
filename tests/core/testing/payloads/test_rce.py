"""The payloads of rce, read by a real shell in each quoting context: what is printed, and that the wait is run once."""

import subprocess

import pytest

from gatecrash.core.testing.payloads.rce import AND, OR, PIPE, SEQUENCE, Numbers, expected, fill

NUMBERS = Numbers("ab", 12, 34, "cd")


@pytest.mark.parametrize("command", ["{} @", "{} '@'", '{} "@"'], ids=["bare", "single", "double"])
@pytest.mark.parametrize(("way", "before"), [(SEQUENCE, "true"), (PIPE, "true"), (AND, "true"), (OR, "false")])
def test_one_payload_serves_three_contexts_and_waits_once(way, before, command):
    script = 'sleep() { echo "slept $1" >&2; }\n' + command.format(before).replace("@", fill(way, "tea", NUMBERS, 2))
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, check=False, timeout=10)
    if way is not OR:  # behind || only the first that works is run
        assert done.stderr.count("slept 2") == 1
    assert expected(way, NUMBERS) == "ab408cd"
    assert done.stdout.count("ab408cd") == 1


def test_a_tame_task_is_not_computed():
    payload = fill(SEQUENCE, "tea", NUMBERS, 0, tame=True)
    done = subprocess.run(["/bin/sh", "-c", "true " + payload], capture_output=True, text=True, check=False, timeout=10)
    assert "12*34" in done.stdout
    assert "408" not in done.stdout
