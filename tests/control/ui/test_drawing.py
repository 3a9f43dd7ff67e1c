"""The chart of hours: every bar and every point lies in the drawing, and says its numbers."""

import pytest

from gatecrash.control.ui.drawing import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Chart, hours

DAY = 1_767_225_600  # midnight, UTC


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
    assert len(drawn.bars) == 168 - 24, "an hour without traffic has none"
    for bar in drawn.bars:
        assert LEFT <= bar.x <= bar.x + bar.width <= WIDTH - RIGHT
        assert bar.y >= TOP
        assert bar.y + bar.height == pytest.approx(HEIGHT - BOTTOM, abs=0.02)
        assert bar.proven_y >= bar.y
        assert bar.proven_y + bar.proven_height == pytest.approx(HEIGHT - BOTTOM, abs=0.02)
    assert len(drawn.days) == 7


def test_the_line_of_shares_breaks_where_there_was_no_traffic() -> None:
    drawn = chart((10, 10), (10, 0), (0, 0), (5, 5))
    assert [len(line.split()) for line in drawn.share] == [2, 2], "a lone hour is a dot"
    first, second = drawn.share[0].split()
    assert (float(first.split(",")[1]), float(second.split(",")[1])) == (TOP, HEIGHT - BOTTOM)


def test_an_hour_says_its_numbers_and_the_chart_the_sum() -> None:
    drawn = chart((12, 3), (8, 8))
    assert drawn.bars[0].words == "Thu 01 Jan 00:00 UTC: 12 requests, 3 authenticated, 0 refused"
    assert drawn.summary == "20 requests in 7 days, 11 of them authenticated."


@pytest.mark.parametrize(
    ("highest", "words"),
    [
        (0, "1"),
        (1, "1"),
        (3, "5"),
        (10, "10"),
        (11, "20"),
        (51, "100"),
        (1400, "2k"),
        (2_000_001, "5M"),
        (10**12, "1000000M"),
    ],
)
def test_the_axis_ends_at_the_next_round_number(highest: int, words: str) -> None:
    assert chart((highest, 0)).grid[-1][1] == words


def test_nothing_at_all_can_be_drawn() -> None:
    drawn = hours([])
    assert (drawn.bars, drawn.share, drawn.days) == ([], [], [])
