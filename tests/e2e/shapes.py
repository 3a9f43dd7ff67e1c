"""The contract's shapes, written out: which fields, of which types, `true` being no integer."""

from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], bool]

STATES = {"cloning", "running", "paused", "interrupted", "passed", "failed"}
ACTIONS = ("stop", "pause", "resume", "interrupt")


def string(value: Any) -> bool:
    """A JSON string."""
    return type(value) is str


def filled(value: Any) -> bool:
    """A JSON string with something in it."""
    return type(value) is str and bool(value)


def integer(value: Any) -> bool:
    """A JSON number without a fraction part, and no boolean."""
    return type(value) is int


def count(value: Any) -> bool:
    """An integer that is not negative."""
    return type(value) is int and value >= 0


def boolean(value: Any) -> bool:
    """True or false."""
    return type(value) is bool


def number(value: Any) -> bool:
    """A JSON number."""
    return type(value) in (int, float)


def null(value: Any) -> bool:
    """Null."""
    return value is None


def either(*checks: Check) -> Check:
    """One of several."""
    return lambda value: any(check(value) for check in checks)


def many(check: Check) -> Check:
    """A JSON array of such elements."""
    return lambda value: type(value) is list and all(check(one) for one in value)


def vulnerability(value: Any) -> bool:
    """Contract 2.7."""
    return type(value) is dict and faults(value, VULNERABILITY) == []


VULNERABILITY: dict[str, Check] = {
    "id": filled,
    "threat": lambda value: type(value) is int and 1 <= value <= 100,
    "code": filled,
    "type": filled,
}

# Contract 2.6, all of it.
RUN: dict[str, Check] = {
    "id": filled,
    "name": filled,
    "vulns": many(vulnerability),
    "clientid": filled,
    "state": lambda value: value in STATES,
    "simple_state": lambda value: value in STATES - {"cloning"},
    "allowed_actions": many(lambda value: value in ACTIONS),
    "baseline_check_all_terminated_count": count,
    "baseline_check_fail_count": count,
    "baseline_check_tech_fail_count": count,
    "baseline_check_passed_count": count,
    "baseline_check_running_count": count,
    "baseline_check_interrupted_count": count,
    "baseline_check_waiting_count": count,
    "sended_requests_count": count,
    "planing_requests_count": count,
    "start_time": integer,
    "end_time": either(integer, null),
    "domains": many(filled),
    "baseline_count": count,
    "test_record_id": filled,
    "current_rps": either(number, null),
    "avg_rps": either(number, null),
    "estimated_time_to_completion": either(number, null),
}

# Decisions 7: what the run object also carries.
RUN_TOO: dict[str, Check] = {
    "desc": string,
    "test_record_name": filled,
    "recording": boolean,
    "ready_for_recording": boolean,
    "policy_id": filled,
    "node_id": either(filled, null),
    "tags": many(string),
    "file_extensions_to_exclude": string,
    "stop_on_first_fail": boolean,
    "skip_duplicated_baselines": boolean,
    "rps_per_baseline": either(integer, null),
    "rps": either(integer, null),
    "inactivity_timeout": either(integer, null),
    "created_at": integer,
    "updated_at": integer,
    "interrupt_reason": either(filled, null),
    "baseline_skipped_count": count,
    "inconclusive_count": count,
    "baseline_untested_count": count,
    "authenticated_share": either(number, null),
    "types_left_out": many(filled),
    "notes": many(filled),
    "user_count": either(count, null),
}


def faults(value: Mapping[str, Any], shape: Mapping[str, Check]) -> list[str]:
    """Every field that is missing or of another type, with what it holds."""
    return [
        f"{name}: {value[name]!r}" if name in value else f"{name} is missing"
        for name, check in shape.items()
        if name not in value or not check(value[name])
    ]


def check_run(run: Mapping[str, Any]) -> None:
    """A test run object: every field of the contract and of decisions 7, and the sums that always hold."""
    assert faults(run, RUN) == []
    assert faults(run, RUN_TOO) == []
    assert run["simple_state"] == ("running" if run["state"] == "cloning" else run["state"])
    assert tuple(run["allowed_actions"]) == allowed(run["state"], run["recording"])
    check_counters(run)
    if run["state"] in {"cloning", "running", "paused"}:
        assert run["end_time"] is None
    else:
        assert integer(run["end_time"])
        assert run["end_time"] >= run["start_time"]
        assert run["planing_requests_count"] == 0
        assert run["estimated_time_to_completion"] is None


def check_counters(run: Mapping[str, Any]) -> None:
    """The counter equations of decisions 7."""
    terminated = run["baseline_check_all_terminated_count"]
    assert run["baseline_count"] == (
        terminated
        + run["baseline_check_running_count"]
        + run["baseline_check_waiting_count"]
        + run["baseline_skipped_count"]
    )
    assert terminated == (
        run["baseline_check_passed_count"]
        + run["baseline_check_fail_count"]
        + run["baseline_check_tech_fail_count"]
        + run["baseline_check_interrupted_count"]
    )


def allowed(state: str, recording: bool) -> tuple[str, ...]:
    """The actions of decisions 7."""
    return {
        ("running", True): ("stop", "pause", "interrupt"),
        ("running", False): ("pause", "interrupt"),
        ("paused", True): ("stop", "resume", "interrupt"),
        ("paused", False): ("resume", "interrupt"),
        ("cloning", False): ("interrupt",),
    }.get((state, recording), ())
