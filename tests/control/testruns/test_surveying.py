"""A record of two users orders a node to test as both, and the row holds their credentials only while the run is at work."""

import base64
import json
import secrets
from collections.abc import Callable

import msgspec
import pytest
from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create, Show, stopped

from gatecrash.control import vault, wall
from gatecrash.control.jobs.worker import Worker
from gatecrash.control.testruns import surveying
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.message import Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.fakes.fake_node import FakeNode, baseline

pytestmark = pytest.mark.database

Copy = Callable[..., dict]


def jwt(subject: str) -> bytes:
    parts = (b'{"alg":"HS256"}', json.dumps({"sub": subject}).encode(), b"sig")
    return b"Bearer " + b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)


def asked(path: str, credential: bytes | None) -> Baseline:
    made = baseline(path)
    headers = ((b"Host", b"shop.test"), *(((b"Authorization", credential),) if credential else ()))
    request = msgspec.structs.replace(made.request, headers=headers)
    return Baseline(made.id, msgspec.structs.replace(made.exchange, request=request))


@pytest.fixture
def copied(api: Api, node: FakeNode, create: Create, act: Act) -> Copy:
    """A copy over a record of requests with these credentials, cloned."""

    def make(*credentials: bytes | None, **fields: object) -> dict:
        run = create()
        node.beat()
        node.record(run["id"], baselines=[asked(f"/orders/{n}?n=1", one) for n, one in enumerate(credentials)])
        node.hand_over(run["id"])
        stopped(node, act, run["id"])
        copy = create(test_record_id=run["test_record_id"], policy_id="thorough", **fields)
        Worker().drain()
        return copy

    return make


def test_a_copy_is_ordered_to_be_tested_as_both_users(node: FakeNode, copied: Copy, show: Show) -> None:
    both = show(copied(jwt("alice"), jwt("bob"))["id"])
    (order,) = node.beat().runs
    assert order.sending
    assert order.profile is not None
    assert order.profile.recorded
    assert [one.values[0].value.encode() for one in order.profile.identities] == [jwt("alice"), jwt("bob")]
    alone = show(copied(jwt("alice"), jwt("alice"))["id"])
    (order,) = node.beat().runs
    assert order.profile is None
    assert (both["user_count"], alone["user_count"]) == (2, 1)
    assert both["planing_requests_count"] > alone["planing_requests_count"] > 0, "objects of others cost requests"


def test_users_with_sessions_are_told_apart_by_the_logins_in_the_record(
    node: FakeNode, create: Create, act: Act
) -> None:
    """No table lists the cookie: that a login issued it tells that it is a session, and whose."""
    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    baselines = []
    for user in ("alice", "bob"):
        session = f"clubsid={user}-3f9a0c77de114b02aa55".encode()
        login = Request("POST", b"/login", ((b"Host", b"shop.test"), form), f"user={user}&password=k".encode())
        answer = Response(302, ((b"Location", b"/"), (b"Set-Cookie", session + b"; HttpOnly")))
        page = Request("GET", b"/account?id=7&of=" + user.encode(), ((b"Host", b"shop.test"), (b"Cookie", session)))
        for request, response in ((login, answer), (page, Response(200, (), b"<p>hello</p>"))):
            made = baseline(f"/{user}")
            placed = msgspec.structs.replace(request, host=made.request.host, port=made.request.port)
            exchange = msgspec.structs.replace(made.exchange, request=placed, response=response)
            baselines.append(Baseline(made.id, exchange))
    run = create()
    node.beat()
    node.record(run["id"], baselines=baselines)
    node.hand_over(run["id"])
    stopped(node, act, run["id"])
    create(test_record_id=run["test_record_id"])
    Worker().drain()
    (order,) = node.beat().runs
    assert order.profile is not None
    assert [one.known for one in order.profile.identities] == [("alice",), ("bob",)]


def test_the_credentials_are_sealed_and_leave_the_row_when_the_run_ends(
    client_id: str, node: FakeNode, copied: Copy, act: Act
) -> None:
    run = copied(jwt("alice"), jwt("bob"))
    with wall.client(client_id):
        row = TestRun.objects.get(id=run["id"])
        assert jwt("bob") not in bytes(row.recorded)
        assert vault.unseal(bytes(row.recorded), client_id=client_id, row=surveying.named(row.id))
        act(run["id"], "interrupt")
        assert TestRun.objects.get(id=run["id"]).recorded is None


def test_a_recording_by_one_user_ends_as_one_without_a_look_at_the_record(
    node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    run = create(policy_id="default")["id"]
    node.beat()
    node.record(run, baselines=[asked("/orders/1", jwt("alice"))])
    node.hand_over(run)
    assert show(run)["user_count"] is None
    act(run, "interrupt")
    assert show(run)["user_count"] == 1
    assert "csrf" in show(run)["types_left_out"]


def test_an_only_user_who_was_told_about_himself_is_looked_for_when_the_recording_is_over(
    node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    """What names its user (`/orders?user_id=7`) is asked with another's name, for which his own has to be known."""
    run = create()
    node.beat()
    about = asked("/me", jwt("alice"))
    told = Response(200, ((b"Content-Type", b"application/json"),), b'{"id": 7, "name": "alice-w"}')
    about = Baseline(about.id, msgspec.structs.replace(about.exchange, response=told))
    node.record(run["id"], baselines=[about, asked("/orders?user_id=7", jwt("alice"))])
    node.hand_over(run["id"])
    stopped(node, act, run["id"])
    Worker().drain()
    (order,) = node.beat().runs
    assert order.profile is not None
    assert order.profile.recorded
    assert "7" in order.profile.identities[0].known
    assert show(run["id"])["user_count"] == 1


def test_what_waits_when_a_recording_is_over_is_tested_as_its_users(node: FakeNode, create: Create, act: Act) -> None:
    run = create()
    node.beat()
    node.record(run["id"], baselines=[asked("/orders/1", jwt("alice")), asked("/orders/2", jwt("bob"))])
    node.hand_over(run["id"])
    before = node.beat().runs[0]
    assert before.profile is None, "who else may come is not known yet"
    stopped(node, act, run["id"])
    Worker().drain()
    (order,) = node.beat().runs
    assert order.profile is not None
    assert len(order.profile.identities) == 2
    assert order.generation == before.generation + 1, "what was sent as nobody else is told of no more"
    assert node.claim(run["id"], 2).belated == (), "what had not begun is tested as a whole"


@pytest.mark.parametrize(("credential", "bare"), [(None, True), (jwt("alice"), False)], ids=["bare", "signed in"])
def test_a_given_profile_is_told_whether_the_record_holds_credentials(
    api: Api, node: FakeNode, copied: Copy, credential: bytes | None, bare: bool
) -> None:
    values = [{"point": ["header", "AUTHORIZATION"], "value": "Bearer " + secrets.token_hex(8)}]
    status, profile = api.post("/v1/auth_profile", {"name": "alice", "values": values})
    assert status == 200, profile
    copied(credential, None, auth_profile_id=profile["id"])
    (order,) = node.beat().runs
    assert order.profile is not None
    assert (order.profile.bare, order.profile.recorded) == (bare, False)


def test_a_retest_of_one_baseline_knows_the_users_of_the_whole_record(api: Api, node: FakeNode, copied: Copy) -> None:
    run = copied(jwt("alice"), jwt("bob"))
    node.beat()
    node.claim(run["id"], 2)
    node.finish(run["id"], "failed")
    node.finish(run["id"], "passed")
    (vulnerability,) = api.get("/v1/vulns")[1]["objects"]
    assert api.post(f"/v1/vulns/{vulnerability['id']}/retest", {})[0] == 200
    Worker().drain()
    (order,) = node.beat().runs
    assert order.profile is not None
    assert len(order.profile.identities) == 2


def test_a_profiles_identities_are_known_by_what_the_record_tells_without_its_secrets(
    client_id: str, api: Api, node: FakeNode, copied: Copy
) -> None:
    names = ("boss", "alice")
    identities = [
        {"name": name, "rank": 1, "variables": {"user": name, "password": f"{name}-word-1"}} for name in names
    ]
    document = {
        "name": "Shop",
        "login": [{"path": "/login", "json": {"user": "${user}"}, "take": {"t": {"json": "$.t"}}}],
        "values": [{"point": ["header", "Authorization"], "value": "Bearer ${t}"}],
        "identities": identities,
    }
    status, profile = api.post("/v1/auth_profile", document)
    assert status == 200, profile
    copy = copied(jwt("alice"), jwt("boss"), jwt("carol"), auth_profile_id=profile["id"])
    (order,) = node.beat().runs
    assert order.profile is not None
    assert not order.profile.recorded
    told = {holder.identity: holder.values[0].value.encode() for holder in order.profile.holders}
    assert told == {"alice": jwt("alice"), "boss": jwt("boss")}
    with wall.client(client_id):
        kept = surveying.users(TestRun.objects.get(id=copy["id"]))
    assert kept is not None
    assert [one.variables for one in kept.identities] == [(), ()]
