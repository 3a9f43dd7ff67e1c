from typing import Any

import pytest

from gatecrash.control import wall
from gatecrash.control.api import fields
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.schedules.bodies import NewSchedule, ScheduleChange


@pytest.mark.parametrize(
    ("fault", "field", "code"),
    [
        ({"name": ""}, "name", "invalid_value"),
        ({"test_run_id": "tr_none"}, "test_run_id", "not_found"),
        ({"rhythm": "monthly"}, "rhythm", "invalid_value"),
        ({"hour": 24}, "hour", "out_of_range"),
        ({"hour": -1}, "hour", "out_of_range"),
        ({"weekday": "Monday"}, "weekday", "invalid_value"),
        ({"hours": 0}, "hours", "out_of_range"),
        ({"hours": 169}, "hours", "out_of_range"),
        ({"hours": True}, "hours", "invalid_type"),
        ({"enabled": 1}, "enabled", "invalid_type"),
        ({"cron": "* * * * *"}, "cron", "unknown_field"),
    ],
)
def test_each_faulty_field_is_named(client_id: str, over: str, fault: dict[str, Any], field: str, code: str) -> None:
    with wall.client(client_id), pytest.raises(FieldErrors) as refused:
        fields.validate(NewSchedule, {"name": "n", "test_run_id": over, "rhythm": "daily", **fault})
    [(name, problem)] = refused.value.problems.items()
    assert (name, problem["error"]) == (field, code)


def test_a_change_is_what_was_given() -> None:
    assert fields.validate(ScheduleChange, {"enabled": False}).given() == {"enabled": False}
