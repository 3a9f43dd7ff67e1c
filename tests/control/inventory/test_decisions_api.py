"""Public marks, OpenAPI documents, pins, splits and settings over the API."""

import gzip
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.control.calling import Api
from tests.control.inventory.traffic import HOST, count, observe

from gatecrash.control.inventory import reading

pytestmark = [pytest.mark.database, pytest.mark.django_db]

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": f"https://{HOST}/v1"}],
    "paths": {"/users/{id}": {"get": {}}},
}
ABSENT = {"public_marks": "mark", "api_documents": "doc", "template_rules": "rule"}


def settings(client_id: str) -> str:
    return f"/v1/clients/{client_id}/apid/config/inventory"


def upload(api: Api, method: str, path: str, data: bytes | None = None, **extra: Any) -> tuple[int, dict[str, Any]]:
    return api.call(method, path, json.dumps(DOCUMENT).encode() if data is None else data, **extra)


@pytest.fixture
def endpoint_id(api: Api) -> str:
    now = int(time.time())
    observe(api.client_id, count("/prices", valid=0, requests=8, refused=8, at=now), at=now)
    return str(api.get("/v1/endpoints")[1]["objects"][0]["id"])


def test_a_mark_is_made_listed_read_and_removed(api: Api, endpoint_id: str) -> None:
    until = int(time.time()) + 1000
    wish = {"endpoint_id": endpoint_id, "reason": "prices", "owner": "shop", "expires_at": until}
    status, mark = api.post("/v1/public_marks", wish)
    assert status == 200
    assert mark | wish == mark
    assert api.get("/v1/public_marks")[1] == {"objects": [mark], "total": 1}
    assert api.get(f"/v1/public_marks/{mark['id']}") == (200, mark)
    assert api.get("/v1/endpoints?type=none")[1]["total"] == 0
    shown = api.get(f"/v1/endpoints/{endpoint_id}")[1]["public_mark"]
    assert shown == {name: value for name, value in mark.items() if name != "endpoint_id"}
    assert api.post("/v1/public_marks", wish)[0] == 409
    assert api.delete(f"/v1/public_marks/{mark['id']}") == (200, mark)
    assert api.get(f"/v1/public_marks/{mark['id']}")[0] == 404
    assert api.get("/v1/endpoints?type=none")[1]["total"] == 1


def test_every_fault_of_a_mark_is_told_at_once(api: Api, endpoint_id: str) -> None:
    status, body = api.post("/v1/public_marks", {"endpoint_id": 7, "owner": "", "expires_at": "x", "colour": 1})
    assert status == 400
    assert {name: problem["error"] for name, problem in body.items()} == {
        "endpoint_id": "invalid_type",
        "reason": "required",
        "owner": "invalid_value",
        "expires_at": "invalid_type",
        "colour": "unknown_field",
    }


def test_a_document_is_uploaded_read_replaced_and_deleted(api: Api) -> None:
    status, made = upload(api, "POST", "/v1/api_documents?name=shop")
    assert status == 200
    assert (made["name"], made["title"], made["operation_count"]) == ("shop", "Shop", 1)
    assert made["servers"] == [{"host": HOST, "base_path": "/v1"}]
    assert made["operations"] == [{"method": "GET", "path": "/users/{id}"}]
    assert api.get(f"/v1/api_documents/{made['id']}") == (200, made)
    [listed] = api.get("/v1/api_documents")[1]["objects"]
    assert {**made, "operations": None} == {**listed, "operations": None}
    assert upload(api, "POST", "/v1/api_documents?name=shop")[0] == 409
    newer = {**DOCUMENT, "paths": {"/orders": {"post": {}}}}
    zipped = gzip.compress(json.dumps(newer).encode(), mtime=0)
    status, replaced = upload(api, "PUT", f"/v1/api_documents/{made['id']}?host=stage.example", zipped)
    assert (status, replaced["operations"]) == (200, [{"method": "POST", "path": "/orders"}])
    assert replaced["servers"] == [{"host": "stage.example", "base_path": "/v1"}]
    assert api.delete(f"/v1/api_documents/{made['id']}")[0] == 200
    assert api.get("/v1/api_documents")[1] == {"objects": [], "total": 0}


def test_yaml_is_a_document_too(api: Api) -> None:
    data = b"openapi: 3.0.0\ninfo: {title: Teas, version: 1}\npaths: {/teas: {get: {}}}\n"
    status, made = upload(
        api, "POST", "/v1/api_documents?name=teas", data, headers={"Content-Type": "application/yaml"}
    )
    assert (status, made["title"], made["servers"]) == (200, "Teas", [{"host": "", "base_path": ""}])


def test_what_cannot_be_read_is_refused_with_its_place(api: Api) -> None:
    status, body = upload(api, "POST", "/v1/api_documents?name=a", b'{"openapi": "3.1.0", "paths": {"a": {}}}')
    assert (status, body["error"]) == (400, "invalid_value")
    assert "/paths/a: a path must begin with a slash" in body["message"]
    assert upload(api, "POST", "/v1/api_documents")[1] == {"name": {"error": "required", "value": None}}
    assert api.get("/v1/api_documents")[1]["total"] == 0


def test_a_document_over_16_mib_is_refused_unpacked_too(api: Api) -> None:
    bomb = gzip.compress(b" " * (reading.MOST_BYTES + 1), mtime=0)
    for data in (bomb, b" " * (reading.MOST_BYTES + 1)):
        status, body = upload(api, "POST", "/v1/api_documents?name=a", data)
        assert (status, body["error"]) == (413, "payload_too_large")


def test_pins_and_splits_are_made_listed_read_and_removed(api: Api) -> None:
    status, pin = api.post("/v1/template_rules", {"kind": "pin", "template": "/users/{id}", "host": "API.example.com"})
    assert (status, pin["host"]) == (200, HOST)
    split = api.post("/v1/template_rules", {"kind": "split", "template": "/users/{id}"})[1]
    assert split["host"] is None
    listed = api.get("/v1/template_rules")[1]
    assert listed["total"] == 2
    assert sorted(listed["objects"], key=lambda one: str(one["kind"])) == [pin, split]
    assert api.get(f"/v1/template_rules/{pin['id']}") == (200, pin)
    assert api.post("/v1/template_rules", {"kind": "split", "template": "/users/{id}"})[0] == 409
    assert (
        api.post("/v1/template_rules", {"kind": "pin", "template": "users"})[1]["template"]["error"] == "invalid_value"
    )
    assert api.delete(f"/v1/template_rules/{pin['id']}") == (200, pin)
    assert api.get("/v1/template_rules")[1]["total"] == 1


def test_the_setting_is_read_and_changed(api: Api, endpoint_id: str) -> None:
    assert api.get(settings(api.client_id)) == (200, {"leave_refused_out": False})
    assert api.get("/v1/endpoints?status=missing")[1]["total"] == 1
    assert api.patch(settings(api.client_id), {"leave_refused_out": True}) == (200, {"leave_refused_out": True})
    assert api.get(settings(api.client_id))[1] == {"leave_refused_out": True}
    assert api.get("/v1/endpoints?status=no_traffic")[1]["total"] == 1
    assert api.patch(settings(api.client_id), {"leave_refused_out": "yes"})[0] == 400


def test_viewers_read_and_change_nothing(api: Api, endpoint_id: str, caller: Callable[..., Api]) -> None:
    viewer = caller(api.client_id, "viewer")
    for path in (*(f"/v1/{name}" for name in ABSENT), settings(api.client_id)):
        assert viewer.get(path)[0] == 200
    mark = {"endpoint_id": endpoint_id, "reason": "r", "owner": "o"}
    assert viewer.post("/v1/public_marks", mark)[0] == 403
    assert viewer.post("/v1/template_rules", {"kind": "pin", "template": "/a/{b}"})[0] == 403
    assert upload(viewer, "POST", "/v1/api_documents?name=a")[0] == 403
    assert viewer.patch(settings(api.client_id), {"leave_refused_out": True})[0] == 403
    assert caller(api.client_id, "analyst").post("/v1/public_marks", mark)[0] == 200


def test_another_clients_decisions_are_as_good_as_none(api: Api, endpoint_id: str, other_id: str, caller: Any) -> None:
    other = caller(other_id)
    mark = api.post("/v1/public_marks", {"endpoint_id": endpoint_id, "reason": "r", "owner": "o"})[1]
    rule = api.post("/v1/template_rules", {"kind": "pin", "template": "/a/{b}"})[1]
    document = upload(api, "POST", "/v1/api_documents?name=a")[1]
    for kind, one in zip(ABSENT, (mark, document, rule), strict=True):
        assert other.get(f"/v1/{kind}/{one['id']}")[0] == 404
        assert other.delete(f"/v1/{kind}/{one['id']}")[0] == 404
        assert other.get(f"/v1/{kind}")[1] == {"objects": [], "total": 0}
    assert other.get(settings(api.client_id))[0] == 404
