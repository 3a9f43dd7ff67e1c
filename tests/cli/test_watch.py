"""The progress of a run, in one line."""

from typing import Any

from gatecrash.cli.watch import line

RUN: dict[str, Any] = {
    "state": "running",
    "recording": False,
    "baseline_count": 12,
    "baseline_skipped_count": 2,
    "baseline_check_all_terminated_count": 4,
    "sended_requests_count": 120,
    "planing_requests_count": 300,
    "current_rps": 25.0,
    "estimated_time_to_completion": 72.0,
    "vulns": [{}],
}


def test_the_line_has_speed_and_time_left() -> None:
    assert (
        line(RUN)
        == "running · 4 of 10 baselines done · 120 sent, 300 to go · 25.0 a second · 1 min 12 s left · 1 vulnerability"
    )


def test_the_first_seconds_have_neither() -> None:
    shown = line({**RUN, "current_rps": None, "estimated_time_to_completion": None, "vulns": []})
    assert shown == "running · 4 of 10 baselines done · 120 sent, 300 to go"


def test_recording_is_said_and_whether_the_node_is_there() -> None:
    assert "recording" in line({**RUN, "recording": True, "ready_for_recording": True})
    assert "waiting for its node" in line({**RUN, "recording": True, "ready_for_recording": False})


def test_an_ended_run_has_no_speed() -> None:
    assert "a second" not in line({**RUN, "state": "passed"})
