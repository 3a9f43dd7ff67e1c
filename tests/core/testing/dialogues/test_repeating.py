"""What a page shows by chance is no proof, however often it is lucky; what follows the payload is."""

import re
from base64 import b64encode
from itertools import cycle
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.core.testing.driving import answer_of, answered

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.repeating import MORE, ROUNDS, Apart, shown_by_it_alone
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation


def ask(shows, seed: int = 1) -> tuple[Apart | None, list[str]]:
    """The outcome against an application that shows what is looked for where `shows` says so of what was asked."""
    baseline = Baseline("bl_1", Exchange(Request("GET", b"/?q=tea"), Response(200, (), b"tea")))
    situation = Situation(
        baseline=baseline, point=Point.of("get", "q"), value=b"tea", credentials=(), policy=DEFAULT, random=Random(seed)
    )
    inquiry, asked = Inquiry(situation, [baseline.exchange]), []

    def question(kind):
        def sent():
            asked.append(kind)
            return (yield from inquiry.send(kind))

        return sent

    dialogue = shown_by_it_alone(inquiry, question("odd"), question("plain"), lambda reply: "root" in reply.text)
    try:
        sent = next(dialogue)
        while True:
            body = b"root" if shows(asked[-1]) else b"tea"
            sent = dialogue.send(answer_of(lambda _, body=body: Response(200, (), body), sent.request))
    except StopIteration as end:
        return end.value, asked


def test_what_follows_the_payload_is_shown_by_it_alone():
    outcome, asked = ask(lambda kind: kind == "odd")
    assert outcome.shown.text == "root"
    assert outcome.control.text == "tea"
    assert sorted(asked) == ["odd"] * (ROUNDS + MORE) + ["plain"] * ROUNDS


@pytest.mark.parametrize("shows", [lambda _: True, lambda _: False, lambda kind: kind == "plain"])
def test_what_is_shown_to_both_to_none_or_to_the_control_is_not(shows):
    outcome, asked = ask(shows)
    assert not outcome
    assert len(asked) <= ROUNDS + MORE + 1


@pytest.mark.parametrize("seed", range(40))
def test_two_versions_that_answer_by_turns_do_not_pass(seed):
    turns = cycle([seed % 2 == 0, seed % 2 == 1])
    assert not ask(lambda _: next(turns), seed)[0]


def test_chance_passes_about_once_in_119_times_at_most():
    passed = 0
    for seed in range(400):
        chance = Random(seed)
        passed += ask(lambda _, chance=chance: chance.random() < 0.5, seed)[0] is not None
    assert passed <= 16


@pytest.mark.parametrize(("counts", "found"), [(True, False), (False, True)])
def test_what_breaks_at_one_length_of_base64_in_four_is_a_decoder(counts, found):
    """The two differ by the number of their letters, too: behind a value that is base64 that alone is answered otherwise."""
    value = b64encode(b"level=member")
    baseline = Baseline("bl_1", Exchange(Request("GET", b"/?q=" + value), Response(200, (), b"tea")))
    situation = Situation(
        baseline=baseline, point=Point.of("get", "q"), value=value, credentials=(), policy=DEFAULT, random=Random(1)
    )
    inquiry = Inquiry(situation, [baseline.exchange])
    dialogue = shown_by_it_alone(
        inquiry,
        lambda: inquiry.send(inquiry.value + "'ab'"),
        lambda: inquiry.send(inquiry.value + "'a'"),
        lambda reply: not reply.broke,
    )

    def application(request: Request) -> Response:
        text = parse_qs(urlsplit(request.target.decode()).query)["q"][0]
        letters = len(re.findall(r"[A-Za-z0-9]", text))
        return Response(500 if (letters % 4 == 1 if counts else "'a'" in text) else 200, (), b"tea")

    assert (answered(dialogue, application) is not None) is found
