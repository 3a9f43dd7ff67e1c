"""The run object has every field of the contract, computed from the state machine."""

from typing import Any

import msgspec

from gatecrash.core.reports.run_object import SETTINGS, counters, run_object
from gatecrash.core.testing.run import advance, created
from gatecrash.core.testing.run_events import Claimed, Drained, StopRecording, Stored


class Kept(msgspec.Struct):
    id: str = "tr_1"
    name: str = "nightly"
    desc: str = ""
    vulns: list[dict[str, Any]] = []
    client_id: str = "cl_1"
    domains: list[str] = []
    record_id: str = "rec_1"
    test_record_name: str = "nightly"
    confirmed: bool = True
    policy_id: str = "default"
    node_id: str = "node_1"
    auth_profile_id: str | None = None
    target_url: str | None = None
    tags: list[str] = []
    file_extensions_to_exclude: str = ""
    skip_duplicated_baselines: bool = True
    stop_on_first_fail: bool = False
    rps: int | None = 5
    rps_per_baseline: int | None = None
    inactivity_timeout: int = 1800
    inconclusive_count: int = 0
    baseline_untested_count: int = 0
    authenticated_good: int = 0
    authenticated_all: int = 0
    created_at: int = 1
    user_count: int | None = None
    types_left_out: tuple[str, ...] = ()
    notes: list[str] = []
    updated_at: float = 1.5


def test_what_was_given_what_was_counted_and_what_is_allowed() -> None:
    run, _ = created(100.0)
    run, _ = advance(run, Stored(3, 1, 30), 100.0)
    run, _ = advance(run, StopRecording(), 101.0)
    run, _ = advance(run, Drained(), 101.0)
    run, _ = advance(run, Claimed(1, 0, 10), 101.0)
    shown = run_object(Kept(), run, [(float(second), 6) for second in range(110, 122)], 122.5)
    assert {name: shown[name] for name in SETTINGS} == {name: getattr(Kept(), name) for name in SETTINGS}
    assert (shown["state"], shown["allowed_actions"]) == ("running", ["pause", "interrupt"])
    assert (shown["baseline_count"], shown["baseline_skipped_count"], shown["baseline_check_waiting_count"]) == (
        4,
        1,
        2,
    )
    assert (shown["planing_requests_count"], shown["current_rps"], shown["estimated_time_to_completion"]) == (30, 6, 5)
    assert (shown["start_time"], shown["end_time"], shown["authenticated_share"]) == (100, None, None)


def test_the_share_of_good_controls() -> None:
    run, _ = created(1.0)
    assert run_object(Kept(authenticated_good=3, authenticated_all=4), run, (), 1.0)["authenticated_share"] == 0.75


def test_the_counter_equation_holds() -> None:
    run, _ = created(1.0)
    run, _ = advance(run, Stored(5, 2), 1.0)
    count = counters(run)
    assert count["baseline_count"] == (
        count["baseline_check_all_terminated_count"]
        + count["baseline_check_running_count"]
        + count["baseline_check_waiting_count"]
        + count["baseline_skipped_count"]
    )
