"""Random sequences of everything that users, node and worker can do, against the real service over real HTTP.

After every step each run is read and judged: the counter equation of decisions 7, the allowed actions, the arrows that
its state moved along, and that the columns of a run say what the statuses of its baselines say.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from tests.e2e.caller import Caller
from tests.e2e.service import Service

from gatecrash.core.testing.pacing.passes import Pass
from gatecrash.core.testing.run import ACTIVE, TRANSITIONS, State
from gatecrash.fakes.fake_node import FakeNode, Refused, baseline, vulnerable
from gatecrash.wire.work import Result

T = TypeVar("T")
Run = dict[str, Any]
WATCHED = 2
LULL = 5
EXAMPLES = 9
STEPS = 60
builds = count(1)

STATUS_COUNTERS = {
    "waiting": "baseline_check_waiting_count",
    "in_progress": "baseline_check_running_count",
    "passed": "baseline_check_passed_count",
    "failed": "baseline_check_fail_count",
    "error": "baseline_check_tech_fail_count",
    "interrupted": "baseline_check_interrupted_count",
    "skipped": "baseline_skipped_count",
}


# Whatever is drawn must not depend on the service: its worker goes its own way, and hypothesis repeats what it drew.
PICK = st.integers(0, 11)
OUTCOMES = st.lists(st.sampled_from(["passed", "passed", "error", "failed"]), min_size=1, max_size=4)


def at(choices: Sequence[T], pick: int) -> T:
    """One of the choices."""
    return choices[pick % len(choices)]


def reachable(state: State) -> set[State]:
    """Where arrows lead from a state, in any number of steps: the worker may take several between two looks."""
    seen = {state}
    todo = [state]
    while todo:
        for following in TRANSITIONS[todo.pop()] - seen:
            seen.add(following)
            todo.append(following)
    return seen


def allowed(run: Run) -> list[str]:
    """The allowed actions of decisions 7, from the state."""
    by_state = {"cloning": ["interrupt"], "running": ["pause", "interrupt"], "paused": ["resume", "interrupt"]}
    actions = by_state.get(run["state"], [])
    return ["stop", *actions] if run["recording"] else actions


class ServiceMachine(RuleBasedStateMachine):
    """A client with one node. Each example has a node of its own, so that examples do not meet."""

    def __init__(self, caller: Caller) -> None:
        super().__init__()
        self.caller = caller
        assert caller.token is not None
        self.node = FakeNode(caller.http, caller.token, build_id=f"build {next(builds)}")
        self.node.hello()
        self.alive = True
        self.seen: dict[str, Run] = {}
        self.stale: list[tuple[str, int, Result]] = []
        self.quiet = LULL + 1  # steps since a run began or the node died: both undo much, and must not drown the rest

    def teardown(self) -> None:
        for run_id, run in self.seen.items():
            if "interrupt" in run["allowed_actions"]:
                self.caller.post(f"/v1/test_run/{run_id}/action/interrupt")

    def read(self, run_id: str) -> Run:
        return self.caller.did("GET", f"/v1/test_run/{run_id}")

    def pick(self, pick: int) -> str:
        """One of the runs that are looked at."""
        return at(self.watched(), pick)

    def watched(self) -> list[str]:
        return list(self.seen)[-WATCHED:]

    def in_hand(self) -> list[tuple[str, str]]:
        return [(run_id, name) for run_id, held in self.node.held.items() for name in held]

    def beaten(self) -> bool:
        return self.alive and bool(self.node.orders)

    @invariant()
    def a_step_is_over(self) -> None:
        self.quiet += 1

    # What users do.

    @initialize()
    def begin(self) -> None:
        """Most of what can happen needs a run with baselines."""
        self.create(stop_on_first_fail=False, skip=True)
        self.node.beat()
        (run_id,) = self.seen
        self.node.record(run_id, baselines=[baseline(f"/begin/{number}") for number in ("x", "y", "z", "z", "a", "b")])
        self.node.hand_over(run_id)

    @rule(stop_on_first_fail=st.booleans(), skip=st.booleans())
    def create(self, stop_on_first_fail: bool, skip: bool) -> None:
        if self.quiet <= LULL:
            return
        fields = {"stop_on_first_fail": stop_on_first_fail, "skip_duplicated_baselines": skip}
        run = self.caller.did("POST", "/v1/test_run", {"name": "run", "node_id": self.node.id, **fields})
        assert (run["state"], run["recording"], run["ready_for_recording"]) == ("running", True, False)
        self.seen[run["id"]] = run
        self.quiet = 0

    @rule(pick=PICK)
    def copy(self, pick: int) -> None:
        """A copy is made exactly where the record is ready and not empty."""
        if self.quiet <= LULL:
            return
        run = self.read(self.pick(pick))
        record_id = run["test_record_id"]
        before = self.caller.did("GET", f"/v1/test_record/{record_id}")
        if not before["ready_for_cloning"] and not run["recording"]:
            return  # for what its node hands over a copy waits, which another test looks at
        body = {"name": "copy", "test_record_id": record_id, "node_id": self.node.id}
        answer = self.caller.post("/v1/test_run", body)
        if not before["ready_for_cloning"]:
            refused = {"test_record_id": {"error": "not_ready_for_cloning", "value": record_id}}
            assert (answer.status, answer.body) == (400, refused)
        elif before["baseline_count"] == 0:
            assert answer.body["test_record_id"]["error"] == "empty_test_record"
        else:
            assert (answer.status, answer.body["state"]) == (200, "cloning")
            self.seen[answer.body["id"]] = answer.body
            self.quiet = 0

    @rule(pick=PICK, action=st.sampled_from(("stop", "stop", "pause", "resume", "resume", "interrupt")))
    def act(self, pick: int, action: str) -> None:
        """An action works exactly where it is allowed; the worker may end a cloning in between."""
        run_id = self.pick(pick)
        if action == "interrupt" and self.quiet <= LULL:
            action = "resume"
        before = self.read(run_id)
        answer = self.caller.post(f"/v1/test_run/{run_id}/action/{action}")
        if before["state"] != "cloning":
            assert (answer.status == 200) == (action in before["allowed_actions"])
        if answer.status != 200:
            assert (answer.status, answer.body["action"]["error"]) == (409, "action_not_allowed")

    # What the node does.

    @rule()
    def beat(self) -> None:
        if not self.alive:
            return
        self.node.beat()

    @rule(outcomes=OUTCOMES, wanted=st.integers(1, 4))
    def get_on(self, outcomes: list[str], wanted: int) -> None:
        """What a healthy node does between two looks: report, hand over, take work, finish what it can."""
        if not self.alive:
            return
        self.node.beat()
        for run_id in list(self.node.spool):
            self.node.hand_over(run_id)
        for run_id in list(self.node.orders):
            self.node.claim(run_id, wanted)
        for place, (run_id, name) in enumerate(self.in_hand()):
            self.node.send(run_id, 2, name)
            self.node.finish(run_id, at(outcomes, place), name)

    @rule(pick=PICK, paths=st.lists(st.sampled_from(["/a", "/b", "/c?q=1", "/d.png"]), min_size=1, max_size=4))
    def record(self, pick: int, paths: list[str]) -> None:
        if not self.beaten():
            return
        recording = [run_id for run_id, order in self.node.orders.items() if order.recording]
        if recording:
            self.node.record(at(recording, pick), baselines=[baseline(path) for path in paths])

    @rule(pick=PICK)
    def hand_over(self, pick: int) -> None:
        """Whatever was recorded is taken, whatever became of its run."""
        if not (self.alive and self.node.spool):
            return
        run_id = at(list(self.node.spool), pick)
        given = {item.id for item in self.node.spool[run_id][1]}
        assert set(self.node.hand_over(run_id).stored) == given

    @rule(pick=PICK, wanted=st.integers(0, 3), ahead=st.integers(0, 3), lose=st.booleans())
    def claim(self, pick: int, wanted: int, ahead: int, lose: bool) -> None:
        if not self.beaten():
            return
        if lose:
            self.node.beat()
        if self.node.orders:
            self.node.claim(at(list(self.node.orders), pick), wanted, ahead=ahead, lose_answer=lose)

    @rule(pick=PICK)
    def begin_at_hand(self, pick: int) -> None:
        """What is at hand is begun without asking; a result may come before the next claim tells of it."""
        having = [run_id for run_id, ready in self.node.ready.items() if ready and self.alive]
        if having:
            self.node.begin(at(having, pick))

    @rule(pick=PICK, sent=st.integers(1, 9))
    def send(self, pick: int, sent: int) -> None:
        if not (self.alive and self.in_hand()):
            return
        run_id, name = at(self.in_hand(), pick)
        self.node.send(run_id, sent, name)

    @rule(pick=PICK, status=st.sampled_from(["passed", "failed", "error", "interrupted", "found"]))
    def report(self, pick: int, status: str) -> None:
        if not (self.alive and self.in_hand()):
            return
        run_id, name = at(self.in_hand(), pick)
        item = self.node.held[run_id][name].baseline
        late = Result(baseline_id=name, final=True, status="failed", verdicts=(vulnerable(item, "xss"),), sent=100)
        self.stale.append((run_id, self.node.orders[run_id].generation, late))
        if status == "found":
            self.node.find(run_id, name)
        else:
            self.node.finish(run_id, status, name)

    @rule(pick=PICK, left=st.integers(1, 9), repeat=st.booleans())
    def put_off(self, pick: int, left: int, repeat: bool) -> None:
        """A part of a baseline's checks waits; the answer to that may be lost, and it is told once more."""
        if not (self.alive and self.in_hand()):
            return
        run_id, name = at(self.in_hand(), pick)
        held = self.node.held[run_id][name]
        if held.todo.up_to >= Pass.HEADERS:
            return
        self.node.finish(run_id, "passed", name, left=left)
        if repeat:
            again = Result(
                baseline_id=name, final=False, status="passed", sent=held.sent, left=left, part=held.todo.part
            )
            self.node.report(run_id, again)

    @rule()
    def die(self) -> None:
        if not (self.alive and self.quiet > LULL):
            return
        self.node.die()
        self.alive = False
        self.quiet = 0

    @rule(hurried=st.booleans())
    def come_back(self, hurried: bool) -> None:
        if self.alive:
            return
        self.node.come_back()
        self.alive = True
        if hurried:
            self.node.beat()

    @rule(pick=PICK)
    def report_late(self, pick: int) -> None:
        """A result that lay about: of an old lease its finding counts, its numbers do not."""
        if not (self.stale and self.alive):
            return
        run_id, generation, result = at(self.stale, pick)
        before = self.read(run_id)
        accepted = self.node.report(run_id, result, generation=generation)
        after = self.read(run_id)
        if accepted.stale:
            assert after["sended_requests_count"] == before["sended_requests_count"]
        assert len(after["vulns"]) >= len(before["vulns"])

    @rule()
    def the_dead_are_refused(self) -> None:
        if self.alive:
            return
        if self.node.id:
            with pytest.raises(Refused):
                self.node.beat()

    # What holds after every step.

    @invariant()
    def runs_hold_together(self) -> None:
        for run_id in self.watched():
            self.look(run_id)
        assert sum(run["state"] in ACTIVE for run in self.seen.values()) <= 1  # a node does one run at a time
        self.columns_say_what_rows_say(self.watched()[-1])

    def look(self, run_id: str) -> Run:
        """Read a run and judge it, and how it came to be so."""
        before, run = self.seen[run_id], self.read(run_id)
        judge(run)
        judge_move(before, run)
        self.seen[run_id] = run
        return run

    def columns_say_what_rows_say(self, run_id: str) -> None:
        """What was just read of the run is what its baselines say, where the worker was not at it between the reads."""
        before = self.seen[run_id]
        listed = self.caller.did("GET", f"/v1/test_run/{run_id}/baselines?limit=1000")
        after = self.look(run_id)
        if before["updated_at"] != after["updated_at"] or before["state"] == "cloning":
            return
        counted = Counter(item["status"] for item in listed["objects"])
        assert {status: after[column] for status, column in STATUS_COUNTERS.items()} == {
            status: counted[status] for status in STATUS_COUNTERS
        }
        assert listed["total"] == len(listed["objects"]) == after["baseline_count"]
        assert sum(item["remaining"] for item in listed["objects"]) == after["planing_requests_count"]


def judge(run: Run) -> None:
    """What holds of a run at any time."""
    terminated = run["baseline_check_all_terminated_count"]
    assert terminated == (
        run["baseline_check_passed_count"]
        + run["baseline_check_fail_count"]
        + run["baseline_check_tech_fail_count"]
        + run["baseline_check_interrupted_count"]
    )
    assert run["baseline_count"] == (
        terminated
        + run["baseline_check_running_count"]
        + run["baseline_check_waiting_count"]
        + run["baseline_skipped_count"]
    )
    assert run["allowed_actions"] == allowed(run)
    assert run["simple_state"] == ("running" if run["state"] == "cloning" else run["state"])
    has_ended = run["state"] not in ACTIVE
    assert (run["end_time"] is not None) == has_ended
    assert not (run["state"] == "passed" and run["vulns"])
    assert run["planing_requests_count"] >= 0
    if has_ended:
        assert run["planing_requests_count"] == run["baseline_check_waiting_count"] == 0
        assert run["estimated_time_to_completion"] is None
    assert (run["interrupt_reason"] is not None) == (run["state"] == "interrupted")


def judge_move(before: Run, after: Run) -> None:
    """What holds between two looks at a run."""
    assert State(after["state"]) in reachable(State(before["state"]))
    for column in ("sended_requests_count", "baseline_count", "inconclusive_count"):
        assert after[column] >= before[column]
    assert len(after["vulns"]) >= len(before["vulns"])
    assert before["recording"] or not after["recording"]


@pytest.mark.timeout(600)  # some thousand requests, on a machine that may be shared
def test_no_sequence_of_operations_breaks_a_run(service: Service) -> None:
    with service.tenant() as tenant:
        caller = Caller(service.api, tenant.tokens["admin"])
        with caller:
            run_state_machine_as_test(
                partial(ServiceMachine, caller),
                settings=settings(
                    max_examples=EXAMPLES,
                    stateful_step_count=STEPS,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                    print_blob=True,
                ),
            )
