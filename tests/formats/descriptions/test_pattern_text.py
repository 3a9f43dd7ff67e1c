"""A text for a regular expression is one that it accepts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.formats.descriptions.pattern_text import fitting


@pytest.mark.parametrize(
    "pattern",
    [
        r"^[A-Za-z0-9_-]{21}$", r"^\d{3}-\d{2}$", r"^(foo|bar)+baz?$", r"^\+?[1-9]\d{1,14}$", r"^[^@]+@[^@]+\.[a-z]{2,}$",
        r"^#(?:[0-9a-f]{3}){1,2}$", r"^(?P<year>\d{4})$", r"^[\]\-]x$", "", "abc", r"^.{5,}$", r"^\S+\s\w*$", "^[a-z]+?$",
    ],
)  # fmt: skip
def test_what_schemas_write_is_fitted(pattern: str) -> None:
    text = fitting(pattern)
    assert text is not None
    assert re.search(pattern, text)


def test_a_least_length_is_reached_where_the_pattern_lets_it() -> None:
    assert fitting("^[a-c]+$", 8) == "a" * 8
    assert fitting("^a{2}$", 3) is None


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", "(", "[", "a{2,1}", "^b^", r"\p{L}"])
def test_what_is_not_read_gives_nothing(pattern: str) -> None:
    assert fitting(pattern) is None


@given(st.text(alphabet="ab1[](){}|*+?^$.\\-,d:<P>", max_size=14))
def test_no_pattern_raises_and_what_is_given_fits(pattern: str) -> None:
    text = fitting(pattern)
    assert text is None or re.search(pattern, text)
