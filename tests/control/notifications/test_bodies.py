"""What a webhook may be: each faulty field with its code, and no address repeated."""

import json
from typing import Any

import pytest

from gatecrash.control.api import fields
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.notifications.bodies import NewWebhook, WebhookChange

GOOD: dict[str, Any] = {"name": "chat", "url": "http://127.0.0.1:9/hook", "events": ["test_run.ended"]}


@pytest.mark.parametrize(
    ("fault", "field", "code"),
    [
        ({"name": " "}, "name", "invalid_value"),
        ({"name": "x" * 256}, "name", "too_long"),
        ({"url": None}, "url", "invalid_type"),
        ({"url": "http://127.0.0.1/" + "x" * 2048}, "url", "too_long"),
        ({"url": "https://user:hunter2@127.0.0.1/"}, "url", "invalid_value"),
        ({"url": "http://169.254.169.254/latest/hunter2"}, "url", "invalid_value"),
        ({"url": "https://hunter2.invalid/"}, "url", "invalid_value"),
        ({"events": []}, "events", "invalid_value"),
        ({"events": ["everything"]}, "events", "invalid_value"),
        ({"events": "test_run.ended"}, "events", "invalid_type"),
        ({"enabled": "yes"}, "enabled", "invalid_type"),
        ({"more": 1}, "more", "unknown_field"),
    ],
)
def test_each_faulty_field_is_named(fault: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(FieldErrors) as refused:
        fields.validate(NewWebhook, {**GOOD, **fault})
    [(name, problem)] = refused.value.problems.items()
    assert (name, problem["error"]) == (field, code)
    assert problem["value"] == (None if field == "url" else fault[field])
    if "hunter2.invalid" not in str(fault):
        assert "hunter2" not in json.dumps(problem)


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(FieldErrors) as refused:
        fields.validate(NewWebhook, {})
    assert set(refused.value.problems) == {"name", "url", "events"}


def test_each_event_counts_once_and_a_change_is_what_was_given() -> None:
    twice = ["vulnerability.found", "test_run.ended", "vulnerability.found"]
    assert fields.validate(NewWebhook, {**GOOD, "events": twice}).events == ["test_run.ended", "vulnerability.found"]
    assert fields.validate(WebhookChange, {"enabled": False}).given() == {"enabled": False}
    assert fields.validate(WebhookChange, {}).given() == {}
