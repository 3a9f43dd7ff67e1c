"""A node is told all that its run's record holds, in parts, before it tests any of it; nobody else is."""

import json

import msgspec
import pytest
from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create, Show, stopped
from tests.control.testruns.test_exports import exported
from tests.control.testruns.test_reopening import HOME, TO_LOGIN, visited
from tests.control.testruns.test_surveying import asked, jwt

from gatecrash.control import wall
from gatecrash.control.jobs.worker import Worker
from gatecrash.control.testruns import acquainting
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.auth.sessions import LearnedCookie, State
from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.fakes.fake_node import FakeNode
from gatecrash.wire.session import RunOrder
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


def test_a_header_that_the_target_wants_tells_the_users_of_a_copy_apart_and_is_masked(
    api: Api, node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    def with_pass(number: int, value: str) -> Baseline:
        made = asked(f"/orders/{number}?n=1", None)
        request = msgspec.structs.replace(
            made.request, headers=(*made.request.headers, (b"X-Guild-Pass", value.encode()))
        )
        return Baseline(made.id, msgspec.structs.replace(made.exchange, request=request))

    run = create()
    node.beat()
    node.record(run["id"], baselines=[with_pass(number, ("ann-7731", "bob-2284")[number % 2]) for number in range(4)])
    node.hand_over(run["id"])
    stopped(node, act, run["id"])
    for told, users in ((("X-GUILD-PASS", "no name"), 2), ((), 0)):
        copy: str = create(test_record_id=run["test_record_id"], policy_id="thorough")["id"]
        Worker().drain()
        assert ordered(node, copy).profile is None
        node.acquaint(copy, headers=told)
        Worker().drain()
        order = ordered(node, copy)
        assert len(order.profile.identities if order.profile else ()) == show(copy)["user_count"] == users, (
            "it is of that run alone"
        )
        if users:
            node.claim(copy, 1)
            node.finish(copy, "failed")
            (found,) = show(copy)["vulns"]
            evidence = json.dumps(api.get(f"/v1/vulns/{found['id']}")).encode()
            for shown in (evidence, b"".join(exported(api, run["test_record_id"]).streaming_content)):
                assert b"X-Guild-Pass" in shown
                assert b"ann-7731" not in shown


def test_a_node_cannot_tell_that_a_cookie_counts(node: FakeNode, create: Create) -> None:
    run: str = create()["id"]
    node.beat()
    node.acquaint(run, 0, LearnedCookie("shop.test", "club", State.PROVEN), CLUB)
    config = node.beat().config
    assert config is not None
    assert config.sessions == (CLUB,)


OPAQUE = (b"Bearer 3f9a1c7be2d04c11", b"Bearer 91d04fe6aa37b802")


def told_of_himself(one: Baseline, name: str) -> Exchange:
    """What the sender of this one is answered at /me."""
    request = msgspec.structs.replace(one.request, target=b"/me")
    answer = Response(200, ((b"Content-Type", b"application/json"),), b'{"email": "%s@x.test"}' % name.encode())
    return Exchange(request, answer)


def copied(node: FakeNode, create: Create, act: Act) -> tuple[str, list[Baseline]]:
    """A copy over what two senders asked for, one behind the other, of whom nothing says that they are two."""
    run = create()
    node.beat()
    made = [asked(f"/orders/{number}?n=1", token) for number, token in enumerate(OPAQUE)]
    node.record(run["id"], baselines=made)
    node.hand_over(run["id"])
    stopped(node, act, run["id"])
    node.claim(run["id"], 2)
    act(run["id"], "interrupt")
    copy: str = create(test_record_id=run["test_record_id"], policy_id="thorough")["id"]
    Worker().drain()
    return copy, made


def ordered(node: FakeNode, run: str) -> RunOrder:
    (order,) = (each for each in node.beat().runs if each.run_id == run)
    return order


def test_what_senders_are_answered_tells_the_users_of_a_copy_apart(
    node: FakeNode, create: Create, act: Act, show: Show, client_id: str
) -> None:
    run, made = copied(node, create, act)
    before = ordered(node, run)
    assert (before.profile, show(run)["user_count"]) == (None, 1)
    assert not node.acquaint(run).compared
    answered = tuple(map(told_of_himself, made, ("ann", "ben")))
    assert node.acquaint(run, answered=answered).compared is False, "told by this very message"
    assert node.claim(run, 2).baselines == (), "nothing begins that would be made again as the users"
    Worker().drain()
    order = ordered(node, run)
    assert order.profile is not None
    assert (order.generation > before.generation, show(run)["user_count"]) == (True, 2)
    assert [one.known for one in order.profile.identities] == [("ann@x.test",), ("ben@x.test",)]
    assert node.acquaint(run).compared
    assert len(node.claim(run, 2).baselines) == 2
    node.acquaint(run, answered=answered)
    Worker().drain()
    assert ordered(node, run).generation == order.generation, "told again it changes nothing"
    with wall.client(client_id):
        assert OPAQUE[0] not in bytes(TestRun.objects.get(id=run).answered)
        act(run, "interrupt")
        assert TestRun.objects.get(id=run).answered is None


def test_what_is_answered_while_a_recording_goes_on_is_looked_at_when_it_is_over(
    node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    run: str = create()["id"]
    node.beat()
    made = node.record(run, baselines=[asked(f"/orders/{n}?n=1", token) for n, token in enumerate(OPAQUE)])
    node.hand_over(run)
    first, second = map(told_of_himself, made, ("ann", "ben"))
    node.acquaint(run, answered=(first,))
    node.acquaint(run, answered=(second,))
    Worker().drain()
    assert ordered(node, run).profile is None
    assert len(node.claim(run, 1).baselines) == 1, "tests go on meanwhile"
    stopped(node, act, run)
    assert node.claim(run, 2).baselines == ()
    Worker().drain()
    order = ordered(node, run)
    assert order.profile is not None
    assert [one.known for one in order.profile.identities] == [("ann@x.test",), ("ben@x.test",)]


def test_what_a_node_notes_is_shown_with_the_run_once(node: FakeNode, create: Create, act: Act, show: Show) -> None:
    run, _ = copied(node, create, act)
    ordered(node, run)
    for _ in range(2):
        node.acquaint(run, notes=("1 request asks for an object that is not there.",))
    assert show(run)["notes"] == ["1 request asks for an object that is not there."]


def test_one_user_with_two_tokens_stays_one(node: FakeNode, create: Create, act: Act, show: Show) -> None:
    run, made = copied(node, create, act)
    ordered(node, run)
    assert not node.acquaint(run, answered=tuple(map(told_of_himself, made, ("ann", "ann")))).stale
    Worker().drain()
    order = ordered(node, run)
    assert order.profile is not None
    assert show(run)["user_count"] == len(order.profile.identities) == 1
    assert len(node.claim(run, 2).baselines) == 2


def test_a_header_that_is_found_to_let_in_tells_more_of_users_who_sign_in_again(
    node: FakeNode, create: Create, act: Act
) -> None:
    def with_pass(path: str) -> Baseline:
        made = asked(path, None)
        headers = (*made.request.headers, (b"X-Guild-Pass", b"ann-7731-9f2c"))
        request = msgspec.structs.replace(made.request, headers=headers)
        return Baseline(made.id, msgspec.structs.replace(made.exchange, request=request))

    run = create()
    node.beat()
    login = visited("/login", HOME, b"user=ann&password=k")
    node.record(run["id"], baselines=[login, visited("/orders?n=1", Response(200)), visited("/logout", TO_LOGIN)])
    node.record(run["id"], baselines=[with_pass("/calls?n=1"), with_pass("/calls?n=2")])
    node.hand_over(run["id"])
    stopped(node, act, run["id"])
    copy: str = create(test_record_id=run["test_record_id"], policy_id="thorough")["id"]
    Worker().drain()
    before = ordered(node, copy)
    assert before.profile is not None
    assert (before.profile.recorded, before.credential_headers) == (False, ())
    for _ in range(2):
        node.acquaint(copy, headers=("X-GUILD-PASS",))
        assert ordered(node, copy).profile is not None, "nobody is forgotten while it is looked at"
        Worker().drain()
    after = ordered(node, copy)
    assert (after.credential_headers, after.profile.recorded if after.profile else None) == (("X-GUILD-PASS",), False)
