"""What a node puts off waits for its next turn; it is asked once, counted once, and outlives pauses, kills and old nodes."""

import msgspec
import pytest
from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create, Show, recorded, stopped
from tests.control.testruns.test_surveying import asked, jwt

from gatecrash.control.jobs.worker import Worker
from gatecrash.control.testruns import check_rows, parts
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.core.point import Point
from gatecrash.core.testing.health.refused_sessions import FOUND_BEFORE
from gatecrash.core.testing.pacing.parts import BROKEN_OFF
from gatecrash.core.testing.pacing.passes import MANY_LEFT
from gatecrash.core.testing.pacing.waiting import HEADERS_LEFT
from gatecrash.core.testing.run_events import Status
from gatecrash.core.testing.verdict import NOTHING_FITS, Inconclusive, inconclusive, nothing_there
from gatecrash.fakes.fake_node import FakeNode, baseline, vulnerable
from gatecrash.wire.work import Result

pytestmark = pytest.mark.database

UNSURE = inconclusive("sqli", Point.of("path", "1"), Inconclusive.UNSTABLE)


def given(node: FakeNode, run: str, count: int = 1) -> list[str]:
    return [one.id for one in node.claim(run, count).baselines]


def listed(api: Api, run: str) -> dict[str, dict]:
    return {one["id"]: one for one in api.get(f"/v1/test_run/{run}/baselines")[1]["objects"]}


def test_what_is_put_off_waits_for_its_next_turn(node: FakeNode, create: Create) -> None:
    run = create()["id"]
    node.beat()
    put = baseline("/x", method="PUT", body=b"a=1")
    made = node.record(run, baselines=[put, baseline("/a"), baseline("/b"), baseline("/c")])
    node.hand_over(run)
    _, first, second, third = [one.id for one in made]
    assert given(node, run) == [first]
    node.finish(run, left=5)
    assert given(node, run) == [second]
    node.finish(run, left=5)
    assert given(node, run) == [third]
    node.finish(run)
    work = node.claim(run, 3)
    assert [one.id for one in work.baselines] == [first, second]
    assert [(name, made, last) for name, made, last, _ in work.parts or ()] == [(first, 1, 1), (second, 1, 1)]
    node.finish(run)
    assert given(node, run) == [], "what changes something waits for the same part of all reads"
    node.finish(run, left=5)
    assert given(node, run) == [put.id]
    node.finish(run, left=5, made=3)
    assert given(node, run) == [second]
    node.finish(run, left=5)
    work = node.claim(run, 3)
    assert (len(work.baselines), work.parts) == (1, ((second, 3, 3, 0),))
    node.finish(run)
    assert node.claim(run, 3).parts == ((put.id, 3, 3, 0),)


def test_each_part_is_counted_once_and_the_baseline_ends_with_the_last(
    api: Api, node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    run = create()["id"]
    recorded(node, run, 1)
    (name,) = given(node, run)
    node.send(run, 30)
    first = Result(
        baseline_id=name, final=False, status="passed", detail="a", verdicts=(UNSURE,), sent=30, left=6,
        authenticated=(1, 2), made=3,
    )  # fmt: skip
    for _ in range(2):  # its answer was lost
        node.report(run, first)
    del node.held[run][name]
    seen = show(run)
    assert (seen["baseline_check_waiting_count"], seen["planing_requests_count"]) == (1, 6)
    assert (seen["sended_requests_count"], seen["inconclusive_count"]) == (30, 1)
    assert listed(api, run)[name]["detail"] == f"a; {HEADERS_LEFT}"
    assert node.claim(run, 1).parts == ((name, 3, 3, 30),)
    node.report(run, first)
    assert show(run)["baseline_check_running_count"] == 1, "told once more it is not put off again"
    node.send(run, 5)
    node.report(
        run,
        Result(
            baseline_id=name, final=True, status="passed", detail="b", verdicts=(UNSURE,), sent=5, part=3
        ),
    )  # fmt: skip
    del node.held[run][name]
    stopped(node, act, run)
    seen = show(run)
    assert (seen["state"], seen["sended_requests_count"], seen["inconclusive_count"]) == ("passed", 35, 2)
    one = listed(api, run)[name]
    assert (one["sent"], one["inconclusive"], one["detail"]) == (35, 2, "a; b")


def test_a_node_that_still_tells_of_the_first_part_does_not_hold_the_second(
    node: FakeNode, create: Create, show: Show
) -> None:
    """Its result was taken, and the answer to that is still on its way."""
    run = create()["id"]
    recorded(node, run, 1)
    (name,) = given(node, run)
    node.report(run, Result(baseline_id=name, final=False, status="passed", sent=3, left=6))
    assert given(node, run) == [name], "the claim names it as held, for the part before"
    assert show(run)["baseline_check_running_count"] == 1


def test_a_pause_and_a_kill_in_the_second_part_lead_back_to_its_beginning(
    node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    run = create()["id"]
    recorded(node, run, 1)
    (name,) = given(node, run)
    node.send(run, 10)
    node.finish(run, left=4)
    given(node, run)
    act(run, "pause")
    assert show(run)["planing_requests_count"] == 4
    act(run, "resume")
    assert node.claim(run, 1).baselines == (), "the node has not noticed, and goes on"
    assert show(run)["baseline_check_running_count"] == 1
    node.die()
    node.come_back()
    node.beat()
    assert show(run)["planing_requests_count"] == 4
    assert node.claim(run, 1).parts == ((name, 1, 1, 10),)
    node.finish(run)
    assert show(run)["baseline_check_passed_count"] == 1


def test_what_a_run_did_not_come_to_is_told_where_it_ends_before(
    api: Api, node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    run = create()["id"]
    recorded(node, run, 2)
    first, second = given(node, run, 2)
    node.finish(run, "passed", first, left=4)
    node.finish(run, "failed", second, left=4, made=3)
    act(run, "interrupt")
    seen = show(run)
    assert (seen["baseline_check_interrupted_count"], seen["baseline_check_fail_count"]) == (1, 1)
    told = listed(api, run)
    assert [(told[name]["status"], told[name]["detail"]) for name in (first, second)] == [
        ("interrupted", MANY_LEFT),
        ("failed", HEADERS_LEFT),
    ]


@pytest.mark.parametrize("breaking", [["pause"], ["interrupt"], ["pause", "interrupt"]])
def test_what_changes_something_is_told_where_its_tests_are_broken_off(
    api: Api, node: FakeNode, create: Create, act: Act, breaking: list[str]
) -> None:
    run = create()["id"]
    node.beat()
    read, untouched, put = node.record(
        run, baselines=[baseline("/a"), baseline("/b"), baseline("/b", method="PUT", body=b"{}")]
    )
    node.hand_over(run)
    assert given(node, run, 2) == [read.id, untouched.id]
    node.finish(run, "passed", untouched.id)
    node.finish(run, "passed", read.id)
    assert given(node, run) == [put.id]
    for action in breaking:
        act(run, action)
    told = listed(api, run)
    assert (told[put.id]["detail"], told[read.id]["detail"]) == (BROKEN_OFF, "")


def test_what_is_resumed_is_no_longer_told_as_broken_off(api: Api, node: FakeNode, create: Create, act: Act) -> None:
    run = create()["id"]
    node.beat()
    (put,) = node.record(run, baselines=[baseline("/b", method="PUT", body=b"{}")])
    node.hand_over(run)
    given(node, run)
    act(run, "pause")
    node.beat()
    act(run, "resume")
    node.beat()
    assert given(node, run) == [put.id]
    assert listed(api, run)[put.id]["detail"] == BROKEN_OFF, "as long as it is tested anew"
    node.finish(run)
    assert listed(api, run)[put.id]["detail"] == ""


@pytest.mark.parametrize("users", ["", check_rows.ALONE])
def test_what_is_told_of_the_tests_says_nothing_of_an_earlier_break(users: str) -> None:
    row = CheckRow(1, 1, "bl_1", Status.IN_PROGRESS, detail=BROKEN_OFF, users=users)
    assert parts.told(row, Result(baseline_id="bl_1", final=True, status="passed", detail="now")) == "now"


def test_a_node_that_knows_no_parts_is_given_all_of_it_and_all_is_counted_once(
    node: FakeNode, create: Create, show: Show
) -> None:
    run = create()["id"]
    recorded(node, run, 1)
    (name,) = given(node, run)
    node.send(run, 10)
    node.report(run, Result(baseline_id=name, final=False, status="passed", verdicts=(UNSURE,), sent=10, left=4))
    node.die()
    node.in_parts = False
    node.come_back()
    node.beat()
    work = node.claim(run, 1)
    assert ([one.id for one in work.baselines], work.parts, work.belated) == ([name], None, ())
    node.report(run, Result(baseline_id=name, final=True, status="passed", verdicts=(UNSURE,), sent=12))
    seen = show(run)
    assert (seen["baseline_check_passed_count"], seen["inconclusive_count"]) == (1, 1)
    assert seen["sended_requests_count"] == 22


def test_what_was_found_in_the_first_part_stays_where_the_second_loses_its_session(
    api: Api, node: FakeNode, create: Create, show: Show
) -> None:
    run = create()["id"]
    (item,) = (node.beat(), node.record(run, 1))[1]
    node.hand_over(run)
    given(node, run)
    node.report(
        run, Result(baseline_id=item.id, final=False, status="failed", verdicts=(vulnerable(item),), left=4)
    )  # fmt: skip
    node.held[run].clear()
    given(node, run)
    node.finish(run, "error", reason="auth_failed", detail="over")
    assert show(run)["baseline_check_fail_count"] == 1
    assert listed(api, run)[item.id]["detail"] == f"{FOUND_BEFORE}over"


def test_that_nothing_was_tested_is_told_only_of_both_parts(node: FakeNode, create: Create, show: Show) -> None:
    run = create()["id"]
    recorded(node, run, 2)
    first, second = given(node, run, 2)
    for name in (first, second):
        node.finish(run, "passed", name, detail=NOTHING_FITS, left=2)
    assert show(run)["baseline_untested_count"] == 0
    given(node, run, 2)
    node.finish(run, "passed", first, detail="")
    node.finish(run, "passed", second, detail=NOTHING_FITS)
    assert show(run)["baseline_untested_count"] == 1


def test_users_that_come_to_be_known_between_the_parts_are_asked_as_before_what_was_put_off(
    node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    run = create(policy_id="thorough")["id"]
    node.beat()
    made = node.record(run, baselines=[asked("/orders/1", jwt("alice")), asked("/orders/2", jwt("bob"))])
    first, second = [one.id for one in made]
    node.hand_over(run)
    given(node, run, 2)
    node.send(run, 30, first)
    node.finish(run, "passed", first, left=9)
    node.finish(run, "passed", second)
    stopped(node, act, run)
    Worker().drain()
    node.beat()
    work = node.claim(run, 2)
    assert {one.id for one in work.baselines} == {first, second}
    assert dict(work.belated) == {first: 30, second: 0}
    assert {name: made for name, made, _, _ in work.parts or ()} == {first: 1, second: 4}, "of the first both are left"
    assert show(run)["planing_requests_count"] > 0
    node.finish(run, "failed", first, left=9)
    node.finish(run, "passed", second)
    work = node.claim(run, 1)
    assert (work.belated, [one[:3] for one in work.parts or ()]) == ((), [(first, 1, 1)])
    node.finish(run, "passed", first)
    seen = show(run)
    assert (seen["state"], seen["baseline_check_fail_count"], seen["baseline_check_passed_count"]) == ("failed", 1, 1)
    assert seen["planing_requests_count"] == 0


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ("sqli at get/q: blocked", "nosqli, rce at get/q: blocked", "sqli, nosqli, rce at get/q: blocked"),
        ("sqli at get/q: blocked", "rce at get/n: blocked", "sqli at get/q: blocked; rce at get/n: blocked"),
        ("sqli at get/q: blocked", "sqli at get/q: blocked; it went on", "sqli at get/q: blocked; it went on"),
        ("it went on", NOTHING_FITS, "it went on"),
        (NOTHING_FITS, NOTHING_FITS, NOTHING_FITS),
        ("", NOTHING_FITS, ""),
        (nothing_there(404), nothing_there(404), nothing_there(404)),
        ("it went on", nothing_there(404), "it went on"),
    ],
)
def test_what_is_undecided_for_one_reason_is_told_once_for_all_parts(before: str, now: str, told: str) -> None:
    assert parts.both(before, now) == told


def test_a_result_is_of_the_part_that_is_open() -> None:
    row = CheckRow(1, 0, "bl_1", Status.IN_PROGRESS)
    first = Result(baseline_id="bl_1", final=True, status="passed")
    second = msgspec.structs.replace(first, part=1)
    late = msgspec.structs.replace(row, part=1)
    assert [parts.is_of_now(one, told) for one in (row, late) for told in (first, second)] == [True, False, False, True]
    assert check_rows.fitting("a\x00b" + "c" * 300) == ("ab" + "c" * 300)[:254]
