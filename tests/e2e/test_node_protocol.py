"""The node protocol at its borders: roles, broken messages, and messages that name what is another client's."""

from collections.abc import Iterator

import httpx
import msgspec
import pytest
from tests.e2e.caller import envelope, plain_error
from tests.e2e.protocol_node import ProtocolNode, baseline, passed
from tests.e2e.routes import node_paths
from tests.e2e.service import Service
from tests.e2e.tenant import Tenant
from tests.plain_http import PLAIN

from gatecrash.wire.codec import CONTENT_TYPE, encode
from gatecrash.wire.session import Heartbeat, Hello, RunOrder
from gatecrash.wire.work import Claim, Describe, Recorded, Results

pytestmark = pytest.mark.database

HELLO = Hello(name="a node", kind="native", version="0.24.0", spool="s")


@pytest.fixture(scope="module")
def owner(service: Service) -> Iterator[Tenant]:
    with service.tenant() as one:
        one.recorded("theirs", baselines=2)
        yield one


@pytest.fixture(scope="module")
def stranger(service: Service) -> Iterator[Tenant]:
    with service.tenant() as one:
        one.recorded("mine")
        yield one


@pytest.fixture
def theirs(owner: Tenant) -> Iterator[RunOrder]:
    """What their node is told; nothing that is done in this test may change it."""
    run_id = owner.state()["runs"][0]["id"]
    before = owner.state()
    yield owner.node.order(run_id)
    assert owner.state() == before


@pytest.mark.parametrize("path", node_paths())
def test_only_nodes_speak_it(owner: Tenant, path: str) -> None:
    for role, expected in (("viewer", 403), ("analyst", 403), ("node", 400), ("ci", 400), ("admin", 400)):
        answer = owner.callers[role].send("POST", path, b"", CONTENT_TYPE)
        assert (role, answer.status) == (role, expected)


@pytest.mark.parametrize("path", node_paths())
@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\x01",
        b"\x00\x90",
        b"\x02" + encode(HELLO)[1:],
        b"\x01\x91",
        b"{}",
        encode(HELLO)[:-1],
        b"\x01" + b"\x91" * 5000,
    ],
    ids=["empty", "version only", "version 0", "version 2", "cut", "JSON", "a byte short", "deep"],
)
def test_a_broken_message_is_400(owner: Tenant, path: str, message: bytes) -> None:
    plain_error(owner.callers["node"].send("POST", path, message, CONTENT_TYPE), 400, "invalid_value")


def test_json_is_no_message(owner: Tenant) -> None:
    plain_error(owner.callers["node"].send("POST", node_paths()[0], b"{}"), 415, "unsupported_media_type")


def test_a_message_is_posted(owner: Tenant) -> None:
    for path in node_paths():
        assert owner.callers["node"].get(path).status == 405


def test_anothers_node_is_as_unknown_as_none(owner: Tenant, stranger: Tenant, theirs: RunOrder) -> None:
    mine, node = stranger.callers["node"], owner.node.welcome
    for path, forge in (
        ("heartbeat", lambda node_id: Heartbeat(node_id, node.session, 0.0, 0)),
        ("claim", lambda node_id: Claim(node_id, node.session, theirs.run_id, theirs.generation, 5)),
        ("describe", lambda node_id: Describe(node_id, node.session, theirs.run_id, theirs.generation)),
        ("baselines", lambda node_id: Recorded(node_id, node.session, theirs.run_id, theirs.record_id, ())),
        ("results", lambda node_id: Results(node_id, node.session, theirs.run_id, theirs.generation, ())),
    ):
        foreign, unknown = (
            mine.send("POST", f"/v1/node/{path}", encode(forge(one)), CONTENT_TYPE)
            for one in (node.node_id, "node_" + "0" * 26)
        )
        plain_error(foreign, 404, "not_found")
        assert (foreign.status, foreign.body) == (unknown.status, unknown.body)


def test_anothers_run_is_out_of_reach_of_ones_own_node(stranger: Tenant, theirs: RunOrder) -> None:
    node: ProtocolNode = stranger.node
    assert theirs.run_id not in [order.run_id for order in node.beat().runs]
    assert node.claim(theirs, 5).baselines == ()
    assert node.record(theirs, [baseline(1)]).stored == ()
    absent = msgspec.structs.replace(theirs, run_id="tr_" + "0" * 26, record_id="rec_" + "0" * 26)
    result = passed("bl_" + "0" * 26)
    assert node.results(theirs, [result]) == node.results(absent, [result])
    assert node.describe(theirs) == node.describe(absent)
    assert node.describe(theirs).drafts == ()
    assert node.acquaint(theirs) == node.acquaint(absent)
    assert node.acquaint(theirs).exchanges == ()


def test_the_answers_are_messages_and_refusals_are_enveloped(owner: Tenant) -> None:
    with httpx.Client(base_url=owner.api, **PLAIN) as client:
        headers = {"X-Service-API-Token": owner.node_token, "Content-Type": CONTENT_TYPE}
        good = client.post("/v1/node/hello", content=encode(msgspec.structs.replace(HELLO, name="b")), headers=headers)
        assert (good.status_code, good.headers["content-type"]) == (200, CONTENT_TYPE)
        bad = client.post("/v1/node/hello", content=encode(msgspec.structs.replace(HELLO, name="\0")), headers=headers)
        plain_error(envelope(bad), 400, "invalid_value")
