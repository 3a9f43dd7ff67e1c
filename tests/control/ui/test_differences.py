"""Two texts side by side: together the pieces are the text, and what is marked is what the other lacks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatecrash.control.ui.differences import MOST_LINE, MOST_LINES, sides

TEXTS = st.text(alphabet="ab \n\r=<", max_size=80)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_the_pieces_are_the_texts_and_what_is_unmarked_is_common(old: str, new: str) -> None:
    before, after = sides(old, new)
    assert "".join(text for text, _ in before) == old
    assert "".join(text for text, _ in after) == new
    assert "".join(text for text, is_marked in before if not is_marked) == "".join(
        text for text, is_marked in after if not is_marked
    )
    assert old != new or not any(is_marked for _, is_marked in before)


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("a=1&b=2", "a=1'&b=2", ([], ["'"])),
        ("same\nold line\n", "same\n", (["old line\n"], [])),
        ("", "new", ([], ["new"])),
        ("GET /a\r\nX: one two\r\n", "GET /a\r\nX: one 2\r\n", (["two"], ["2"])),
    ],
)
def test_within_a_changed_line_only_the_words_are_marked(
    old: str, new: str, marked: tuple[list[str], list[str]]
) -> None:
    assert tuple([text for text, is_marked in side if is_marked] for side in sides(old, new)) == marked


def test_very_long_texts_are_shown_without_marks_or_by_line() -> None:
    long = "a\n" * (MOST_LINES + 1)
    assert sides(long, "b") == ([(long, False)], [("b", False)])
    wide = "a " * MOST_LINE
    assert sides(wide, wide + "b") == ([(wide, True)], [(wide + "b", True)])
