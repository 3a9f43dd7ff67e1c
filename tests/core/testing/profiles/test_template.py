"""Variables in texts."""

import pytest

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.testing.profiles.template import fill, references


def test_variables_are_filled_in_and_what_is_doubled_stands_for_itself() -> None:
    assert fill("a${x}b$${x}c$d${y}", {"x": "1", "y": "${x}"}) == "a1b${x}c$d${x}"
    assert fill("${x}&${x}", {"x": "a b"}, lambda value: value.replace(" ", "+")) == "a+b&a+b"


def test_a_variable_without_a_value_is_named() -> None:
    with pytest.raises(InvalidProfile, match="'token' has no value yet"):
        fill("Bearer ${token}", {"secret": "hunter2"})


def test_what_a_text_refers_to() -> None:
    assert list(references("${a} $${b} ${c}${a}")) == ["a", "c", "a"]
