"""Proof by grammar: whole input is answered as the baseline, each broken one otherwise, again and again."""

from collections.abc import Callable

from tests.core.testing.driving import inquiry_into, played, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.grammar_based import Parsed, parses
from gatecrash.core.testing.probes.ldapi import PROBE

WHOLE, BROKEN = "{value}()", ("{value}(", "{value})")


def outcome(application: Callable[[str], bytes]) -> Parsed | None:
    """What comes of it at an application that is told the value."""
    inquiry = inquiry_into(
        "q", record(lambda _: Response(200, (), b"nothing found"), Request("GET", b"/?q=ann")), PROBE
    )
    dialogue = parses(
        inquiry,
        WHOLE,
        BROKEN,
        lambda pattern, purpose: (yield from inquiry.send(pattern.format(value="ann"), purpose=purpose)),
    )
    return played(dialogue, lambda value: Response(200, (), application(value)))


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
