"""The test run object (contract 2.6, decisions 7): one shape, whether a database or a scan remembers the run."""

from collections.abc import Iterable
from typing import Any, Final, Protocol

import msgspec

from gatecrash.core.testing.pacing.estimates import estimate
from gatecrash.core.testing.run import Run


class RunSettings(Protocol):
    """What a run was started with; the run object shows each by the name that it has here."""

    policy_id: str
    node_id: str
    auth_profile_id: str | None
    target_url: str | None
    tags: list[str]
    file_extensions_to_exclude: str
    skip_duplicated_baselines: bool
    stop_on_first_fail: bool
    rps: int | None
    rps_per_baseline: int | None
    inactivity_timeout: int


class RunFacts(RunSettings, Protocol):
    """What is known of a run besides its state machine. Times are UNIX seconds.

    vulns: as contract 2.7 shows them. confirmed: its node said that it records.
    authenticated_good, authenticated_all: control answers with good credentials, and all of them.
    baseline_untested_count: passed because no check of the policy fits them, or nothing is there.
    user_count: different users whose credentials the tests have; None until they were looked for.
    types_left_out: vulnerability types that the policy does not look for. notes: what was learned of the record, as sentences.
    """

    id: str
    name: str
    desc: str
    vulns: list[dict[str, Any]]
    client_id: str
    domains: list[str]
    record_id: str
    test_record_name: str
    confirmed: bool
    inconclusive_count: int
    baseline_untested_count: int
    authenticated_good: int
    authenticated_all: int
    created_at: int
    updated_at: float
    user_count: int | None
    notes: list[str]

    @property
    def types_left_out(self) -> list[str]:
        """See above."""


SETTINGS: Final = tuple(RunSettings.__annotations__)


def run_object(facts: RunFacts, run: Run, recent: Iterable[tuple[float, int]], now: float) -> dict[str, Any]:
    """The run as it is at `now`. recent: (begin of a second on the clock of `now`, test requests sent in it)."""
    return {
        "id": facts.id,
        "name": facts.name,
        "desc": facts.desc,
        "vulns": facts.vulns,
        "clientid": facts.client_id,
        "type": "node",
        "state": str(run.state),
        "simple_state": run.simple_state,
        "allowed_actions": list(run.allowed_actions),
        **counters(run),
        "inconclusive_count": facts.inconclusive_count,
        "baseline_untested_count": facts.baseline_untested_count,
        "sended_requests_count": run.sent,
        "planing_requests_count": run.planned,
        "start_time": int(run.start_time),
        "end_time": None if run.end_time is None else int(run.end_time),
        "domains": facts.domains,
        "test_record_id": facts.record_id,
        "test_record_name": facts.test_record_name,
        **msgspec.structs.asdict(estimate(run, recent, now)),
        "recording": run.recording,
        "ready_for_recording": run.recording and facts.confirmed,
        **{name: getattr(facts, name) for name in SETTINGS},
        "created_at": facts.created_at,
        "updated_at": int(facts.updated_at),
        "interrupt_reason": run.interrupt_reason,
        "types_left_out": facts.types_left_out,
        "user_count": facts.user_count,
        "notes": facts.notes,
        "authenticated_share": facts.authenticated_good / facts.authenticated_all if facts.authenticated_all else None,
    }


def counters(run: Run) -> dict[str, int]:
    """The counters by the contract's names."""
    return {
        "baseline_count": run.baseline_count,
        "baseline_check_all_terminated_count": run.terminated,
        "baseline_check_fail_count": run.failed,
        "baseline_check_tech_fail_count": run.technical,
        "baseline_check_passed_count": run.passed,
        "baseline_check_running_count": run.running,
        "baseline_check_interrupted_count": run.interrupted,
        "baseline_check_waiting_count": run.waiting,
        "baseline_skipped_count": run.skipped,
    }
