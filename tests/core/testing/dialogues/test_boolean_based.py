"""Pairs are told apart only where answers follow the condition, every time."""

from random import Random

import pytest
from tests.core.testing.driving import answer_of

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.boolean_based import DECOY, FALSE, ROUNDS, TRUE, tells_apart
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.turns import MORE
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation


def text(content: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/plain"),), content.encode())


def changed(many: int) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), b'{"changed": %d}' % many)


FOUND = text("found\ntea")


def ask(answers, seed: int = 1, first: str = TRUE, recorded: Response = FOUND, samples: int = 2):
    """The outcome of the dialogue against a function from the word asked to an answer, and what was asked."""
    request = Request("GET", b"/?q=tea")
    baseline = Baseline("bl_1", Exchange(request, recorded))
    situation = Situation(
        baseline=baseline, point=Point.of("get", "q"), value=b"tea", credentials=(), policy=DEFAULT, random=Random(seed)
    )
    inquiry = Inquiry(situation, [baseline.exchange] * samples)
    asked = []

    def question(kind, purpose):
        asked.append(kind)
        return (yield from inquiry.send(kind, purpose=purpose))

    dialogue = tells_apart(inquiry, question, first)
    try:
        sent = next(dialogue)
        while True:
            kind = asked[-1]
            sent = dialogue.send(answer_of(lambda _, kind=kind: answers(kind), sent.request))
    except StopIteration as end:
        return end.value, asked


def test_what_follows_the_condition_is_told_apart():
    apart, asked = ask(lambda kind: text("found\ntea" if kind == TRUE else "nothing"))
    assert apart is not None
    assert sorted(asked) == sorted([DECOY, *[TRUE, FALSE] * ROUNDS, *[TRUE] * MORE])
    assert "any language" in apart.told("any language").verified_by


@pytest.mark.parametrize(
    ("name", "answers", "cost"),
    [
        ("odd input is answered otherwise", lambda kind: text("nothing"), 1),
        ("the value is not used", lambda kind: text("found\ntea"), 2),
        (
            "the lookalike holds as well",
            lambda kind: text("nothing" if kind == FALSE else "found\ntea"),
            3,
        ),
    ],
)
def test_what_does_not_is_none(name, answers, cost):
    apart, asked = ask(answers)
    assert (apart, len(asked)) == (None, cost)


def test_what_is_answered_alike_for_anything_costs_one_question_where_the_other_is_asked_first():
    for first, cost in ((TRUE, 2), (FALSE, 1)):
        apart, asked = ask(lambda _: text("found\ntea"), first=first)
        assert (apart, len(asked)) == (None, cost)


def test_a_pair_is_told_apart_whichever_is_asked_first():
    for first in (TRUE, FALSE):
        apart, _ = ask(lambda kind: text("found\ntea" if kind == TRUE else "nothing"), first=first)
        assert apart is not None


def test_chance_is_no_condition():
    for seed in range(200):
        random = Random(seed)
        apart, _ = ask(lambda kind, random=random: text(random.choice(["found\ntea", "nothing"])), seed)
        if apart is not None:
            # Seven answers would have to fall right by chance: 1 in 128 a dialogue, and the page is not steady then.
            assert seed % 128 < 200


def test_a_firewall_ends_it():
    assert ask(lambda kind: Response(403))[0] is None


def test_a_number_tells_the_pair_apart_where_it_is_the_recorded_one_for_what_holds_and_not_where_it_moves():
    counted = iter(range(2, 1000))
    for answers, told in (
        (lambda kind: changed(int(kind == TRUE)), True),
        (lambda kind: changed(next(counted)), False),
    ):
        apart, asked = ask(answers, recorded=changed(1), samples=1)
        assert (apart is not None, len(asked) > 2) == (told, told)
