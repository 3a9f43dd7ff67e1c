"""Answers that tell of a length, and those that show the beginning of what was sent alone."""

import pytest

from gatecrash.core.testing.oracles.lengths import is_cut, tells_of_length


@pytest.mark.parametrize(
    "text",
    [
        "name too long",
        '{"error": "printer: max 40 characters"}',
        "host must have 1 to 64 characters",
        '{"type": "string_too_long", "ctx": {"max_length": 50}}',
        "Ensure this value has at most 30",
        "Der Name ist zu lang",
    ],
)
def test_complaints_of_a_length(text: str) -> None:
    assert tells_of_length(text, "fine")


def test_what_the_page_says_anyway_is_no_complaint() -> None:
    assert not tells_of_length("Up to 30 characters. No such name.", "Up to 30 characters. Found: tea")


@pytest.mark.parametrize("text", ["no such name", "internal error", "invalid host", "Nothing found for tea;echo"])
def test_other_refusals_tell_of_no_length(text: str) -> None:
    assert not tells_of_length(text, "fine")


def test_the_beginning_alone_is_cut_and_the_whole_is_not() -> None:
    sent = "tea;echo abcdef$((12*34))ghijkl;sleep 2;#"
    assert is_cut(sent, "tea", f"<p>{sent[:30]}</p>") is True
    assert is_cut(sent, "tea", f"<p>{sent}</p>") is False


def test_what_is_not_shown_is_neither() -> None:
    assert is_cut("tea;echo abcdef$((12*34))ghijkl", "tea", "done") is None


def test_a_page_of_digits_is_read_at_once() -> None:
    assert not tells_of_length("1" * 20_000, "fine")
