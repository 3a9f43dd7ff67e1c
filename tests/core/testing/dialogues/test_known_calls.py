"""Proof by names: a known call leaves the answer as it was, an unknown one does not, again and again in random order."""

import re
from collections.abc import Callable
from http.cookies import SimpleCookie
from random import Random
from urllib.parse import quote

import pytest
from tests.core.testing.driving import inquiry_into, played, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.known_calls import Called, takes_calls
from gatecrash.core.testing.payloads.calls import calls_behind
from gatecrash.core.testing.probes.rce import PROBE

GOODS = [{"name": "tea", "price": 9}, {"name": "ale", "price": 4}]
FOUND = Response(200, (), b"ale, then tea")
BROKEN = Response(500, (), b"something is wrong")


def outcome(application: Callable[[str], Response], seed: int = 1) -> Called | None:
    """What comes of it at an application that is told the value, which was "name" at first."""
    inquiry = inquiry_into("sort", record(lambda _: FOUND, Request("GET", b"/?sort=name")), PROBE, seed)
    return played(takes_calls(inquiry, calls_behind("name")), application)


def sorting(value: str) -> Response:
    try:
        names = [one["name"] for one in sorted(GOODS, key=lambda one: eval(f"one['{value}']", {}, {"one": one}))]
    except (SyntaxError, NameError, AttributeError, KeyError):
        return BROKEN
    return Response(200, (), ", then ".join(names).encode())


def test_a_name_that_is_evaluated_is_told_with_its_language():
    found = outcome(sorting)
    assert found is not None
    assert found.call.language == "Python"
    assert re.fullmatch(r"name'\+\(lambda\*[a-z]{7}:''\[:0\]\)\(\)\+'", found.itself.payload)
    assert "is answered as the baseline" in found.told().verified_by


def test_a_name_from_a_list_is_none():
    assert outcome(lambda value: FOUND if value in ("name", "price") else BROKEN) is None


def test_whoever_takes_anything_proves_nothing():
    assert outcome(lambda _: FOUND) is None


def test_a_filter_that_knows_the_functions_by_name_and_refuses_them_proves_nothing():
    assert (
        outcome(
            lambda value: (
                BROKEN if "lambda" in value or "=>" in value or "sprintf" in value or "tap" in value else FOUND
            )
        )
        is None
    )


def test_a_parser_of_cookies_that_takes_what_stands_before_a_bracket_proves_nothing():
    """It refuses all of a line with a name that has no value, and ends at a bracket with what it had read until then."""
    assert outcome(lambda value: FOUND if "k" in SimpleCookie(f"k={value}") else BROKEN) is None


def test_a_name_that_other_tests_have_left_there_proves_nothing():
    """Who signs up by the tests of one address is known to the login at another: nothing that is sent there is sent here."""
    known = {"name"}

    def sign_up(value: str) -> Response:
        known.add(value)
        return FOUND

    def sign_in(value: str) -> Response:
        return FOUND if value in known else BROKEN

    for seed in range(30):
        assert outcome(sign_up, seed) is None
        assert outcome(sign_in, 1000 + seed) is None


def test_whoever_breaks_by_turns_or_at_random_proves_nothing():
    for seed in range(50):
        turns = iter([FOUND, BROKEN] * 50)
        assert outcome(lambda _, turns=turns: next(turns), seed) is None
        chance = Random(seed)
        assert outcome(lambda _, chance=chance: chance.choice((FOUND, BROKEN)), seed) is None


def in_javascript(value: str, *, own: bool) -> Response:
    """As an expression of JavaScript is answered. own: in the server's own code."""
    if "=>" not in value:
        return FOUND if value == "name" else BROKEN
    return FOUND if own or ("String(" in value and "process" not in value) else BROKEN


def test_a_script_of_a_query_is_not_told_as_code():
    assert outcome(lambda value: in_javascript(value, own=False)) is None


def test_code_of_the_server_itself_is_told():
    def application(value: str) -> Response:
        return in_javascript(value, own="process" in value)

    found = outcome(application)
    assert found is not None
    assert found.call.language == "JavaScript"


def limited(value: str, longest: int) -> Response:
    return FOUND if len(value) <= longest else BROKEN


@pytest.mark.parametrize("value", ["1234", "name", "a-b", "*", "price > 3"])
def test_a_field_that_holds_so_many_letters_proves_nothing(value: str):
    """A telephone number of twenty characters at most: what is refused is too long, and no name that nobody defined."""
    inquiry = inquiry_into(
        "phone", record(lambda _: FOUND, Request("GET", b"/?phone=" + quote(value).encode())), PROBE, 1
    )
    for longest in range(len(value), 90):
        assert played(takes_calls(inquiry, calls_behind(value)), lambda sent, most=longest: limited(sent, most)) is None
