"""The rows of an answer, wherever its list stands."""

from typing import Any

import pytest

from gatecrash.node.scan.drafts.listed_rows import MOST_OF_A_LIST, rows_of, things_of, told_of

ROWS = [{"id": number} for number in range(9)]


@pytest.mark.parametrize(
    "body", [ROWS, {"items": ROWS}, {"data": {"page": {"items": ROWS}}}, {"total": 9, "names": [], "items": ROWS}]
)
def test_the_first_list_has_the_rows_and_a_few_of_them_are_things(body: Any) -> None:
    assert rows_of(body) == ROWS
    assert [one for one in things_of(body) if one in ROWS] == ROWS[:MOST_OF_A_LIST]


@pytest.mark.parametrize("body", [None, 7, "text", {}, [1, 2], {"a": {"b": {"c": {"d": ROWS}}}}])
def test_other_answers_have_none(body: Any) -> None:
    assert rows_of(body) == []


def test_graphql_answers_for_each_field() -> None:
    assert told_of({"data": {"me": {"id": 1}, "items": ROWS}}) == [{"id": 1}, ROWS]
    assert told_of({"data": None}) == told_of(ROWS) == []
