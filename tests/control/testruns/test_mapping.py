"""Rows, core values and what the API shows of them."""

import msgspec

from gatecrash.control.testruns import mapping
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.testing.pacing.estimates import sent_recently
from gatecrash.core.testing.run import created
from gatecrash.core.testing.run_events import Interrupt, Stored


def row() -> TestRun:
    run = TestRun(id="tr_1", name="n", node_id="node_1", record_id="rec_1", created_at=1, updated_at=1.5)
    mapping.from_run(run, created(100.25)[0])
    return run


def test_every_field_of_the_core_s_value_is_a_column() -> None:
    columns = {field.name for field in TestRun._meta.get_fields()}
    assert set(mapping.FIELDS) <= columns


def test_a_row_and_its_value_are_the_same() -> None:
    run = row()
    assert mapping.to_run(run) == created(100.25)[0]
    assert mapping.from_run(run, mapping.to_run(run)) == []


def test_only_what_changed_is_named() -> None:
    run = row()
    changed = msgspec.structs.replace(mapping.to_run(run), waiting=3, planned_waiting=9)
    assert mapping.from_run(run, changed) == ["waiting", "planned_waiting"]


def test_times_are_shown_in_whole_seconds() -> None:
    shown = mapping.shown_run(row(), 105.0)
    assert (shown["start_time"], shown["end_time"], shown["updated_at"]) == (100, None, 1)


def test_no_control_answer_gives_no_authenticated_share() -> None:
    run = row()
    assert mapping.shown_run(run, 105.0)["authenticated_share"] is None
    run.authenticated_good, run.authenticated_all = 3, 4
    assert mapping.shown_run(run, 105.0)["authenticated_share"] == 0.75


def test_a_repeated_heartbeat_counts_no_second_twice_however_the_network_jitters() -> None:
    seconds = [(1000 + second, 10) for second in range(12)]
    recent = mapping.merge_recent({}, "s", 5.0, seconds, 1017.0)
    recent = mapping.merge_recent(recent, "s", 5.9, seconds, 1017.0)
    assert sent_recently(mapping.recent_seconds(recent), 1017.0) == 100


def test_what_another_start_of_the_node_sent_still_counts_for_its_ten_seconds() -> None:
    recent = mapping.merge_recent({}, "old", 0.0, [(1000, 7)], 1001.0)
    recent = mapping.merge_recent(recent, "new", 2.0, [(1001, 5)], 1004.0)
    assert sorted(mapping.recent_seconds(recent)) == [(1000.0, 7), (1003.0, 5)]
    recent = mapping.merge_recent(recent, "new", 2.0, [(1001, 5)], 1016.0)
    assert sorted(mapping.recent_seconds(recent)) == [(1003.0, 5)]


def test_the_shown_counters_follow_the_equation() -> None:
    from gatecrash.core.testing.run import advance

    run = row()
    value, _ = advance(mapping.to_run(run), Stored(3, skipped=2), 101.0)
    mapping.from_run(run, advance(value, Interrupt(), 102.0)[0])
    shown = mapping.shown_run(run, 103.0)
    assert (shown["baseline_count"], shown["baseline_check_all_terminated_count"]) == (5, 3)
