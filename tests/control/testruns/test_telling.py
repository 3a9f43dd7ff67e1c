"""A run's end is told once, with how it ended."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.control.testruns.driving import Act, Create, recorded, stopped

from gatecrash.control import news
from gatecrash.control.testruns import telling
from gatecrash.control.testruns.models import TestRun
from gatecrash.fakes.fake_node import FakeNode


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[news.News]:
    heard: list[news.News] = []

    def hear(kind: str, about: news.About) -> None:
        if kind == news.RUN_ENDED and (one := about()) is not None:
            heard.append(one)

    monkeypatch.setattr(news, "_hearers", [hear])
    return heard


@pytest.mark.parametrize(
    ("columns", "ending"),
    [
        ({"state": "passed", "passed": 2}, "passed: nothing was found"),
        ({"state": "passed", "passed": 2, "technical": 1}, "passed, but 1 baseline request could not be tested"),
        ({"state": "passed", "technical": 2}, "passed, and nothing could be tested"),
        ({"state": "passed"}, "passed, and nothing was tested"),
        ({"state": "failed", "vulnerabilities": 1}, "failed: 1 vulnerability"),
        ({"state": "failed", "vulnerabilities": 2}, "failed: 2 vulnerabilities"),
        (
            {"state": "interrupted", "interrupt_reason": "node_lost"},
            "was interrupted: its node was silent for too long",
        ),
        ({"state": "interrupted", "interrupt_reason": "other"}, "was interrupted: nobody knows why"),
    ],
)
def test_each_ending_has_its_words(columns: dict[str, Any], ending: str) -> None:
    row = TestRun(id="tr_1", name="nightly", start_time=1.5, end_time=2.5, **columns)
    one = telling.run_ended(row)
    assert one.text == f"The test run “nightly” {ending}."
    assert one.path == "/runs/tr_1/"
    assert (one.data["state"], one.data["start_time"], one.data["end_time"]) == (columns["state"], 1, 2)


def test_an_end_is_told_once(told: list[news.News], node: FakeNode, create: Create, act: Act) -> None:
    run = create()
    recorded(node, run["id"], 1)
    stopped(node, act, run["id"])
    assert told == []
    act(run["id"], "interrupt")
    node.beat()
    assert [(one.data["test_run_id"], one.data["interrupt_reason"]) for one in told] == [(run["id"], "requested")]


def test_a_run_that_another_ends_is_told(told: list[news.News], node: FakeNode, create: Callable[..., dict]) -> None:
    first = create()
    create()
    assert [(one.data["test_run_id"], one.data["interrupt_reason"]) for one in told] == [
        (first["id"], "another_test_run")
    ]
