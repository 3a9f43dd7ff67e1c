"""Contexts without blanks, read by a real SQLite."""

import sqlite3
from contextlib import closing

import pytest

from gatecrash.core.testing.payloads.sqli import READING_NUMBERS, READING_TEXTS
from gatecrash.core.testing.payloads.sqli_without_blanks import without_blanks

NUMBER, NAME = READING_NUMBERS[0], READING_TEXTS[-1]


@pytest.mark.parametrize(("right", "found"), [("101", [(1,)]), ("102", [])])
@pytest.mark.parametrize("context", [NUMBER, NAME], ids=lambda each: each.name)
def test_a_comparison_without_blanks_tells_true_from_false(context, right, found):
    (spared,) = without_blanks(context)
    names = {"value": "2", "before": "", "column": "2", "after": ""}
    text = spared.pattern.format(word="CASE", left="101", right=right, **names)
    assert not any(map(str.isspace, text))
    with closing(sqlite3.connect(":memory:")) as base:
        assert base.execute(f"SELECT 1 WHERE 2 = {text}").fetchall() == found


def test_what_needs_a_quote_or_has_no_blank_is_left():
    assert [context.name for context in READING_NUMBERS[1:] if without_blanks(context)] == []
