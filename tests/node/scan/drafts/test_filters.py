"""What a request asks by is filled from one row that is there."""

import pytest

from gatecrash.core.point import Point
from gatecrash.formats.draft import Hole
from gatecrash.node.scan.drafts.filters import asked_for

ROWS = [
    {"id": "7", "brand": "Volvo", "fuel": "diesel", "in_stock": True, "made": "2019-02-11"},
    {"id": "8", "brand": "Fiat", "fuel": "petrol", "in_stock": False, "made": "2020-05-12"},
]


def asked(*names: str, given: tuple[tuple[str, str], ...] = (), rows: list[object] | None = None) -> dict[str, str]:
    holes = [Hole(name, Point(("get", name)), loose=True) for name in names]
    holes += [Hole(name, Point(("get", name)), given=True, loose=True) for name, _ in given]
    found = asked_for(holes, ROWS if rows is None else rows, dict(given))
    return {hole.name: value for hole, value in found.items()}


def test_filters_are_filled_from_one_row() -> None:
    assert asked("brand", "fuel", "inStock") == {"brand": "Volvo", "fuel": "diesel", "inStock": "true"}


def test_the_row_is_one_that_what_the_document_shows_finds() -> None:
    assert asked("brand", given=(("fuel", "petrol"),)) == {"brand": "Fiat"}


@pytest.mark.parametrize(("name", "value"), [("q", "Volvo"), ("search", "Volvo"), ("sort_by", "id"), ("fields", "id")])
def test_searches_take_a_word_and_orders_a_column(name: str, value: str) -> None:
    assert asked(name) == {name: value}


def test_no_search_takes_an_identifier_that_looks_like_a_word() -> None:
    assert asked("search", rows=[{"id": "RmlsbTox", "title": "Night"}]) == {"search": "Night"}


def test_of_several_values_one_is_asked_by() -> None:
    rows: list[object] = [{"id": "7", "tags": ["red", "old"], "sizes": [], "parts": [{"id": 1}], "size": 3}]
    assert asked("tag", "size", "part", "sort", rows=rows) == {"tag": "red", "size": "3", "sort": "id"}


def test_what_no_row_has_stays_as_it_is() -> None:
    assert asked("colour", "limit") == {}
    assert asked("brand", rows=["Volvo", 3]) == {}
    assert asked("brand", rows=[{"brand": None}]) == {}


def test_what_names_a_thing_is_not_filled_here() -> None:
    assert asked_for([Hole("id", Point(("get", "id")))], ROWS, {}) == {}
