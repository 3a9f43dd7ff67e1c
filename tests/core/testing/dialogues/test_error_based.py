"""Proof by complaint: both halves must hold, and twice."""

from collections.abc import Callable
from random import Random

import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.error_based import Complained, complained
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.oracles.errors.query import LDAP
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.ldapi import PROBE

WORDS = b"ldap_search(): Search: Bad search filter"


def outcome(application: Callable[[bytes], Response], good: bytes = b"fine") -> Complained | None:
    """What comes of broken `(` beside whole `()`, at an application that is told the target."""
    request = Request("GET", b"/?q=ann", host="127.0.0.1")
    baseline = record(lambda _: Response(200, (), good), request)
    check = next(one for one in plan(baseline, THOROUGH, (), (PROBE,)) if one.point == Point.of("get", "q"))
    inquiry = Inquiry(check.situation(Random(1)), [baseline.exchange])
    dialogue = complained(inquiry, LDAP, "{value}({mark}", "{value}({mark})")
    try:
        asked = next(dialogue)
        while True:
            asked = dialogue.send(Answer(Exchange(asked.request, application(asked.request.target))))
    except StopIteration as end:
        return end.value


def filters(target: bytes) -> Response:
    return Response(200, (), b"fine" if target.endswith(b"%29") else WORDS)


def test_an_engine_that_complains_of_the_broken_one_alone_is_told_with_its_words():
    found = outcome(filters)
    assert found is not None
    assert found.words.lower() in WORDS.decode().lower()
    assert (found.broken.text, found.whole.text) == (WORDS.decode(), "fine")


@pytest.mark.parametrize(
    "application",
    [lambda _: Response(200, (), b"fine"), lambda _: Response(200, (), WORDS), lambda _: Response(500, (), WORDS)],
)
def test_whoever_says_the_same_to_both_proves_nothing(application):
    assert outcome(application) is None


def test_a_whole_one_that_breaks_proves_nothing():
    assert outcome(lambda target: filters(target) if b"%29" not in target else Response(500)) is None


def test_words_that_the_baseline_says_itself_are_no_complaint():
    assert outcome(filters, good=WORDS) is None


def test_once_is_not_enough():
    turns = iter(range(100))
    assert outcome(lambda target: filters(target) if next(turns) < 2 else Response(200, (), b"fine")) is None


@pytest.mark.parametrize("seed", range(20))
def test_words_that_come_and_go_by_themselves_are_no_complaint(seed):
    chance = Random(seed)
    assert outcome(lambda _: Response(200, (), WORDS if chance.random() < 0.3 else b"fine")) is None
