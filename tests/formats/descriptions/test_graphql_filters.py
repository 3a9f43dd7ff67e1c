"""Which arguments of a list and fields of a filter find something together."""

import pytest

from gatecrash.formats.descriptions.graphql_filters import asked_by, compares, without_other_ways


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["filter", "first", "after", "last", "before"], ["filter", "first"]),
        (["after", "before"], ["after", "before"]),
        (["id"], ["id"]),
    ],
)
def test_a_page_is_asked_for_from_its_beginning(names: list[str], kept: list[str]) -> None:
    assert without_other_ways(names, names) == kept


@pytest.mark.parametrize(
    ("names", "asked"),
    [
        (["gt", "in", "contains", "eq"], ["eq"]),
        (["_ilike", "_gt"], ["_ilike"]),
        (["gt", "lt"], ["gt"]),
        (["title", "tag", "AND", "_or", "not"], ["title", "tag"]),
        (["in", "out"], ["in", "out"]),
        (["eq"], ["eq"]),
        ([], []),
    ],
)
def test_of_what_compares_one_is_asked_by_and_nothing_joins(names: list[str], asked: list[str]) -> None:
    assert asked_by(names) == asked


def test_a_comparison_says_nothing_of_what() -> None:
    assert all(map(compares, ("eq", "_like", "startsWith", "not_in", "icontains")))
    assert not any(map(compares, ("name", "inStock", "notes", "isbn")))
