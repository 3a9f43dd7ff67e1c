"""Values on a line of their own in a comment, read by a real SQLite, behind checks as Ruby makes them."""

import re
import sqlite3
from contextlib import closing

import pytest

from gatecrash.core.testing.payloads.sqli import Context
from gatecrash.core.testing.payloads.sqli_by_lines import BY_LINES, by_lines

CASES = [("2", context) for context in by_lines("2", changes=False)] + [
    ("lamp", context) for changes in (False, True) for context in by_lines("lamp", changes=changes)
]


def payload(context: Context, value: str, word: str, right: str = "101") -> str:
    return context.pattern.format(value=value, word=word, left="101", right=right, same="77", mark="xqzr")


@pytest.mark.parametrize(("value", "context"), CASES, ids=lambda each: getattr(each, "name", None))
def test_a_check_of_lines_finds_the_value_and_the_statement_tells_true_from_false(value, context):
    quote = "'" if context.quotes else ""
    with closing(sqlite3.connect(":memory:")) as base:

        def asked(word: str, right: str) -> list[tuple[object]]:
            text = payload(context, value, word, right)
            assert re.search(rf"^{value}$", text, re.MULTILINE)
            assert not re.fullmatch(r"\w+", text)
            return base.execute(f"SELECT 1 WHERE {quote}{value}{quote} = {quote}{text}{quote}").fetchall()

        assert (asked(context.operator, "101"), asked(context.operator, "102")) == ([(1,)], [])
        for word in context.lookalikes:
            with pytest.raises(sqlite3.Error):
                asked(word, "101")


def test_what_may_change_something_is_asked_for_the_value_itself_or_nothing():
    assert [by_lines(value, changes=True)[0].operator for value in ("2", "lamp")] == ["CASE", "CASE"]
    assert {*by_lines("2", changes=False), *by_lines("lamp", changes=True)} == {*BY_LINES}
