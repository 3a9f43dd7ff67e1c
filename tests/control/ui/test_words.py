"""The words of the pages: every code has some, and numbers and times are said as people say them."""

import pytest

from gatecrash.control.api.roles import Role
from gatecrash.control.ui import words
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.testing.run_events import Status


def test_nothing_of_the_contract_is_without_words() -> None:
    assert set(words.TYPES) == set(words.TYPE_MEANINGS) == {kind.value for kind in AuthType}
    assert set(words.BASELINES) == {status.value for status in Status}
    assert set(words.ROLES) == {role.value for role in Role}
    assert set(words.ACTIONS) == {"stop", "pause", "resume", "interrupt"}


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ({"error": "required", "value": None}, "Fill this in."),
        ({"error": "out_of_range", "value": 0, "min": 1, "max": 5}, "Must be from 1 to 5."),
        ({"error": "out_of_range", "value": 0, "min": 1}, "Must be at least 1."),
        ({"error": "out_of_range", "value": 9, "max": 5}, "Must be at most 5."),
        ({"error": "too_long", "value": "x", "max": 255}, "At most 255 are allowed."),
        ({"error": "too_long", "value": "x"}, "This is too long."),
        ({"error": "invalid_value", "value": ""}, "Fill this in."),
        ({"error": "invalid_value", "value": " "}, "Fill this in."),
        ({"error": "invalid_value", "value": "x"}, "This value cannot be used."),
        ({"error": "invalid_point", "value": "x", "message": "a header name is missing"}, "A header name is missing."),
    ],
)
def test_a_field_error_is_one_sentence(found: dict[str, object], text: str) -> None:
    assert words.problem(found) == text


def test_what_was_answered_and_not_decided_is_not_called_a_network_error() -> None:
    known = {"reason": "connection_failed", "detail": "timed out"}
    assert words.reason_of(known) == words.REASONS["connection_failed"]
    assert words.reason_of({**known, "detail": "no_control: none was recorded"}) == words.NONE_DECIDED
    assert words.reason_of({"reason": None, "detail": "sqli at get/ref: blocked"}) is None


def test_an_error_behind_a_finding_is_told_in_words() -> None:
    assert words.detail_of({"detail": "connection_failed: timeout"}) == "Connection failed: timeout"
    assert words.detail_of({"detail": "sqli at get/q: blocked; connection_failed: refused"}) == (
        "sqli at get/q: blocked; Connection failed: refused"
    )
    assert words.detail_of({"detail": ""}) == ""


@pytest.mark.parametrize(("value", "text"), [(None, words.NONE), (0.0, "0%"), (94.9, "94.9%"), (100.0, "100%")])
def test_percents(value: float | None, text: str) -> None:
    assert words.percent(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, words.NONE),
        (0, "0 s"),
        (-3, "0 s"),
        (59.9, "59 s"),
        (60, "1 min"),
        (3900, "1 h 5 min"),
        (86_401, "1 d"),
        (90_000, "1 d 1 h"),
    ],
)
def test_durations(seconds: float | None, text: str) -> None:
    assert words.duration(seconds) == text


@pytest.mark.parametrize(
    ("then", "text"),
    [(None, "never"), (1000, "just now"), (996, "just now"), (820, "3 min ago"), (1000 + 2 * 86400, "in 2 d")],
)
def test_times(then: float | None, text: str) -> None:
    assert words.ago(then, 1000) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(100, "Critical"), (90, "Critical"), (89, "High"), (70, "High"), (69, "Medium"), (40, "Medium"), (39, "Low")],
)
def test_threats(value: int, text: str) -> None:
    assert words.threat(value)[0] == text
