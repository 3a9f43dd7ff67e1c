"""What a run makes of a baseline."""

import pytest

from gatecrash.control import wall
from gatecrash.control.inventory import sessions
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.testruns.planning import Planner, checks
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.run_events import Status
from gatecrash.fakes.fake_node import baseline


@pytest.fixture(autouse=True)
def inside(client_id: str):
    with wall.client(client_id):
        yield


def run(**fields: object) -> TestRun:
    return TestRun(id="tr_1", policy_id="default", **fields)


def test_a_baseline_is_forecast_by_the_run_s_policy() -> None:
    (with_point, without) = Planner(run()).plan([baseline("/items?q=tea"), baseline("/")])
    assert with_point.forecast > without.forecast >= 0


def test_the_same_request_by_another_user_is_no_duplicate() -> None:
    one, same, other = baseline("/a"), baseline("/a"), baseline("/a?access_token=zyxwvutsrqponm")
    keys = [plan.duplicate for plan in Planner(run()).plan([one, same, other])]
    assert keys[0] == keys[1] != keys[2]


def test_requests_that_differ_in_numbers_are_of_one_kind_and_what_destroys_of_none() -> None:
    made = [baseline("/a?id=1"), baseline("/a?id=2"), baseline("/b?id=1"), baseline("/a/1", method="DELETE")]
    first, second, other, last = (plan.kind for plan in Planner(run()).plan(made))
    assert first == second != other
    assert (bool(first), last) == (True, "")


ALICE, BOB = b"Zq81Lm0pXc72Vb93", b"Yt66Ks4wRn15Hd08"


def of_session(value: bytes, target: bytes = b"/account") -> Baseline:
    """A request with a cookie that no table lists."""
    request = Request(
        "GET", target, ((b"Host", b"shop.test"), (b"Cookie", b"shopsid=" + value)), b"", "http", "shop.test", 80
    )
    return Baseline("bl_" + value.decode().lower(), Exchange(request, Response(200, (), b"hello")))


def login(value: bytes) -> Baseline:
    """The login that issues it."""
    headers = ((b"Host", b"shop.test"), (b"Content-Type", b"application/x-www-form-urlencoded"))
    request = Request("POST", b"/login", headers, b"username=a&password=wonder11", "http", "shop.test", 80)
    issued = ((b"Location", b"/account"), (b"Set-Cookie", b"shopsid=" + value + b"; HttpOnly; Path=/"))
    return Baseline("bl_login" + value.decode().lower(), Exchange(request, Response(302, issued)))


def test_the_same_request_in_another_session_is_no_duplicate() -> None:
    planner = Planner(run())
    first, second = planner.plan([login(ALICE), of_session(ALICE), of_session(BOB)])[1:]
    assert first.duplicate != second.duplicate


def test_a_session_is_known_by_a_login_that_an_earlier_message_brought() -> None:
    planner = Planner(run())
    planner.plan([login(ALICE)])
    assert sessions.learn(planner.learned())
    first, second = Planner(run()).plan([of_session(ALICE), of_session(BOB)])
    assert first.duplicate != second.duplicate


def test_what_a_session_asks_for_is_forecast_with_its_credentials() -> None:
    (stranger,) = Planner(run()).plan([of_session(ALICE)])
    known = Planner(run()).plan([login(ALICE), of_session(ALICE)])[1]
    assert known.forecast > stranger.forecast


def test_excluded_extensions_cost_nothing() -> None:
    (plan,) = Planner(run(file_extensions_to_exclude="png")).plan([baseline("/a.PNG?q=1")])
    assert (plan.skip, plan.forecast) == ("extension", 0)


def test_a_record_without_a_run_is_not_forecast() -> None:
    (plan,) = Planner(None).plan([baseline("/a?q=1")])
    assert (plan.forecast, plan.skip) == (0, "")


def test_a_repeated_baseline_is_skipped_only_where_the_run_wants_it() -> None:
    plans = Planner(run()).plan([baseline("/a?q=1"), baseline("/a?q=1")])
    pairs = [(plans[0], False), (plans[1], True)]
    assert [row.status for row in checks(run(), 1, pairs, Status.WAITING)] == [Status.WAITING, Status.SKIPPED]
    every = run(skip_duplicated_baselines=False)
    assert [row.status for row in checks(every, 1, pairs, Status.WAITING)] == [Status.WAITING] * 2
    assert [bool(row.kind) for row in checks(run(), 1, pairs, Status.WAITING)] == [True, False], (
        "nothing waits for what is skipped"
    )


def test_checks_of_an_ended_run_have_nothing_left_to_send() -> None:
    (plan,) = Planner(run()).plan([baseline("/a?q=1")])
    (row,) = checks(run(), 7, [(plan, False)], Status.INTERRUPTED)
    assert (row.sequence, row.status, row.remaining) == (7, Status.INTERRUPTED, 0)


def test_a_policy_that_cannot_be_applied_is_the_node_s_to_report() -> None:
    broken = {"id": "pol_1", "name": "broken", "types": ["sqli"], "include": [["get", "("]]}
    (plan,) = Planner(run(policy=broken)).plan([baseline("/a?q=1")])
    assert (plan.skip, plan.forecast) == ("", 0)
