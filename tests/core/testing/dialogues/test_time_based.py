"""Asking for waits: what a sound point, a suspicious one and a waiting one cost."""

import itertools
from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.time_based import waits
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation

REQUEST = Request("GET", b"/?q=a")


def inquiry():
    """An inquiry at a point that answers in 0.1 s."""
    exchange = Exchange(REQUEST, Response(200), elapsed=0.1)
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point.of("get", "q"),
        value=b"a",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    return Inquiry(situation, [exchange])


def judged(elapsed_of, seconds=1.0, asked=None):
    """Whether it waits, and how many requests it took; elapsed_of: from the payload to seconds."""
    dialogue = waits(asked or inquiry(), lambda units, decoy: f"{'decoy' if decoy else 'wait'}{units}", seconds)
    count = 0
    try:
        question = next(dialogue)
        while True:
            count += 1
            payload = question.request.target.decode().partition("=")[2]
            question = dialogue.send(Answer(Exchange(question.request, Response(200), elapsed=elapsed_of(payload))))
    except StopIteration as end:
        return end.value, count


@pytest.mark.parametrize(
    ("elapsed_of", "found", "cost"),
    [
        (lambda payload: 0.1, False, 1),
        (lambda payload: 3.0, False, 2),
        (lambda payload: None, False, 1),
        (lambda payload: 0.1 + int(payload[-1]) * payload.startswith("wait"), True, 11),
    ],
    ids=["quick", "slow", "not measured", "waits"],
)
def test_cost(elapsed_of, found, cost):
    waited, count = judged(elapsed_of)
    assert (waited is not None, count) == (found, cost)


def test_a_decoy_that_waits_too_is_no_finding():
    waited, _ = judged(lambda payload: 0.1 + int(payload[-1]))
    assert waited is None


@pytest.mark.parametrize(("seconds", "found", "cost"), [(0, True, 21), (1.0, False, 2)], ids=["work", "sleep"])
def test_what_is_asked_for_no_work_and_meets_anothers_is_asked_once_more(seconds, found, cost):
    nothings = itertools.count()

    def elapsed_of(payload):
        slow = payload == "wait0" and next(nothings) == 0
        return 3.0 if slow else 0.1 + int(payload[-1]) * payload.startswith("wait")

    waited, asked = judged(elapsed_of, seconds)
    assert (waited is not None, asked) == (found, cost)


def test_work_that_takes_as_long_as_it_likes_is_asked_for_in_three_rounds():
    """On a busy machine one unit takes longer than three; nothing still takes none."""
    random = Random(3)
    waited, count = judged(
        lambda payload: 0.001 if payload[-1] == "0" or payload[0] == "d" else random.uniform(1, 3), 0
    )
    assert waited is not None
    assert count == 29


def test_work_is_asked_for_in_two_rounds():
    waited, count = judged(lambda payload: 0.1 + int(payload[-1]) * payload.startswith("wait"), seconds=0)
    assert waited is not None
    assert count == 20


@pytest.mark.parametrize(
    ("a_unit", "found", "cost"),
    [(0.3, True, 20), (0.05, True, 21), (0.03, True, 21), (0.01, False, 1), (0.0, False, 1)],
    ids=["slow", "quick", "quicker", "too quick", "none"],
)
def test_where_work_is_done_quickly_four_times_as_much_is_asked_for(a_unit, found, cost):
    waited, count = judged(
        lambda asked: 0.1 + a_unit * int(asked.removeprefix("wait")) if asked.startswith("wait") else 0.1, seconds=0
    )
    assert (waited is not None, count) == (found, cost)


def test_sleeps_are_as_long_as_they_are_asked_for():
    waited, count = judged(
        lambda asked: 0.1 + 0.05 * int(asked.removeprefix("wait")) if asked.startswith("wait") else 0.1
    )
    assert (waited, count) == (None, 1)


def test_a_page_that_is_a_little_slow_at_random_is_no_finding():
    random = Random(7)
    for _ in range(50):
        waited, count = judged(lambda _: 0.1 + random.choice((0.0, 0.06, 0.1, 0.3)), seconds=0)
        assert waited is None
        assert count <= 30


@pytest.mark.parametrize(("seconds", "what"), [(0, "work"), (1.0, "wait")])
def test_what_raised_a_suspicion_is_measured(seconds, what):
    """The first question of a point goes out beside others': hardly any point goes on from there."""
    measured = []

    def elapsed_of(payload):
        measured.append(asked.measured)
        return 0.1 + int(payload[-1]) * payload.startswith("wait")

    asked = inquiry()
    assert judged(elapsed_of, seconds, asked)[0] is not None
    assert (measured[0], set(measured[1:]), asked.measured) == ("", {what}, "")
