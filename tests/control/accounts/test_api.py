"""Tokens, users, clients and the audit log over the API."""

import time
from collections.abc import Callable

import pytest
from tests.control.calling import Api

from gatecrash.control import wall
from gatecrash.control.accounts import services
from gatecrash.control.accounts.models import ApiToken
from gatecrash.control.api.roles import Role
from gatecrash.control.nodes.models import Node

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_a_token_is_shown_once_works_and_ends(api: Api) -> None:
    status, made = api.post("/v1/tokens", {"name": "pipeline", "role": "ci", "expires_at": int(time.time()) + 900})
    assert status == 200
    text = made.pop("token")
    assert api.get(f"/v1/tokens/{made['id']}") == (200, made)
    assert text not in str(api.get("/v1/tokens"))
    assert text not in str(api.get("/v1/audit"))
    assert Api(api.client_id, text).get("/v1/endpoints")[0] == 200
    status, ended = api.delete(f"/v1/tokens/{made['id']}")
    assert status == 200
    assert ended["revoked_at"] is not None
    assert Api(api.client_id, text).get("/v1/endpoints")[0] == 401


def test_a_tokens_name_and_expiry_can_be_changed(api: Api) -> None:
    made = api.post("/v1/tokens", {"name": "a", "role": "viewer"})[1]
    end = int(time.time()) + 1000
    assert api.patch(f"/v1/tokens/{made['id']}", {"expires_at": end})[1]["expires_at"] == end
    changed = api.patch(f"/v1/tokens/{made['id']}", {"name": "b"})[1]
    assert (changed["name"], changed["expires_at"]) == ("b", end)
    assert api.patch(f"/v1/tokens/{made['id']}", {"expires_at": None})[1]["expires_at"] is None
    assert api.patch(f"/v1/tokens/{made['id']}", {})[1]["name"] == "b"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, {"name": "required", "role": "required"}),
        ({"name": "x", "role": "root"}, {"role": "invalid_value"}),
        ({"name": "x" * 256, "role": "ci"}, {"name": "too_long"}),
        ({"name": "x", "role": "ci", "expires_at": 5}, {"expires_at": "out_of_range"}),
        ({"name": "x", "role": "ci", "expires_at": 2**60}, {"expires_at": "out_of_range"}),
        ({"name": "x", "role": "ci", "expires_at": True}, {"expires_at": "invalid_type"}),
        ({"name": "x", "role": "ci", "node_id": "a b"}, {"node_id": "not_found"}),
        ({"name": "x", "role": "ci", "node_id": "node_nobody"}, {"node_id": "not_found"}),
        (
            {"name": "x", "role": "ci", "node_id": "a b", "expires_at": 1},
            {"node_id": "not_found", "expires_at": "out_of_range"},
        ),
        ({"name": "x", "role": "ci", "deployment": True}, {"deployment": "unknown_field"}),
    ],
)
def test_a_faulty_token_is_refused_and_none_is_made(
    body: dict[str, object], expected: dict[str, str], api: Api
) -> None:
    status, answer = api.post("/v1/tokens", body)
    assert (status, {field: one["error"] for field, one in answer.items()}) == (400, expected)
    with wall.client(api.client_id):
        assert ApiToken.objects.count() == 1


def test_a_token_is_tied_to_a_node_of_its_own_client_only(api: Api, other_id: str) -> None:
    ours, theirs = ((wall.client(client_id), f"node_{client_id}") for client_id in (api.client_id, other_id))
    for held, name in (ours, theirs):
        with held:
            Node.objects.create(id=name, name=name, identity=name, created_at=1)
    wish = {"name": "x", "role": "ci"}
    assert api.post("/v1/tokens", {**wish, "node_id": ours[1]})[1]["node_id"] == ours[1]
    status, answer = api.post("/v1/tokens", {**wish, "node_id": theirs[1]})
    assert (status, answer["node_id"]["error"]) == (400, "not_found")


def test_lists_are_paged(api: Api) -> None:
    for number in range(5):
        api.post("/v1/tokens", {"name": str(number), "role": "ci"})
    pages = [api.get(f"/v1/tokens?limit=2&offset={offset}")[1] for offset in (0, 2, 4, 6)]
    assert [page["total"] for page in pages] == [6] * 4
    assert [len(page["objects"]) for page in pages] == [2, 2, 2, 0]
    assert len({one["id"] for page in pages for one in page["objects"]}) == 6


def test_a_user_is_added_changed_and_removed(api: Api) -> None:
    status, made = api.post("/v1/users", {"email": "Ann@Example.com", "role": "viewer", "password": "correct horse 9"})
    assert (status, made["email"], made["role"]) == (200, "ann@example.com", "viewer")
    assert "password" not in made
    changed = api.patch(f"/v1/users/{made['id']}", {"role": "analyst", "name": "Ann", "password": "another horse 9"})[1]
    assert (changed["role"], changed["name"]) == ("analyst", "Ann")
    assert api.get(f"/v1/users/{made['id']}")[1] == changed
    assert api.get("/v1/users")[1] == {"objects": [changed], "total": 1}
    assert "horse" not in str(api.get("/v1/audit"))
    assert api.delete(f"/v1/users/{made['id']}") == (200, changed)
    assert api.get(f"/v1/users/{made['id']}")[0] == 404


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"email": "a", "role": "viewer"}, {"email": "invalid_value"}),
        ({"email": "a b@c", "role": "viewer"}, {"email": "invalid_value"}),
        ({"email": "a@b", "role": "ci"}, {"role": "invalid_value"}),
        ({"email": "a@b", "role": "viewer", "password": "short"}, {"password": "invalid_value"}),
        ({"email": "a@b", "role": "viewer", "password": "password12"}, {"password": "invalid_value"}),
    ],
)
def test_a_faulty_user_is_refused(body: dict[str, object], expected: dict[str, str], api: Api) -> None:
    status, answer = api.post("/v1/users", body)
    assert (status, {field: one["error"] for field, one in answer.items()}) == (400, expected)
    assert api.get("/v1/users")[1]["total"] == 0


def test_an_address_of_the_client_or_of_another_is_409_and_the_owners_token_may_share_it(
    api: Api, other_id: str, caller: Callable[..., Api]
) -> None:
    body = {"email": "ann@example.com", "role": "viewer"}
    made = api.post("/v1/users", body)[1]
    taken = (409, {"email": {"error": "already_exists", "value": "ann@example.com"}})
    assert api.post("/v1/users", body) == taken
    assert caller(other_id).post("/v1/users", body) == taken
    owner = caller(other_id, deployment=True)
    assert owner.post("/v1/users", body)[1]["id"] == made["id"]
    assert owner.post("/v1/users", body) == taken
    assert api.patch(f"/v1/users/{made['id']}", {"password": "correct horse 9"})[0] == 403
    assert api.patch(f"/v1/users/{made['id']}", {"role": "admin"})[0] == 200


def test_an_owners_password_is_not_a_clients_to_set(api: Api) -> None:
    owner = services.create_user("o@example.com", is_owner=True)
    with wall.client(api.client_id):
        services.add_member(owner, Role.ADMIN)
    assert api.patch(f"/v1/users/{owner.id}", {"password": "correct horse 9"})[0] == 403


def test_only_the_owners_token_manages_clients(api: Api, other_id: str, caller: Callable[..., Api]) -> None:
    assert api.post("/v1/clients", {"name": "x"})[0] == 403
    assert api.get("/v1/clients")[1]["total"] == 1
    owner = caller(api.client_id, deployment=True)
    status, made = owner.post("/v1/clients", {"name": "Third"})
    assert (status, made["name"], made["tests_stopped"]) == (200, "Third", False)
    assert {one["id"] for one in owner.get("/v1/clients")[1]["objects"]} == {api.client_id, other_id, made["id"]}
    assert owner.patch(f"/v1/clients/{made['id']}", {"tests_stopped": True})[1]["tests_stopped"] is True
    assert owner.delete(f"/v1/clients/{made['id']}")[0] == 200
    assert owner.get(f"/v1/clients/{made['id']}")[0] == 404
    assert owner.delete(f"/v1/clients/{api.client_id}")[0] == 403
    assert owner.get(f"/v1/clients/{other_id}/apid/config/auth-parameters")[0] == 404


def test_a_client_renames_itself(api: Api) -> None:
    assert api.patch(f"/v1/clients/{api.client_id}", {"name": "New"})[1]["name"] == "New"
    assert api.patch(f"/v1/clients/{api.client_id}", {"name": ""})[0] == 400
    assert api.get(f"/v1/clients/{api.client_id}")[1]["name"] == "New"


def test_a_client_limits_what_one_host_is_sent(api: Api) -> None:
    path = f"/v1/clients/{api.client_id}"
    assert api.get(path)[1]["rps_per_host"] is None
    assert api.patch(path, {"rps_per_host": 25})[1]["rps_per_host"] == 25
    assert api.patch(path, {"name": "New"})[1]["rps_per_host"] == 25
    for wrong, code in ((0, "out_of_range"), (1001, "out_of_range"), ("5", "invalid_type"), (True, "invalid_type")):
        assert api.patch(path, {"rps_per_host": wrong})[1]["rps_per_host"]["error"] == code
    assert api.patch(path, {"rps_per_host": None})[1]["rps_per_host"] is None


def test_every_change_is_in_the_audit_log_with_who_did_it(api: Api, client_id: str) -> None:
    token = api.post("/v1/tokens", {"name": "t", "role": "ci"})[1]["id"]
    api.patch(f"/v1/tokens/{token}", {"name": "u"})
    api.delete(f"/v1/tokens/{token}")
    user = api.post("/v1/users", {"email": "a@b.c", "role": "viewer"})[1]["id"]
    api.patch(f"/v1/users/{user}", {"role": "admin"})
    api.delete(f"/v1/users/{user}")
    api.patch(f"/v1/clients/{client_id}", {"name": "n"})
    with wall.client(client_id):
        me = ApiToken.objects.get(name="admin").id
    entries = [one for one in api.get("/v1/audit?limit=1000")[1]["objects"] if one["actor"] == me]
    assert {(one["action"], one["target"]) for one in entries} == {
        ("token.create", token),
        ("token.change", token),
        ("token.revoke", token),
        ("user.add", user),
        ("user.change", user),
        ("user.remove", user),
        ("client.change", client_id),
    }


def test_the_audit_log_is_filtered_and_an_entry_read(api: Api, other_id: str, caller: Callable[..., Api]) -> None:
    token = api.post("/v1/tokens", {"name": "t", "role": "viewer"})[1]
    api.delete(f"/v1/tokens/{token['id']}")
    assert [one["action"] for one in api.get(f"/v1/audit?target={token['id']}")[1]["objects"]] == [
        "token.revoke",
        "token.create",
    ]
    listed = api.get(f"/v1/audit?target={token['id']}&action=token.create&limit=1")[1]
    assert listed["total"] == 1
    (entry,) = listed["objects"]
    assert api.get(f"/v1/audit/{entry['id']}") == (200, entry)
    assert entry["actor_name"] == "admin"
    assert api.get(f"/v1/audit?actor=admin&target={token['id']}")[1]["total"] == 2
    assert api.get(f"/v1/audit?actor={entry['actor']}x")[1]["total"] == 0
    assert api.get("/v1/audit?action=")[1] == {"action": {"error": "invalid_value", "value": ""}}
    assert api.get("/v1/audit/aud_absent")[0] == 404
    assert caller(other_id).get(f"/v1/audit/{entry['id']}")[0] == 404
    assert caller(api.client_id, "analyst").get(f"/v1/audit/{entry['id']}")[0] == 403
