"""Proof by grammar: whole input is answered as the baseline, each broken one otherwise, again and again."""

from collections.abc import Callable, Generator
from itertools import count

from tests.core.testing.driving import inquiry_into, played, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.grammar_based import Parsed, parses, taking
from gatecrash.core.testing.dialogues.inquiry import Asking
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.probes.ldapi import PROBE

WHOLE, BROKEN = "{value}()", ("{value}(", "{value})")


def outcome(application: Callable[[str], bytes], status: Callable[[str], int] = lambda _: 200) -> Parsed | None:
    """What comes of it at an application that is told the value."""
    inquiry = inquiry_into(
        "q", record(lambda _: Response(200, (), b"nothing found"), Request("GET", b"/?q=ann")), PROBE
    )

    def ask(pattern: str, purpose: str) -> Asking:
        return (yield from inquiry.send(pattern.format(value="ann"), purpose=purpose))

    def dialogue() -> Generator[TestRequest, Answer, Parsed | None]:
        odd = yield from ask("{value})(", "test")
        return (yield from parses(inquiry, WHOLE, BROKEN, ask, taking(inquiry, odd)))

    return played(dialogue(), lambda value: Response(status(value), (), application(value)))


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


def test_where_a_page_was_seen_once_and_moves_a_servers_error_tells_what_was_not_taken():
    moving = count()

    def status(value: str) -> int:
        return 200 if value in ("ann", "ann()") else 500

    assert outcome(lambda _: b"nothing found at %d o'clock" % next(moving), status) is not None
    assert outcome(lambda _: b"nothing found at %d o'clock" % next(moving), lambda _: 500) is None
