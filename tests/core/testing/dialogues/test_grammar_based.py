"""Proof by grammar: whole input is answered as the baseline, each broken one otherwise, again and again."""

from collections.abc import Callable
from random import Random
from urllib.parse import unquote

from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.grammar_based import Parsed, parses
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.ldapi import PROBE

WHOLE, BROKEN = "{value}()", ("{value}(", "{value})")


def outcome(application: Callable[[str], bytes]) -> Parsed | None:
    """What comes of it at an application that is told the value."""
    baseline = record(lambda _: Response(200, (), b"nothing found"), Request("GET", b"/?q=ann", host="127.0.0.1"))
    check = next(one for one in plan(baseline, THOROUGH, (), (PROBE,)) if one.point == Point.of("get", "q"))
    inquiry = Inquiry(check.situation(Random(1)), [baseline.exchange])
    dialogue = parses(
        inquiry,
        WHOLE,
        BROKEN,
        lambda pattern, purpose: (yield from inquiry.send(pattern.format(value="ann"), purpose=purpose)),
    )
    try:
        asked = next(dialogue)
        while True:
            value = unquote(asked.request.target.decode()).partition("=")[2]
            asked = dialogue.send(Answer(Exchange(asked.request, Response(200, (), application(value)))))
    except StopIteration as end:
        return end.value


def test_a_parser_is_told_with_what_it_took_and_what_it_did_not():
    found = outcome(lambda value: b"nothing found" if value.endswith("()") else b"something is wrong")
    assert found is not None
    assert (found.whole.payload, [each.payload for each in found.broken]) == ("ann()", ["ann(", "ann)"])
    assert "'ann()' is whole in brackets" in found.told("brackets").verified_by


def test_whoever_takes_or_refuses_both_proves_nothing():
    assert outcome(lambda _: b"nothing found") is None
    assert outcome(lambda _: b"something is wrong") is None


def test_whoever_takes_one_of_the_broken_ones_is_no_parser_of_it():
    assert outcome(lambda value: b"something is wrong" if value.endswith("(") else b"nothing found") is None


def test_a_page_that_breaks_by_turns_proves_nothing():
    turns = iter([b"something is wrong", b"nothing found"] * 20)
    assert outcome(lambda _: next(turns)) is None
