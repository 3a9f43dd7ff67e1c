"""When a schedule is due: always behind the moment asked about, at the hour of UTC, whatever was missed."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.control.schedules.rhythm import RHYTHMS, WEEKDAYS, Rhythm

NOW = int(datetime(2026, 11, 30, 12, 30, tzinfo=UTC).timestamp())  # a Monday


def moment(day: int, hour: int, month: int = 11) -> int:
    return int(datetime(2026, month, day, hour, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("rhythm", "due", "words"),
    [
        (Rhythm("daily", 13, "", 0, 0), moment(30, 13), "daily at 13:00 UTC"),
        (Rhythm("daily", 12, "", 0, 0), moment(1, 12, 12), "daily at 12:00 UTC"),
        (Rhythm("weekly", 13, "monday", 0, 0), moment(30, 13), "on Mondays at 13:00 UTC"),
        (Rhythm("weekly", 3, "monday", 0, 0), moment(7, 3, 12), "on Mondays at 03:00 UTC"),
        (Rhythm("weekly", 0, "sunday", 0, 0), moment(6, 0, 12), "on Sundays at 00:00 UTC"),
        (Rhythm("hours", 0, "", 6, NOW), NOW + 6 * 3600, "every 6 hours"),
        (Rhythm("hours", 0, "", 6, NOW - 7 * 3600), NOW + 5 * 3600, "every 6 hours"),
        (Rhythm("hours", 0, "", 1, NOW - 3600), NOW + 3600, "every hour"),
    ],
)
def test_each_rhythm_has_its_next_time(rhythm: Rhythm, due: int, words: str) -> None:
    assert (rhythm.after(NOW), rhythm.words) == (due, words)


@given(
    st.sampled_from(RHYTHMS),
    st.integers(0, 23),
    st.sampled_from(WEEKDAYS),
    st.integers(1, 168),
    st.integers(0, 4_000_000_000),
    st.integers(0, 100_000_000),
)
def test_the_next_time_is_ahead_and_none_lies_between(
    kind: str, hour: int, weekday: str, hours: int, anchor: int, behind: int
) -> None:
    rhythm, at = Rhythm(kind, hour, weekday, hours, anchor), anchor + behind
    due = rhythm.after(at)
    step = {"daily": 24, "weekly": 168, "hours": hours}[kind] * 3600
    assert at < due <= at + step
    assert rhythm.after(due) == due + step
    if kind != "hours":
        when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=due)
        assert (when.hour, when.minute, when.second) == (hour, 0, 0)
        assert kind == "daily" or when.strftime("%A").lower() == weekday
