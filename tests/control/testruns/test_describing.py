"""A node is given all of a record's drafts at once, and tells as how many users they let it in."""

import json
from typing import Any

import pytest
from tests.control.calling import Api
from tests.control.testruns.driving import Create, Show, recorded

from gatecrash.control import ids, wall
from gatecrash.control.testruns import work
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.message import Request
from gatecrash.fakes.fake_node import FakeNode
from gatecrash.formats.draft import Draft, packed, unpacked

pytestmark = pytest.mark.database

DESCRIPTION: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "shop", "version": "1"},
    "servers": [{"url": "http://shop.test"}],
    "paths": {
        "/items": {"get": {"parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}]}},
        "/items/{item_id}": {
            "get": {"parameters": [{"name": "item_id", "in": "path", "required": True, "schema": {"type": "integer"}}]}
        },
    },
}


def imported(api: Api, record_id: str) -> None:
    status, body = api.call("POST", f"/v1/test_record/{record_id}/import", DESCRIPTION)
    assert (status, body["imported"]) == (200, 2), json.dumps(body)


@pytest.fixture
def copy(api: Api, node: FakeNode, create: Create) -> dict[str, Any]:
    """A run of a record that holds a description."""
    record = api.post("/v1/test_record", {"name": "described"})[1]["id"]
    node.beat()
    imported(api, record)
    assert api.call("POST", f"/v1/test_record/{record}/action/stop")[0] == 200
    node.beat()
    node.beat()
    run = create(test_record_id=record)
    with wall.client(api.client_id):
        work.clone(run["id"])
    node.beat()
    return run


def test_all_drafts_come_with_their_holes_and_those_tested_already_are_told(
    copy: dict[str, Any], node: FakeNode
) -> None:
    told = node.describe(copy["id"])
    assert told.only
    assert [is_open for _, is_open, _ in told.drafts] == [True, True]
    drafts = {draft.request.target: draft for draft in (unpacked(raw) for _, _, raw in told.drafts)}
    assert [hole.name for hole in drafts[b"/items/1"].holes] == ["item_id"]
    first = node.claim(copy["id"], 1).baselines[0].id
    node.finish(copy["id"])
    still = {name: is_open for name, is_open, _ in node.describe(copy["id"]).drafts}
    assert still.pop(first) is False
    assert list(still.values()) == [True]


def test_who_was_signed_in_by_a_description_counts_as_users(copy: dict[str, Any], node: FakeNode, show: Show) -> None:
    assert node.describe(copy["id"], users=2).drafts == ()
    assert show(copy["id"])["user_count"] == 2
    node.describe(copy["id"], 1, "Nobody is signed in.")
    assert (show(copy["id"])["user_count"], show(copy["id"])["notes"]) == (2, ["Nobody is signed in."])


def test_what_became_of_the_account_beside_a_profile_is_noted(
    copy: dict[str, Any], node: FakeNode, show: Show, client_id: str
) -> None:
    with wall.client(client_id):
        TestRun.objects.filter(id=copy["id"]).update(auth_profile_id="prof_1")
    before = show(copy["id"])["user_count"]
    node.describe(copy["id"], 0, "No second user could be made.")
    seen = show(copy["id"])
    assert (seen["user_count"], seen["notes"]) == (before, ["No second user could be made."])
    node.describe(copy["id"], 2)
    assert show(copy["id"])["user_count"] == 2


def test_what_was_recorded_is_no_draft(node: FakeNode, create: Create) -> None:
    run = create()
    recorded(node, run["id"], 2)
    told = node.describe(run["id"])
    assert told.drafts == ()
    assert not told.only


def test_only_who_holds_the_run_is_told(copy: dict[str, Any], node: FakeNode) -> None:
    assert node.describe("tr_unknown").stale
    node.session = "another"
    assert node.describe(copy["id"]).stale


def beside(target: bytes) -> tuple[str, bytes]:
    """A draft that an endpoint has told of, under a name of its own."""
    sent = Request("GET", target, ((b"Host", b"shop.test"),), host="shop.test", port=80)
    return ids.new(ids.Prefix.BASELINE), packed(Draft(request=sent, drafted=True))


def test_what_is_found_beside_the_drafts_is_kept_once_and_tested(
    copy: dict[str, Any], node: FakeNode, show: Show
) -> None:
    assert node.describe(copy["id"]).extends
    found = beside(b"/told")
    for _ in range(2):  # an answer may be lost
        node.tell_beside(copy["id"], found, ("no identifier", found[1]), note="/told tells 1 operation more.")
    seen = show(copy["id"])
    assert (seen["baseline_count"], seen["notes"]) == (3, ["/told tells 1 operation more."])
    told = {name: (is_open, unpacked(raw).request.target) for name, is_open, raw in node.describe(copy["id"]).drafts}
    assert told[found[0]] == (True, b"/told")
    assert found[0] in {one.id for one in node.claim(copy["id"], 9).baselines}


def test_a_run_of_chosen_baselines_takes_no_others(copy: dict[str, Any], node: FakeNode, client_id: str) -> None:
    with wall.client(client_id):
        TestRun.objects.filter(id=copy["id"]).update(clone_only=[1])
    assert not node.describe(copy["id"]).extends
    node.tell_beside(copy["id"], beside(b"/told"))
    assert len(node.describe(copy["id"]).drafts) == 2
