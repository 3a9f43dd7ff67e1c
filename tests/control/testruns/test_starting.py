"""A record that its node reads from an address: ordered, watched, closed by itself or by its user."""

from typing import Any

import pytest
from tests.control.calling import Api

from gatecrash.control import ids, wall
from gatecrash.control.accounts.models import Client
from gatecrash.control.profiles import queries as profiles
from gatecrash.control.testruns import queries
from gatecrash.control.testruns.models import TestRecord
from gatecrash.control.testruns.starting import begun
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.fakes.fake_node import FakeNode
from gatecrash.formats.draft import Draft, packed
from gatecrash.wire.session import RunOrder, StartTold
from gatecrash.wire.work import Recorded, Stored

pytestmark = pytest.mark.database

URL = "http://shop.test/"


@pytest.fixture
def read(api: Api, node: FakeNode) -> dict[str, Any]:
    """A record that is to be read."""
    return api.post("/v1/test_record", {"name": "shop", "start_url": URL, "pages": 7})[1]


def ordered(node: FakeNode, record: dict[str, Any]) -> RunOrder:
    return next(one for one in node.beat().runs if one.run_id == record["id"])


def seen(api: Api, record: dict[str, Any]) -> dict[str, Any]:
    return api.get(f"/v1/test_record/{record['id']}")[1]


def hand_over(node: FakeNode, record: dict[str, Any]) -> Stored:
    """A page and a draft."""
    request = Request("GET", b"/tea", ((b"Host", b"shop.test"),), host="shop.test")
    page = Baseline(ids.new(ids.Prefix.BASELINE), Exchange(request, Response(200)))
    draft = packed(Draft(request=Request("GET", b"/told", request.headers, host="shop.test"), drafted=True))
    drafts = ((ids.new(ids.Prefix.BASELINE), draft), ("no identifier", draft))
    return node.say("baselines", Recorded(node.id, node.session, record["id"], record["id"], (page,), drafts), Stored)


def test_its_node_is_told_what_to_read_and_records_nothing_else(read: dict[str, Any], node: FakeNode) -> None:
    order = ordered(node, read)
    assert order.start is not None
    assert (order.start.url, order.start.most, order.start.over) == (URL, 7, False)
    assert (order.recording, order.sending) == (False, True)
    assert order.marker_key
    assert node.config is not None
    assert read["id"] in node.config.marker_keys, "its requests are ours, and are not counted"


def test_how_far_it_is_is_shown_and_it_closes_when_all_is_handed_over(
    api: Api, read: dict[str, Any], node: FakeNode
) -> None:
    assert (read["start"]["state"], read["start"]["pages"], read["ready_for_cloning"]) == ("waiting", 7, False)
    node.beat()
    node.starts[read["id"]] = StartTold(3)
    node.beat()
    start = seen(api, read)["start"]
    assert (start["state"], start["pages_read"]) == ("reading", 3)
    stored = hand_over(node, read)
    assert (len(stored.stored), [name for name, _ in stored.refused]) == (2, ["no identifier"])
    node.starts[read["id"]] = StartTold(5, ended=True, notes=("Only the first 7 pages were read.",))
    assert read["id"] not in {one.run_id for one in node.beat().runs}
    now = seen(api, read)
    assert (now["start"]["state"], now["start"]["pages_read"]) == ("read", 5)
    assert now["start"]["notes"] == ["Only the first 7 pages were read."]
    assert (now["recording"], now["ready_for_cloning"], now["baseline_count"]) == (False, True, 2)
    assert api.post("/v1/test_run", {"name": "of it", "test_record_id": read["id"]})[0] == 200


def test_why_nothing_could_be_read_is_kept(api: Api, read: dict[str, Any], node: FakeNode) -> None:
    node.beat()
    node.starts[read["id"]] = StartTold(0, ended=True, trouble="shop.test may not be asked.")
    node.beat()
    start = seen(api, read)["start"]
    assert (start["state"], start["trouble"]) == ("failed", "shop.test may not be asked.")


def test_its_user_may_end_it_and_what_was_read_is_awaited(api: Api, read: dict[str, Any], node: FakeNode) -> None:
    node.beat()
    node.starts[read["id"]] = StartTold(3)
    node.beat()
    assert api.post(f"/v1/test_record/{read['id']}/action/stop", {})[1]["start"]["state"] == "closing"
    order = ordered(node, read)
    assert order.start is not None
    assert (order.start.over, order.sending) == (True, False)
    hand_over(node, read)
    node.starts[read["id"]] = StartTold(3, ended=True)
    node.beat()
    now = seen(api, read)
    assert (now["start"]["state"], now["ready_for_cloning"], now["baseline_count"]) == ("stopped", True, 2)


def test_it_is_read_as_whom_a_profile_names_and_not_where_that_cannot_be_read(
    api: Api, node: FakeNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = {
        "name": "ann",
        "identities": [{"name": "ann", "values": [{"point": ["header", "X-KEY"], "value": "a"}]}],
    }
    status, profile = api.post("/v1/auth_profile", document)
    assert status == 200, profile
    given = {"name": "shop", "start_url": URL, "auth_profile_id": profile["id"]}
    record = api.post("/v1/test_record", given)[1]
    order = ordered(node, record)
    assert order.profile is not None
    assert (order.profile.identities[0].name, order.sending) == ("ann", True)
    monkeypatch.setattr(profiles, "profile", lambda _: None)
    order = ordered(node, record)
    assert (order.profile, order.sending) == (None, False)


def test_who_is_signed_in_for_it_is_known_to_be_needed_until_it_is_over(
    api: Api, read: dict[str, Any], client_id: str
) -> None:
    with wall.client(client_id):
        TestRecord.objects.filter(id=read["id"]).update(start=begun(URL, 7, "prof_1"))
        assert (queries.reading_as("prof_1"), queries.reading_as("prof_2")) == ([read["id"]], [])
    api.post(f"/v1/test_record/{read['id']}/action/stop", {})
    with wall.client(client_id):
        assert queries.reading_as("prof_1") == []


def test_the_switch_that_stops_tests_stops_it(read: dict[str, Any], node: FakeNode, client_id: str) -> None:
    with wall.client(client_id):
        Client.objects.filter(id=client_id).update(tests_stopped=True)
    assert not ordered(node, read).sending


def test_a_node_at_work_keeps_it_from_ending_as_idle(read: dict[str, Any], node: FakeNode, client_id: str) -> None:
    node.beat()
    with wall.client(client_id):
        TestRecord.objects.filter(id=read["id"]).update(heard_at=1.0)
        node.starts[read["id"]] = StartTold(0)
        node.beat()
        assert TestRecord.objects.get(id=read["id"]).heard_at > 1.0


def test_what_is_recorded_has_no_start(api: Api, node: FakeNode) -> None:
    assert api.post("/v1/test_record", {"name": "recorded"})[1]["start"] is None


def test_a_node_that_reads_again_counts_anew_and_one_that_is_to_end_then_takes_nothing_back(
    api: Api, read: dict[str, Any], node: FakeNode
) -> None:
    node.beat()
    for count in (5, 2):
        node.starts[read["id"]] = StartTold(count)
        node.beat()
        assert seen(api, read)["start"]["pages_read"] == count
    api.post(f"/v1/test_record/{read['id']}/action/stop", {})
    node.starts[read["id"]] = StartTold(0, ended=True)
    node.beat()
    assert (seen(api, read)["start"]["state"], seen(api, read)["start"]["pages_read"]) == ("stopped", 2)
