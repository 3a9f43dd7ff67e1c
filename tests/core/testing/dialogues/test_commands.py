"""Proof by a command that computes, prints and waits."""

import re

import pytest
from tests.core.testing.driving import inquiry_into, played, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.commands import Ran, fresh_numbers, runs_command
from gatecrash.core.testing.payloads.rce import SEQUENCE
from gatecrash.core.testing.probes.rce import PROBE

BASELINE = record(lambda _: Response(200, (), b"done"), Request("GET", b"/?q=tea"))


def outcome(application) -> Ran | None:
    return played(runs_command(inquiry_into("q", BASELINE, PROBE), SEQUENCE), application)


def computed(value: str) -> Response:
    """As a shell shows the first command."""
    found = re.search(r"echo (\w+)\$\(\((\d+)\*(\d+)\)\)(\w+)", value.replace("+", " "))
    told = f"{found[1]}{int(found[2]) * int(found[3])}{found[4]}" if found else "tea"
    return Response(200, (), told.encode())


def test_what_is_computed_twice_and_not_as_plain_text_was_run():
    ran = outcome(computed)
    assert ran is not None
    assert ran.shown
    assert "nowhere in the request" in ran.proof.verified_by


@pytest.mark.parametrize(
    "application",
    [
        lambda _: Response(200, (), b"done"),
        lambda value: Response(200, (), value.encode()),
        lambda value: Response(
            200, (), re.sub(r"\D*(\d+)\*(\d+)\D*", lambda of: str(int(of[1]) * int(of[2])), value).encode()
        ),
    ],
)
def test_echoes_and_calculators_run_nothing(application):
    assert outcome(application) is None


def test_numbers_are_fresh_and_small_enough():
    drawn = [fresh_numbers(inquiry_into("q", BASELINE, PROBE, seed)) for seed in range(20)]
    assert len(set(drawn)) == 20
    assert all(each.left * each.right < 2**31 for each in drawn)
