"""What a run tested before its record's users were known is tested as the others, too: once, and counted once."""

import msgspec
import pytest
from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create, Show, statuses_of, stopped
from tests.control.testruns.test_surveying import asked, jwt

from gatecrash.control import wall
from gatecrash.control.jobs.worker import Worker
from gatecrash.control.testruns import check_rows, claiming, reopening, surveying
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.message import Response
from gatecrash.core.point import Point
from gatecrash.core.reports.notes import OVER, SIGNED_IN_AGAIN
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.health.refused_sessions import FOUND_BEFORE, NO_LOGIN
from gatecrash.core.testing.run_events import Status
from gatecrash.core.testing.verdict import NOTHING_FITS, Inconclusive, Outcome, Verdict, inconclusive
from gatecrash.fakes.fake_node import FakeNode, baseline
from gatecrash.wire.work import Result

pytestmark = pytest.mark.database


@pytest.fixture
def early(node: FakeNode, create: Create, act: Act) -> str:
    """A run that tested Alice's order while it still recorded, and whose recording ended behind Bob's."""
    run: str = create(policy_id="thorough")["id"]
    node.beat()
    node.record(run, baselines=[asked("/orders/1", jwt("alice"))])
    node.hand_over(run)
    node.claim(run, 1)
    node.send(run, 30)
    unsure = inconclusive("sqli", Point.of("path", "1"), Inconclusive.UNSTABLE)
    (name,) = node.held[run]
    node.report(
        run,
        Result(
            baseline_id=name,
            final=True,
            status="passed",
            detail="sqli at path/1: unstable",
            verdicts=(unsure,),
            sent=30,
        ),
    )
    del node.held[run][name]
    node.beat()
    node.record(run, baselines=[asked("/orders/2", jwt("bob"))])
    node.hand_over(run)
    node.claim(run, 1)
    node.finish(run, "passed")
    stopped(node, act, run)
    return run


def test_the_run_does_not_end_before_its_users_were_looked_for(node: FakeNode, early: str, show: Show) -> None:
    assert (show(early)["state"], show(early)["baseline_check_passed_count"]) == ("running", 2)
    Worker().drain()
    seen = show(early)
    assert (seen["state"], seen["baseline_check_passed_count"], seen["baseline_check_waiting_count"]) == (
        "running",
        0,
        2,
    )
    assert 0 < seen["planing_requests_count"] < 30, "nothing else is made again"
    assert (seen["baseline_count"], seen["sended_requests_count"]) == (2, 30)


def test_only_what_other_users_are_needed_for_is_made_and_all_is_counted_once(
    api: Api, node: FakeNode, early: str, show: Show
) -> None:
    Worker().drain()
    (order,) = node.beat().runs
    assert order.profile is not None
    work = node.claim(early, 2)
    assert work.belated == tuple((one.id, sent) for one, sent in zip(work.baselines, (30, 0), strict=True))
    node.send(early, 4, work.baselines[0].id)
    node.finish(early, "failed", work.baselines[0].id)
    node.finish(early, "passed", work.baselines[1].id)
    seen = show(early)
    assert (seen["state"], seen["baseline_check_fail_count"], seen["baseline_check_passed_count"]) == ("failed", 1, 1)
    assert (seen["sended_requests_count"], seen["inconclusive_count"], len(seen["vulns"])) == (34, 1, 1)
    listed = {one["id"]: one for one in api.get(f"/v1/test_run/{early}/baselines")[1]["objects"]}
    first = listed[work.baselines[0].id]
    assert (first["sent"], first["inconclusive"], first["detail"]) == (34, 1, "sqli at path/1: unstable")


def test_a_result_from_before_the_users_were_known_closes_nothing_again(node: FakeNode, early: str, show: Show) -> None:
    """Its answer was lost, and the node tells it once more."""
    old = node.orders[early].generation
    Worker().drain()
    node.beat()
    work = node.claim(early, 2)
    repeated = Result(baseline_id=work.baselines[0].id, final=True, status="passed", sent=30)
    assert node.report(early, repeated, generation=old).stale
    assert show(early)["baseline_check_running_count"] == 2


def test_looking_twice_opens_nothing_twice(client_id: str, node: FakeNode, early: str, show: Show) -> None:
    Worker().drain()
    before = show(early)
    with wall.client(client_id):
        assert reopening.next_chunk(early, 0, 100) is None
        assert statuses_of(early) == {"waiting": 2}
    assert show(early)["baseline_check_waiting_count"] == before["baseline_check_waiting_count"]


def test_a_run_that_ends_meanwhile_stays_ended(client_id: str, early: str, act: Act, show: Show) -> None:
    act(early, "interrupt")
    Worker().drain()
    assert (show(early)["state"], show(early)["baseline_check_passed_count"]) == ("interrupted", 2)


def test_users_of_one_name_open_nothing(node: FakeNode, create: Create, act: Act, show: Show) -> None:
    """A token that was renewed: the credentials differ, the user does not, and the run ends when that is known."""
    run = create()["id"]
    node.beat()
    renewed = jwt("alice") + b"-renewed"
    node.record(run, baselines=[asked("/orders/1", jwt("alice")), asked("/orders/1?again", renewed)])
    node.hand_over(run)
    node.claim(run, 2)
    node.finish(run, "passed")
    node.finish(run, "passed")
    stopped(node, act, run)
    assert show(run)["state"] == "running"
    Worker().drain()
    assert (show(run)["state"], show(run)["baseline_check_passed_count"]) == ("passed", 2)


def test_what_nothing_fitted_until_now_is_tested_when_a_user_fits(node: FakeNode, early: str, show: Show) -> None:
    """That nothing was tested is told only where both halves had nothing."""
    Worker().drain()
    node.beat()
    first, second = node.claim(early, 2).baselines
    nothing = Result(baseline_id=first.id, final=True, status="passed", detail=NOTHING_FITS)
    node.report(early, nothing, msgspec.structs.replace(nothing, baseline_id=second.id))
    assert (show(early)["state"], show(early)["baseline_untested_count"]) == ("passed", 0)


SESSION = b"PHPSESSID=71354a2dfb0ab172a69d7032b7af19dc"
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
TO_LOGIN, HOME = Response(302, ((b"Location", b"/login"),)), Response(302, ((b"Location", b"/"),))


def visited(path: str, response: Response, body: bytes = b"") -> Baseline:
    """What one user asked for in a session that visitors have, too."""
    made = baseline(path)
    headers = ((b"Host", b"shop.test"), (b"Cookie", SESSION), *((FORM,) if body else ()))
    request = msgspec.structs.replace(made.request, headers=headers, body=body, method="POST" if body else "GET")
    return Baseline(made.id, msgspec.structs.replace(made.exchange, request=request, response=response))


def test_what_was_refused_behind_a_recorded_logout_is_tested_anew_as_who_signs_in_again(
    api: Api, node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    run: str = create()["id"]
    node.beat()
    login, page = visited("/login", HOME, b"user=ann&password=k"), visited("/orders?n=1", Response(200, (), b"<p>1"))
    node.record(run, baselines=[login, page, visited("/logout", TO_LOGIN)])
    node.hand_over(run)
    unsure = inconclusive("sqli", Point.of("get", "n"), Inconclusive.SESSION)
    assert [one.id for one in node.claim(run, 1).baselines] == [page.id]
    node.report(
        run,
        Result(baseline_id=page.id, final=True, status="error", reason="auth_failed", verdicts=(unsure,), sent=6),
    )
    del node.held[run][page.id]
    stopped(node, act, run)
    seen = show(run)
    assert (seen["state"], seen["baseline_check_tech_fail_count"], seen["inconclusive_count"]) == ("running", 1, 1)
    Worker().drain()
    seen = show(run)
    assert (seen["baseline_check_tech_fail_count"], seen["baseline_check_waiting_count"]) == (0, 3)
    assert (seen["inconclusive_count"], seen["user_count"]) == (0, 1)
    (order,) = node.beat().runs
    assert order.profile is not None
    assert [step.form for step in order.profile.identities[0].login] == [(("user", "ann"), ("password", "k"))]
    for _ in range(3):
        assert node.claim(run, 1).belated == (), "whole, and not as other users alone"
        node.finish(run, "passed")
    seen = show(run)
    assert (seen["state"], seen["baseline_check_passed_count"], seen["sended_requests_count"]) == ("passed", 3, 6)
    listed = api.get(f"/v1/test_run/{run}/baselines")[1]["objects"]
    assert {(one["reason"], one["inconclusive"]) for one in listed} == {(None, 0)}


def refused(name: str) -> Result:
    return Result(baseline_id=name, final=True, status="error", reason="auth_failed", detail=NO_LOGIN, sent=2)


def test_what_is_refused_because_the_recorded_session_is_over_is_tested_anew_as_who_signs_in_again(
    node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    """The application was started anew between the recording and a copy's tests, and nobody ever signed out."""
    run: str = create()["id"]
    node.beat()
    login, page = visited("/login", HOME, b"user=ann&password=k"), visited("/orders?n=1", Response(200, (), b"<p>1"))
    node.record(run, baselines=[login, page, visited("/bills?n=1", Response(200, (), b"<p>2"))])
    node.hand_over(run)
    stopped(node, act, run)
    copy: str = create(test_record_id=show(run)["test_record_id"])["id"]
    Worker().drain()
    (order,) = node.beat().runs
    assert order.profile is None or order.profile.recorded, "as far as the record tells its session serves"
    for number in (1, 2):
        (name,) = [one.id for one in node.claim(copy, 1).baselines]
        node.report(copy, refused(name))
        del node.held[copy][name]
        assert show(copy)["baseline_check_tech_fail_count"] == number
    assert node.claim(copy, 1).baselines == (), "the record is asked before the login itself is tested"
    Worker().drain()
    seen = show(copy)
    assert (seen["baseline_check_tech_fail_count"], seen["baseline_check_waiting_count"]) == (0, 3)
    (order,) = node.beat().runs
    assert order.profile is not None
    assert [step.form for step in order.profile.identities[0].login] == [(("user", "ann"), ("password", "k"))]
    for _ in range(2):
        (name,) = [one.id for one in node.claim(copy, 1).baselines]
        node.report(copy, refused(name))
        del node.held[copy][name]
    Worker().drain()
    node.claim(copy, 1)
    node.finish(copy, "passed")
    seen = show(copy)
    assert (seen["state"], seen["baseline_check_tech_fail_count"]) == ("passed", 2), "asked once, and never in a circle"
    assert seen["notes"] == [SIGNED_IN_AGAIN]


def test_what_found_something_before_its_session_ended_is_tested_anew_and_keeps_it(
    api: Api, node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    """Its result is the finding, and without the rest of its tests nobody would hear of a second one."""
    run: str = create()["id"]
    node.beat()
    login, page = visited("/login", HOME, b"user=ann&password=k"), visited("/orders?n=1", Response(200, (), b"<p>1"))
    node.record(run, baselines=[login, page])
    node.hand_over(run)
    stopped(node, act, run)
    Worker().drain()
    node.beat()
    assert [one.id for one in node.claim(run, 1).baselines] == [page.id]
    found = Verdict(type="sqli", point=Point.of("get", "n"), outcome=Outcome.VULNERABLE)
    unsure = inconclusive("xss", Point.of("get", "n"), Inconclusive.SESSION)
    told = f"{FOUND_BEFORE}{NO_LOGIN}"
    node.report(
        run, Result(baseline_id=page.id, final=True, status="failed", detail=told, verdicts=(found, unsure), sent=5)
    )
    del node.held[run][page.id]
    Worker().drain()
    seen = show(run)
    assert (seen["baseline_check_fail_count"], seen["baseline_check_waiting_count"]) == (0, 2)
    assert (seen["inconclusive_count"], len(seen["vulns"])) == (0, 1)
    assert signed_in_by(node) == [(("user", "ann"), ("password", "k"))]
    for _ in range(2):
        assert node.claim(run, 1).belated == (), "whole, and not as other users alone"
        node.finish(run, "passed")
    seen = show(run)
    assert (seen["state"], seen["baseline_check_fail_count"], seen["baseline_check_passed_count"]) == ("failed", 1, 1)
    listed = {one["id"]: one for one in api.get(f"/v1/test_run/{run}/baselines")[1]["objects"]}
    assert (listed[page.id]["status"], listed[page.id]["detail"]) == ("failed", "")


def test_a_record_that_shows_no_login_is_asked_once_and_the_run_ends(
    node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    run: str = create()["id"]
    node.beat()
    node.record(run, baselines=[visited("/orders?n=1", Response(200, (), b"<p>1"))])
    node.hand_over(run)
    stopped(node, act, run)
    (name,) = [one.id for one in node.claim(run, 1).baselines]
    node.report(run, refused(name))
    del node.held[run][name]
    Worker().drain()
    seen = show(run)
    assert (seen["state"], seen["baseline_check_tech_fail_count"], seen["notes"]) == ("passed", 1, [OVER])


def behind_a_stranger(node: FakeNode, create: Create, act: Act, show: Show) -> str:
    """A copy of what a browser sent that was signed in as somebody before, whose first baseline was refused, and looked at."""
    run: str = create()["id"]
    node.beat()
    login, page = visited("/login", HOME, b"user=ann&password=k"), visited("/orders?n=1", Response(200, (), b"<p>1"))
    node.record(run, baselines=[asked("/mine", jwt("earlier")), login, page])
    node.hand_over(run)
    stopped(node, act, run)
    copy: str = create(test_record_id=show(run)["test_record_id"])["id"]
    Worker().drain()
    node.beat()
    ended(node, copy, "error")
    return copy


def ended(node: FakeNode, run: str, status: str) -> None:
    """The next baseline, over."""
    (name,) = [one.id for one in node.claim(run, 1).baselines]
    node.report(
        run, refused(name) if status == "error" else Result(baseline_id=name, final=True, status=status, sent=1)
    )
    del node.held[run][name]


def signed_in_by(node: FakeNode) -> list[object]:
    (order,) = node.beat().runs
    assert order.profile is not None
    return [step.form for step in order.profile.identities[0].login]


def test_who_signed_in_behind_somebody_whom_nothing_revives_signs_in_before_the_run_ends(
    node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    copy = behind_a_stranger(node, create, act, show)
    Worker().drain()
    assert show(copy)["baseline_check_waiting_count"] == 2, "of the one who was refused nothing is known"
    ended(node, copy, "error")
    ended(node, copy, "passed")
    Worker().drain()
    seen = show(copy)
    assert (seen["state"], seen["baseline_check_waiting_count"], seen["baseline_check_passed_count"]) == (
        "running",
        2,
        1,
    )
    assert signed_in_by(node) == [(("user", "ann"), ("password", "k"))]


def test_what_is_refused_while_the_record_is_looked_at_is_looked_at_too(
    node: FakeNode, create: Create, act: Act, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = behind_a_stranger(node, create, act, show)
    survey, later = surveying.survey, ["passed", "error"]
    monkeypatch.setattr(claiming, "_more_may_come", lambda _: False)

    def meanwhile(row: TestRun) -> surveying.Survey:
        found = survey(row)
        while later:
            ended(node, copy, later.pop())
        return found

    monkeypatch.setattr(surveying, "survey", meanwhile)
    Worker().drain()
    seen = show(copy)
    assert (seen["state"], seen["baseline_check_waiting_count"], seen["baseline_check_passed_count"]) == (
        "running",
        2,
        1,
    )
    assert signed_in_by(node) == [(("user", "ann"), ("password", "k"))]


def test_what_a_baseline_cost_is_the_sum_of_all_leases() -> None:
    assert reopening.spent(CheckRow(1, 0, "bl_1", Status.PASSED, sent=3, sent_before=4)) == 7


def test_what_waits_is_forecast_anew_with_the_users(
    node: FakeNode, create: Create, act: Act, show: Show, client_id: str
) -> None:
    run: str = create(policy_id="thorough")["id"]
    node.beat()
    node.record(run, baselines=[asked("/orders/1", jwt("alice")), asked("/orders/2", jwt("bob"))])
    node.hand_over(run)
    before = show(run)["planing_requests_count"]
    stopped(node, act, run)
    Worker().drain()
    after = show(run)["planing_requests_count"]
    assert after > before, "tests as the other user come on top"
    with wall.client(client_id):
        rows = check_rows.page(run, 10, 0)
    assert sum(row.forecast for row in rows) == sum(row.remaining for row in rows) == after
    node.beat()
    node.claim(run, 2)
    node.finish(run, "passed")
    node.finish(run, "passed")
    assert (show(run)["planing_requests_count"], show(run)["state"]) == (0, "passed")


def test_what_came_with_a_header_that_was_found_to_let_in_is_tested_as_the_others_who_sent_one(
    node: FakeNode, create: Create, act: Act
) -> None:
    def sent_by(value: str) -> Baseline:
        made = asked("/orders/1?n=" + value[:3], None)
        headers = (*made.request.headers, (b"X-Guild-Pass", value.encode()))
        request = msgspec.structs.replace(made.request, headers=headers)
        return Baseline(made.id, msgspec.structs.replace(made.exchange, request=request))

    run: str = create(policy_id="thorough")["id"]
    node.beat()
    node.record(run, baselines=[sent_by("ann-7731"), sent_by("bob-2284"), sent_by("ann-7731")])
    node.hand_over(run)
    given = {each.id for each in node.claim(run, 3).baselines}
    for name in given:
        node.finish(run, "passed", name)
    node.acquaint(run, headers=("X-GUILD-PASS",))
    stopped(node, act, run)
    Worker().drain()
    node.beat()
    assert {each.id for each in node.claim(run, 3).baselines} == given
