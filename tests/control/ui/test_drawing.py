"""Charts: every bar and every point lies in the drawing, and says its numbers."""

from itertools import pairwise

import pytest

from gatecrash.control.ui.drawing import BOTTOM, HEIGHT, TOP, WIDTH, Chart, days, hours

DAY = 1_767_225_600  # midnight, UTC
GROUND = HEIGHT - BOTTOM


def chart(*requests: tuple[int, int]) -> Chart:
    """A chart of hours from midnight on: requests and authenticated ones."""
    return hours(
        [
            {"hour": DAY + place * 3600, "requests": count, "authenticated": proven, "refused": 0}
            for place, (count, proven) in enumerate(requests)
        ]
    )


def test_bars_stand_on_the_ground_and_stay_within() -> None:
    drawn = chart(*[(place % 7 * 31, place % 7 * 10) for place in range(168)])
    assert len(drawn.segments) == 2 * (168 - 24), "an hour without traffic has none"
    for bar, proven in zip(drawn.segments[::2], drawn.segments[1::2], strict=True):
        assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
        assert bar.y >= TOP
        assert bar.y + bar.height == pytest.approx(GROUND, abs=0.02)
        assert (proven.x, proven.width, proven.tone) == (bar.x, bar.width, "fill-proven")
        assert proven.y >= bar.y
        assert proven.y + proven.height == pytest.approx(GROUND, abs=0.02)
    assert len(drawn.marks) == 7


def test_the_line_of_shares_breaks_where_there_was_no_traffic() -> None:
    drawn = chart((10, 10), (10, 0), (0, 0), (5, 5))
    assert [len(line.split()) for line in drawn.lines] == [2, 2], "a lone hour is a dot"
    assert drawn.dots == [drawn.lines[1]]
    first, second = drawn.lines[0].split()
    assert (float(first.split(",")[1]), float(second.split(",")[1])) == (TOP, GROUND)


def test_an_hour_says_its_numbers_and_the_chart_the_sum() -> None:
    drawn = chart((12, 3), (8, 8))
    assert drawn.segments[0].words == "Thu 01 Jan 00:00 UTC: 12 requests, 3 authenticated, 0 refused"
    assert drawn.summary == "20 requests in 7 days, 11 of them authenticated."


@pytest.mark.parametrize(
    ("highest", "words"),
    [
        (0, "2"),
        (1, "2"),
        (3, "4"),
        (5, "6"),
        (10, "10"),
        (11, "20"),
        (51, "60"),
        (1400, "2k"),
        (2_000_001, "4M"),
        (10**12, "1000000M"),
    ],
)
def test_the_axis_ends_at_the_next_round_number(highest: int, words: str) -> None:
    assert chart((highest, 0)).grid[-1][1] == words


def test_half_of_the_axis_is_a_number_of_requests_too() -> None:
    assert [chart((highest, 0)).grid[1][1] for highest in (1, 3, 5, 7, 45)] == ["1", "2", "3", "5", "30"]


def test_nothing_at_all_can_be_drawn() -> None:
    drawn = hours([])
    assert (drawn.segments, drawn.lines, drawn.marks) == ([], [], [])
    assert days([]).segments == []


def by_day(*counts: tuple[int, int, int]) -> Chart:
    """A chart of days: consistent, partial and missing endpoints."""
    return days(
        [
            {"day": DAY + place * 86400, "consistent": good, "partial": half, "missing": none}
            for place, (good, half, none) in enumerate(counts)
        ]
    )


def test_statuses_stand_on_each_other_and_reach_the_days_total() -> None:
    drawn = by_day((5, 3, 2), (0, 0, 0), (0, 10, 0))
    low, middle, high, alone = drawn.segments
    assert [one.tone for one in drawn.segments] == ["area-bad", "area-warn", "area-good", "area-warn"], (
        "a status without endpoints has none"
    )
    assert low.y + low.height == pytest.approx(GROUND)
    for below, above in pairwise((low, middle, high)):
        assert above.y + above.height == pytest.approx(below.y)
    assert (high.y, alone.y) == (TOP, TOP)
    assert [one.height for one in (low, middle, high)] == [
        pytest.approx(part * alone.height) for part in (0.2, 0.3, 0.5)
    ]


@pytest.mark.parametrize(("count", "marked"), [(1, 1), (7, 7), (30, 8)])
def test_so_many_days_are_named_as_there_is_room_for_and_the_last_always(count: int, marked: int) -> None:
    drawn = by_day(*[(1, 0, 0)] * count)
    assert len(drawn.marks) == marked
    assert drawn.marks[-1][2] is False
    assert all(0 <= place < 100 for place, _, _ in drawn.marks)


def test_days_say_their_numbers_for_who_does_not_see_them() -> None:
    drawn = by_day((1, 2, 3), (4, 5, 6))
    assert drawn.segments[0].words == "Thu 01 Jan: 1 Consistent, 2 Partial, 3 Missing"
    assert drawn.summary == (
        "Endpoints by status on 2 days. At first 1 Consistent, 2 Partial, 3 Missing; now 4 Consistent, 5 Partial, 6 Missing."
    )
