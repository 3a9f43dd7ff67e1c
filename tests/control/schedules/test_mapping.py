import pytest

from gatecrash.control.schedules import mapping
from gatecrash.control.schedules.models import Schedule


@pytest.mark.parametrize(
    ("rhythm", "shown"),
    [("daily", (5, None, None)), ("weekly", (5, "friday", None)), ("hours", (None, None, 6))],
)
def test_only_what_its_rhythm_has_is_shown(rhythm: str, shown: tuple[object, ...]) -> None:
    row = Schedule(id="sch_1", rhythm=rhythm, hour=5, weekday="friday", hours=6, anchor=0, next_at=9, order={})
    document = mapping.shown(row)
    assert (document["hour"], document["weekday"], document["hours"]) == shown
    assert (document["next_at"], document["last_run_id"]) == (9, None)
    row.enabled = False
    assert mapping.shown(row)["next_at"] is None
    assert mapping.rhythm_of(row).kind == rhythm
