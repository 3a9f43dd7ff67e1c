"""A node is told all that its run's record holds, in parts, before it tests any of it; nobody else is."""

import msgspec
import pytest
from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create, Show, stopped
from tests.control.testruns.test_surveying import asked, jwt

from gatecrash.control.jobs.worker import Worker
from gatecrash.control.testruns import acquainting
from gatecrash.core.auth.sessions import LearnedCookie, State
from gatecrash.core.testing.baseline import Baseline
from gatecrash.fakes.fake_node import FakeNode
from gatecrash.wire.work import Acquaint, Acquainted

pytestmark = pytest.mark.database


def paths(told: Acquainted) -> list[bytes]:
    return [each.request.target for each in told.exchanges]


def recording(node: FakeNode, create: Create, count: int) -> str:
    """A run that has recorded so many requests and goes on."""
    run: str = create()["id"]
    node.beat()
    node.record(run, baselines=[asked(f"/orders/{number}", jwt("ann")) for number in range(count)])
    node.hand_over(run)
    return run


def test_all_of_a_record_is_told_in_its_order_and_what_comes_later_when_it_came(
    node: FakeNode, create: Create, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acquainting, "CHUNK", 2)
    run: str = create()["id"]
    node.beat()
    assert node.acquaint(run) == Acquainted(open=True), "nothing was recorded, and something may be"
    node.record(run, baselines=[asked(f"/orders/{number}", jwt("ann")) for number in range(3)])
    node.hand_over(run)
    first = node.acquaint(run)
    assert (paths(first), first.last, first.more, first.open) == ([b"/orders/0", b"/orders/1"], 2, True, True)
    second = node.acquaint(run, first.last)
    assert (paths(second), second.last, second.more, second.open) == ([b"/orders/2"], 3, False, True)
    stopped(node, act, run)
    over = node.acquaint(run, second.last)
    assert (over.exchanges, over.more, over.open) == ((), False, False)


def test_one_part_is_no_larger_than_a_node_has_to_hold(
    node: FakeNode, create: Create, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acquainting, "MOST_BYTES", 0)
    told = node.acquaint(recording(node, create, 2))
    assert (told.last, told.more) == (1, True), "one in any case"


def test_a_very_large_record_is_told_up_to_a_number(
    node: FakeNode, create: Create, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acquainting, "MOST", 1)
    told = node.acquaint(recording(node, create, 2))
    assert (told.last, told.more, told.open) == (1, False, False)


def test_only_who_holds_the_run_is_told(api: Api, node: FakeNode, create: Create) -> None:
    run = recording(node, create, 1)
    lease = (run, node.orders[run].generation)
    for message in (
        Acquaint(node.id, node.session, run, lease[1] + 1),
        Acquaint(node.id, node.session, "tr_of_somebody_else", 1),
        Acquaint(node.id, node.session, "' OR 1=1", 1),
    ):
        assert node.say("acquaint", message, Acquainted) == Acquainted(stale=True)


CLUB = LearnedCookie("shop.test", "club", State.UNPROVEN, likely=True)


def with_cookie(path: str, value: str) -> Baseline:
    made = asked(path, None)
    headers = (*made.request.headers, (b"Cookie", f"club={value}".encode()))
    request = msgspec.structs.replace(made.request, headers=headers)
    return Baseline(made.id, msgspec.structs.replace(made.exchange, request=request))


def test_a_cookie_that_the_target_wants_tells_the_users_of_a_copy_apart(
    node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    run = create()
    node.beat()
    mine = [with_cookie(f"/orders/{number}?n=1", ("ann-7731", "bob-2284")[number % 2]) for number in range(4)]
    node.record(run["id"], baselines=mine)
    node.hand_over(run["id"])
    stopped(node, act, run["id"])
    copy = create(test_record_id=run["test_record_id"], policy_id="thorough")
    Worker().drain()
    assert node.beat().runs[-1].profile is None, "nothing says that it is a session's"
    node.acquaint(copy["id"], 0, CLUB)
    Worker().drain()
    (order,) = (each for each in node.beat().runs if each.run_id == copy["id"])
    assert order.profile is not None
    assert show(copy["id"])["user_count"] == len(order.profile.identities) == 2
    generation = order.generation
    node.acquaint(copy["id"], 0, CLUB)
    Worker().drain()
    (order,) = (each for each in node.beat().runs if each.run_id == copy["id"])
    assert order.generation == generation, "told again it changes nothing"


def test_a_node_cannot_tell_that_a_cookie_counts(node: FakeNode, create: Create) -> None:
    run: str = create()["id"]
    node.beat()
    node.acquaint(run, 0, LearnedCookie("shop.test", "club", State.PROVEN), CLUB)
    config = node.beat().config
    assert config is not None
    assert config.sessions == (CLUB,)
