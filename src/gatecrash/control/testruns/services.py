"""Changes that users ask for: runs created and copied, their actions, records made and deleted."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import transaction

from gatecrash.control import ids, wall
from gatecrash.control.accounts import audit
from gatecrash.control.accounts.services import bump_config
from gatecrash.control.api.caller import Caller
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.ids import Prefix
from gatecrash.control.jobs import services as jobs
from gatecrash.control.nodes import queries as node_queries
from gatecrash.control.nodes import services as nodes
from gatecrash.control.nodes.models import Node
from gatecrash.control.policies import queries as policies
from gatecrash.control.policies.mapping import whole
from gatecrash.control.profiles import services as profiles
from gatecrash.control.profiles.queries import identities
from gatecrash.control.testruns import queries, starting
from gatecrash.control.testruns.book import Book, open_book
from gatecrash.control.testruns.heartbeats import AT_WORK
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.core.testing.policy import BUILT_IN
from gatecrash.core.testing.run import ActionNotAllowed, Step, copied, created
from gatecrash.core.testing.run_events import Event, Interrupt, Pause, Reason, Resume, StopRecording

if TYPE_CHECKING:  # the worker, which reads no request's body, does without the models of bodies
    from gatecrash.control.testruns.bodies import NewRun
    from gatecrash.control.testruns.record_bodies import NewRecord

ACTIONS: dict[str, Event] = {
    "stop": StopRecording(),
    "pause": Pause(),
    "resume": Resume(),
    "interrupt": Interrupt(Reason.REQUESTED),
}
PURGE = "purge_record"


def create_run(
    order: "NewRun", caller: Caller, *, only: Sequence[int] = (), policy: dict[str, Any] | None = None
) -> TestRun:
    """A run with a new record, or over an existing one (contract 4.3, 4.4). The node's run before it is interrupted.

    only: the baselines of the record that a copy tests, by their sequences; all without. policy: one that belongs to this run alone.
    Raises FieldErrors where the record stopped being ready since the order was checked; nothing has happened then.
    """
    now = time.time()
    with transaction.atomic():
        node = _node(order.node_id, caller, now)
        busy = list(TestRun.objects.filter(AT_WORK, node=node).select_for_update().order_by("id"))
        record = _record_to_copy(order.test_record_id) if order.test_record_id else _new_record(order, node, now)
        _hold_profile(order.auth_profile_id)
        for row in busy:
            _interrupt(row, now)
        run = _new_run(order, node, record, now, only, policy)
        bump_config(wall.required())
        audit.record("test_run.create", run.id, name=run.name, test_record_id=record.id)
    return run


def _hold_profile(profile_id: str | None) -> None:
    """Keep it from being deleted until who signs in by it is there. Raises FieldErrors where it was meanwhile."""
    if profile_id is not None and profiles.held(profile_id) is None:
        raise FieldErrors({"auth_profile_id": problem("not_found", profile_id)})


def act(run_id: str, action: str) -> TestRun:
    """Do a user's action. Raises FieldErrors (409) where the run's state does not allow it now."""
    try:
        with open_book(run_id) as book:
            book.apply(ACTIONS[action])
            audit.record(f"test_run.{action}", run_id)
    except ActionNotAllowed as error:
        allowed = list(queries.run(run_id).allowed_actions)
        raise FieldErrors(
            {"action": problem("action_not_allowed", action, message=str(error), choices=allowed)}
        ) from error
    return book.row


def create_record(order: "NewRecord", caller: Caller) -> TestRecord:
    """A record without a run: its node records into it until it is told to stop, or makes it from an address.

    Raises FieldErrors where its auth profile was deleted since the order was checked.
    """
    now = time.time()
    with transaction.atomic():
        node = _node(order.node_id, caller, now)
        _hold_profile(order.auth_profile_id)
        record = TestRecord.objects.create(
            id=ids.new(Prefix.TEST_RECORD),
            name=order.name,
            node=node,
            recording=True,
            inactivity_timeout=order.inactivity_timeout,
            heard_at=now,
            created_at=int(now),
            start=starting.begun(order.start_url, order.pages, order.auth_profile_id) if order.start_url else None,
        )
        if record.start is not None:
            bump_config(wall.required())  # its requests are ours, and are not counted
        audit.record("test_record.create", record.id, name=record.name)
    return record


def stop_record(record_id: str) -> TestRecord:
    """End the recording of a record; one that a run records stops with its run. Raises FieldErrors (409)."""
    record = TestRecord.objects.get(id=record_id)
    if record.recorder:
        act(record.recorder, "stop")
        return TestRecord.objects.get(id=record_id)
    now = time.time()
    with transaction.atomic():
        record = TestRecord.objects.select_for_update().get(id=record_id)
        if not record.recording:
            raise FieldErrors(
                {"action": problem("action_not_allowed", "stop", message="Recording is over already.", choices=[])}
            )
        close_record(record, now)
        audit.record("test_record.stop", record.id)
    return record


def close_record(record: TestRecord, now: float) -> None:
    """End the recording of a locked record without a run; a node that is gone already is not waited for."""
    node = Node.objects.get(id=record.node_id)
    record.recording, record.confirmed, record.stopped_at = False, False, now
    record.draining = node_queries.is_connected(node, now)
    record.save()


def delete_record(record_id: str) -> bool:
    """Forget a record and its baselines, false where another has done so already; its runs and their findings stay.

    Raises FieldErrors (409) while it is used.
    """
    with transaction.atomic():
        using = TestRun.objects.filter(AT_WORK, record_id=record_id).select_for_update().order_by("id")
        in_use = [row.id for row in using]
        record = TestRecord.objects.select_for_update().get(id=record_id)
        if record.deleted_at is not None:
            return False
        if in_use or record.recording or record.draining:
            raise FieldErrors(
                {
                    "test_record_id": problem(
                        "action_not_allowed", record_id, message="The record is being recorded or tested.", runs=in_use
                    )
                }
            )
        TestRecord.objects.filter(id=record_id).update(deleted_at=int(time.time()))
        jobs.enqueue(PURGE, client_id=wall.required(), key=record_id)
        audit.record("test_record.delete", record_id, name=record.name)
    return True


def _node(wanted: str | None, caller: Caller, now: float) -> Node:
    """The node of a token that is tied to one, else the one asked for, else the client's default; locked."""
    node_id = caller.node_id or wanted
    node = Node.objects.select_for_update().filter(id=node_id).first() if node_id else None
    if node is not None and node.removed_at is not None:  # of a token that is tied to it: the run waits for its return
        Node.objects.filter(id=node.id).update(removed_at=None)
    return node or nodes.default_place(now)


def _record_to_copy(record_id: str) -> TestRecord:
    """The record, locked and looked at once more: between check and lock a recording may have begun or it may be gone."""
    record = TestRecord.objects.select_for_update().filter(id=record_id).first()
    code = queries.why_not_copied(record)
    if code or record is None:
        raise FieldErrors({"test_record_id": problem(code, record_id)})
    return record


def _new_record(order: "NewRun", node: Node, now: float) -> TestRecord:
    return TestRecord(
        id=ids.new(Prefix.TEST_RECORD),
        name=order.test_record_name or order.name,
        node=node,
        recording=True,
        inactivity_timeout=order.inactivity_timeout,
        heard_at=now,
        created_at=int(now),
    )


def _interrupt(row: TestRun, now: float) -> None:
    """End the node's run before; one that has ended and only drains is left to it."""
    book = Book(row, now)
    if not book.run.ended:
        book.apply(Interrupt(Reason.ANOTHER_RUN))
        book.save()


def _new_run(
    order: "NewRun", node: Node, record: TestRecord, now: float, only: Sequence[int], policy: dict[str, Any] | None
) -> TestRun:
    is_copy = order.test_record_id is not None
    begin = copied if is_copy else created
    run, commands = step = begin(now, stop_on_first_fail=order.stop_on_first_fail)
    row = _row(order, node, record, step, now)
    if only:
        row.clone_from, row.clone_until, row.clone_only = min(only) - 1, max(only), list(only)
    if policy is not None:
        row.policy_id, row.policy = policy["id"], policy
    if not is_copy:
        record.recorder = row.id
        record.save(force_insert=True)
    row.save(force_insert=True)
    book = Book(row, now)
    assert book.run == run
    book.do(commands)
    return row


def _policy(policy_id: str) -> dict[str, Any] | None:
    """A client's own policy as it is now; None for a built-in one, which never changes."""
    policy = policies.policy(policy_id)
    if policy is None:  # deleted since the order was checked
        raise FieldErrors({"policy_id": problem("not_found", policy_id)})
    return None if policy.id in BUILT_IN else whole(policy)


def _row(order: "NewRun", node: Node, record: TestRecord, step: Step, now: float) -> TestRun:
    run, _ = step
    return TestRun(
        id=ids.new(Prefix.TEST_RUN),
        name=order.name,
        desc=order.desc,
        record=record,
        test_record_name=record.name,
        node=node,
        policy_id=order.policy_id,
        policy=_policy(order.policy_id),
        auth_profile_id=order.auth_profile_id,
        user_count=len(identities(order.auth_profile_id)) if order.auth_profile_id else None,
        target_url=order.target_url,
        file_extensions_to_exclude=order.file_extensions_to_exclude,
        skip_duplicated_baselines=order.skip_duplicated_baselines,
        rps=order.rps,
        rps_per_baseline=order.rps_per_baseline,
        inactivity_timeout=order.inactivity_timeout,
        tags=list(order.tags),
        is_copy=order.test_record_id is not None,
        clone_until=record.last_sequence,
        created_at=int(now),
        updated_at=now,
        state=run.state.value,
        recording=run.recording,
        stop_on_first_fail=run.stop_on_first_fail,
        start_time=run.start_time,
    )
