"""A word says one thing that is done, in small letters, as names are read."""

from itertools import combinations

from gatecrash.core.words.deeds import DELETES, MAKES, OVERWRITES
from gatecrash.core.words.names import words_in


def test_no_word_says_two_things() -> None:
    assert all(one.isdisjoint(other) for one, other in combinations((MAKES, OVERWRITES, DELETES), 2))


def test_each_is_a_word_as_names_are_taken_apart() -> None:
    assert all(words_in(word) == (word,) for word in MAKES | OVERWRITES | DELETES)
