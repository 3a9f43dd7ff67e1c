"""The grammar of points is closed: every word it allows is one it defines."""

from gatecrash.core import notation


def test_every_word_that_may_follow_is_defined() -> None:
    following = {word for _, words in notation._GRAMMAR.values() if words for word in words}
    assert following | notation._LOCATIONS | {"cookie"} == set(notation._GRAMMAR)


def test_the_documented_grammar_names_every_word() -> None:
    assert notation.__doc__
    assert [word for word in notation._GRAMMAR if word not in notation.__doc__] == []


def test_capitals_are_ascii() -> None:
    assert notation.upper("x-ßé-Token") == "X-ßé-TOKEN"
