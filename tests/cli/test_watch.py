"""The progress of a run, in one line."""

import subprocess
import sys
from typing import Any

from tests.cli.running import CLEAN, Up

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


def test_what_was_interrupted_is_not_done() -> None:
    assert "1 of 10 baselines done" in line({**RUN, "state": "interrupted", "baseline_check_interrupted_count": 3})


def test_recording_is_said_and_whether_the_node_is_there() -> None:
    assert "recording" in line({**RUN, "recording": True, "ready_for_recording": True})
    assert "waiting for its node" in line({**RUN, "recording": True, "ready_for_recording": False})


def test_a_run_that_only_waits_for_late_hits_says_so() -> None:
    waiting = {**RUN, "baseline_check_all_terminated_count": 10}
    assert "waiting for what may come late" in line(waiting)
    assert "waiting" not in line({**waiting, "recording": True, "ready_for_recording": True})
    assert "waiting" not in line({**waiting, "state": "passed"})


def test_an_ended_run_has_no_speed() -> None:
    assert "a second" not in line({**RUN, "state": "passed"})


def test_a_target_that_answers_seldom_is_told_with_a_forecast() -> None:
    slow = {**RUN, "current_rps": 0.0, "avg_rps": 0.5, "estimated_time_to_completion": None}
    assert (
        "some 10 min 00 s left · few answers come: the target is slow, or limits how often it is asked, or checks wait before they ask again"
        in line(slow)
    )
    assert "4 min left" not in line({**slow, "avg_rps": None})
    assert "slow" in line({**slow, "avg_rps": None})
    for other in ({"rps": 1}, {"planing_requests_count": 0}, {"current_rps": 25.0}, {"state": "paused"}):
        assert "slow" not in line({**slow, **other})
    assert "slow" not in line({**slow, "steady": False}), "the speed is still that of the recording"


def test_a_check_that_waits_is_told_in_place_of_a_slow_target() -> None:
    slow = {**RUN, "current_rps": 0.0, "avg_rps": 0.5, "estimated_time_to_completion": None}
    told = line({**slow, "checks_wait": True})
    assert "a check waits on purpose" in told
    assert "slow" not in told
    assert "waits" not in line({**slow, "checks_wait": True, "current_rps": 25.0})


def test_a_node_that_is_not_heard_is_told_while_the_run_goes_on() -> None:
    silent = {**RUN, "node_silent": 75}
    assert "its node was last heard 1 min 15 s ago" in line(silent)
    assert "heard" not in line({**silent, "state": "interrupted"})
    assert "heard" not in line({**RUN, "node_silent": None})


def test_an_interruption_by_the_user_is_130(up: Up) -> None:
    environment = {**CLEAN, "GATECRASH_API": up.known()["api"], "GATECRASH_TOKEN": up.known()["token"]}
    run = subprocess.run(
        [sys.executable, "-m", "gatecrash", "run", "create", "--no-wait", "sixth"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    command = [sys.executable, "-m", "gatecrash", "run", "wait", run]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as waiting:
        assert waiting.stderr is not None
        assert "running" in waiting.stderr.readline()
        waiting.send_signal(2)
        said = waiting.stderr.read()
    assert waiting.returncode == 130
    assert f"gatecrash run interrupt {run}" in said
