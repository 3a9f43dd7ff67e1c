"""Who uses a profile is asked of everybody who said so, once each."""

import pytest

from gatecrash.control.profiles import usage
from gatecrash.control.testruns import apps


def test_everybody_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "_looks", [])
    runs, others = (lambda name: [f"{name} 1"]), (lambda name: [f"{name} 2"])
    for look in (runs, others, runs):
        usage.register(look)
    assert usage.users_of("p") == ["p 1", "p 2"]


def test_test_runs_say_so_at_the_start() -> None:
    assert {apps._runs_signing_in_by, apps._records_read_as} <= set(usage._looks)


def test_runs_and_records_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "_looks", [lambda name: ["tr_1", "rec_1"], lambda name: ["tr_2"]])
    assert usage.runs_and_records("p") == (["tr_1", "tr_2"], ["rec_1"])
