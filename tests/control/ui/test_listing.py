"""Pages of a list: whatever the address says, a page comes; the links lead on and never out."""

import pytest
from django.test import RequestFactory

from gatecrash.control.ui.listing import LAST, Listing, chosen, page_number, part, searched


@pytest.mark.parametrize(
    ("total", "number", "expected"),
    [
        (0, 1, (1, 0, 0, None, None)),
        (50, 1, (1, 1, 50, None, None)),
        (51, 1, (2, 1, 50, None, 2)),
        (51, 2, (2, 51, 51, 1, None)),
        (120, 2, (3, 51, 100, 1, 3)),
    ],
)
def test_a_page_knows_its_rows_and_neighbours(total: int, number: int, expected: tuple[int | None, ...]) -> None:
    part = Listing([], total, number)
    assert (part.pages, part.first, part.last, part.previous, part.next) == expected


@pytest.mark.parametrize(
    ("text", "number"),
    [("", 1), ("3", 3), ("0", 1), ("-1", 1), ("x", 1), ("٣", 1), ("1e3", 1), ("9" * 8, LAST), ("9" * 40, 1)],
)
def test_whatever_cannot_be_a_page_is_the_first(text: str, number: int) -> None:
    assert page_number(RequestFactory().get("/", {"page": text})) == number


@pytest.mark.parametrize(
    ("total", "asked", "shown"),
    [(0, "9", (1, [])), (51, "2", (2, [50])), (51, "9", (2, [50])), (50, "2", (1, [0, 49]))],
)
def test_behind_the_last_page_there_is_the_last(total: int, asked: str, shown: tuple[int, list[int]]) -> None:
    everything = list(range(total))
    request = RequestFactory().get("/", {"page": asked})
    found = part(request, lambda limit, offset: (everything[offset : offset + limit], total))
    assert (found.number, [*found.rows[:1], *found.rows[1:][-1:]]) == shown
    assert found.first - 1 <= found.last <= total


def test_filters_take_what_is_allowed_and_searches_what_a_database_takes() -> None:
    request = RequestFactory().get("/", {"type": "sqli", "state": "weird", "q": " a\x00b " + "c" * 400})
    assert (chosen(request, "type", {"sqli"}), chosen(request, "state", {"open"})) == ("sqli", None)
    assert searched(request) == ("ab " + "c" * 400)[:255]
    assert searched(request, "absent") == ""
