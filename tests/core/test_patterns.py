"""Patterns of others: sound ones work, costly ones are refused, none takes long."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.patterns import compile_pattern, matches_fully


@pytest.mark.parametrize(
    "text",
    [
        "a",
        ".*",
        "[0-9]+",
        "(user|admin)_id",
        "a{2,3}",
        "x[*+]+y",
        r"\(\+*",
        "(?i)a.*",
        "(?:a|b)c",
        "[^]]*",
        "(a.*)",
        "a??",
    ],
)
def test_a_plain_pattern_is_accepted(text: str) -> None:
    assert compile_pattern(text).pattern == text


@pytest.mark.parametrize(
    "text", ["(a+)+", "(a|b)*", "((a*))*", "(a|aa){2,}", "(?:x+y?)+", "(.*)*", "a*b*c*d*e*", "a" * 257]
)
def test_a_pattern_that_could_take_too_long_or_change_its_meaning_is_refused(text: str) -> None:
    with pytest.raises(InvalidPattern):
        compile_pattern(text)


@pytest.mark.parametrize("text", ["(", "[", "*", "a{99999999999}", "(?P<n", "\\", "[a"])
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(InvalidPattern, match="no regular expression"):
        compile_pattern(text)


@given(st.text(alphabet="ab.*+?()[]{}|\\^$,12", max_size=20))
def test_nothing_but_invalid_pattern_is_raised(text: str) -> None:
    try:
        pattern = compile_pattern(text)
    except InvalidPattern:
        return
    matches_fully(pattern, "ab")


def test_the_worst_that_is_accepted_ends_soon() -> None:
    start = time.process_time()
    assert not matches_fully(compile_pattern(".*.*.*.*x"), "a" * 200)
    assert time.process_time() - start < 20


def test_a_subject_of_undue_length_matches_nothing() -> None:
    assert matches_fully(compile_pattern(".*"), "a" * 200)
    assert not matches_fully(compile_pattern(".*"), "a" * 201)
