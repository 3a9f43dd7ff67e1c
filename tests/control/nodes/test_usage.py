"""Which nodes are at work is asked of everybody who said so, once each."""

import pytest

from gatecrash.control.nodes import usage
from gatecrash.control.testruns import apps


def test_everybody_is_asked_once_and_what_they_say_is_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "_looks", [])
    runs, records = (lambda ids: {one: [f"run {one}"] for one in ids}), (lambda _: {"b": ["record"], "c": ["other"]})
    for look in (runs, records, runs):
        usage.register(look)
    assert usage.work_of(["a", "b"]) == {"a": ["run a"], "b": ["run b", "record"], "c": ["other"]}


def test_test_runs_say_so_at_the_start() -> None:
    assert apps._waiting_for in usage._looks
