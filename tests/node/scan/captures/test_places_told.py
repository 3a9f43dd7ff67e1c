"""What stands where something else stood when it was recorded."""

from typing import Any

import pytest

from gatecrash.node.scan.captures.places_told import told_anew


def pairs(told: Any, now: Any, *left_out: str) -> list[tuple[str, str]]:
    return [(each.old, each.new) for each in told_anew(told, now, left_out)]


@pytest.mark.parametrize(
    ("told", "now", "expected"),
    [
        ({"id": "a"}, {"id": "b"}, [("a", "b")]),
        ({"data": {"rows": [{"id": 1}]}}, {"data": {"rows": [{"id": 11}]}}, [("1", "11")]),
        (["a", "b"], ["c", "d"], [("a", "c"), ("b", "d")]),
        ({"id": "a", "gone": "x"}, {"id": "a", "other": "y"}, []),
        ({"id": 1}, {"id": "1"}, []),
        ([{"id": 1}], {"id": 2}, []),
    ],
)
def test_members_of_the_same_name_and_entries_of_the_same_place_are_compared(
    told: Any, now: Any, expected: list[tuple[str, str]]
) -> None:
    assert pairs(told, now) == expected


def test_an_entry_is_known_by_what_it_says_otherwise() -> None:
    told = [{"id": "a", "item": "rake", "new": True}, {"id": "b", "item": "hose", "new": False}]
    now = [{"id": "x", "item": "hose", "new": True}, {"id": "y", "item": "rake", "new": False}]
    assert {("a", "y"), ("b", "x")} <= set(pairs(told, now))


def test_entries_that_say_nothing_else_are_not_matched_where_their_number_changed() -> None:
    assert pairs([{"id": "a"}, {"id": "b"}], [{"id": "x"}]) == []


def test_entries_that_are_left_out_do_not_count() -> None:
    assert pairs([{"id": "made"}, {"id": "a"}], [{"id": "x"}], "made") == [("a", "x")]


def test_a_place_begins_anew_with_each_entry() -> None:
    told = {"orders": [{"id": 1, "customer": {"id": 2}}]}
    now = {"orders": [{"id": 11, "customer": {"id": 12}}]}
    assert [each.place for each in told_anew(told, now)] == [("id",), ("customer", "id")]


def test_what_is_very_deep_is_not_looked_into() -> None:
    told: Any = {"id": "a"}
    now: Any = {"id": "b"}
    for _ in range(200):
        told, now = {"in": told}, {"in": now}
    assert pairs(told, now) == []
