"""A word says one thing that is done, in small letters, as names are read."""

from itertools import combinations

import pytest

from gatecrash.core.words.deeds import DELETES, MAKES, OVERWRITES, makes_such
from gatecrash.core.words.names import words_in


def test_no_word_says_two_things() -> None:
    assert all(one.isdisjoint(other) for one, other in combinations((MAKES, OVERWRITES, DELETES), 2))


def test_each_is_a_word_as_names_are_taken_apart() -> None:
    assert all(words_in(word) == (word,) for word in MAKES | OVERWRITES | DELETES)


@pytest.mark.parametrize(
    ("deed", "thing", "made"),
    [
        ("enrol", "enrolment", True),
        ("book", "booking", True),
        ("rent", "rental", True),
        ("reserve", "reservation", True),
        ("subscribe", "subscription", True),
        ("apply", "application", True),
        ("order", "order", False),
        ("book", "bookshop", False),
        ("pay", "payment", False),
        ("report", "reporter", False),
        ("enrolment", "enrol", False),
    ],
)
def test_a_thing_is_called_after_the_deed_that_makes_it(deed: str, thing: str, made: bool) -> None:
    assert makes_such(deed, thing) is made
