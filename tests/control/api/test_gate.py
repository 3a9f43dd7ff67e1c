"""The gate: every token's state, the order of checks, foreign identifiers, crashes; each in its envelope."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from tests.control.calling import Api

from gatecrash.control import database_trouble, wall
from gatecrash.control.accounts import callers, services
from gatecrash.control.accounts.models import ApiToken
from gatecrash.control.api import gate
from gatecrash.control.api.rate_limit import RateLimit
from gatecrash.control.api.roles import Role

pytestmark = [pytest.mark.database, pytest.mark.django_db]

UNKNOWN = "/v1/nothing/here"
PATHS = ("/v1/tokens", UNKNOWN, "/v1", "/v1/", "/v1/clients/cl_x/apid/config/auth-parameters", "/v1/node/hello")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"])
@pytest.mark.parametrize("token", [None, "", "x", "gck_" + "A" * 43, "é", "x" * 100_000])
def test_without_a_valid_token_every_path_and_method_is_401(path: str, method: str, token: str | None) -> None:
    status, body = Api("cl_x", token).call(method, path)
    assert (status, body["error"]) == (401, "unauthorized")


def test_an_expired_token_is_no_token(client_id: str, caller: Callable[..., Api]) -> None:
    assert caller(client_id, expires_at=int(time.time()) + 60).get("/v1/tokens")[0] == 200
    assert caller(client_id, expires_at=int(time.time()))
    assert caller(client_id, expires_at=int(time.time())).get("/v1/tokens")[0] == 401


def test_a_token_that_expires_while_it_is_remembered_ends_on_time(
    client_id: str, caller: Callable[..., Api], monkeypatch: pytest.MonkeyPatch
) -> None:
    end = int(time.time()) + 60
    api = caller(client_id, expires_at=end)
    assert api.get("/v1/tokens")[0] == 200
    monkeypatch.setattr(time, "time", lambda: float(end))
    assert api.get("/v1/tokens")[0] == 401


def test_a_revoked_token_ends_at_once(client_id: str, api: Api) -> None:
    assert api.get("/v1/tokens")[0] == 200
    with wall.client(client_id):
        services.revoke_token(ApiToken.objects.get())
    assert api.get("/v1/tokens")[0] == 401


def test_the_headers_name_is_read_without_case(api: Api) -> None:
    for name in ("X-Service-API-Token", "x-service-api-token", "X-SERVICE-API-TOKEN"):
        assert Client().get("/v1/tokens", headers={name: api.token}).status_code == 200


def test_the_last_use_is_noted_at_most_once_a_minute(client_id: str, api: Api) -> None:
    def used() -> int | None:
        with wall.client(client_id):
            return ApiToken.objects.get().last_used_at

    assert used() is None
    api.get("/v1/clients")
    assert used() is not None
    lately = int(time.time()) - 10
    with wall.client(client_id):
        ApiToken.objects.update(last_used_at=lately)
    callers.forget()
    api.get("/v1/clients")
    assert used() == lately
    now = int(time.time())
    with wall.client(client_id):
        ApiToken.objects.update(last_used_at=now - 61)
    callers.forget()
    api.get("/v1/clients")
    seen = used()
    assert seen is not None
    assert now <= seen <= time.time()


def test_unknown_paths_are_404_whatever_the_method(api: Api) -> None:
    for method in ("GET", "POST", "BREW"):
        assert api.call(method, UNKNOWN)[1]["error"] == "not_found"


OTHERS = (
    "/v1/clients/{other}/apid/config/auth-parameters",
    "/v1/clients/{other}/apid/config/auth-rules",
    "/v1/clients/{other}/apid/config/auth-suggestions",
    "/v1/clients/{other}",
    "/v1/tokens/{token}",
    "/v1/users/{user}",
)


@pytest.mark.parametrize("path", OTHERS)
@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE", "PUT"])
def test_an_identifier_of_another_client_is_answered_as_one_that_does_not_exist(
    path: str, method: str, api: Api, other_id: str
) -> None:
    user = services.create_user("o@example.com")
    with wall.client(other_id):
        row, _ = services.create_token("theirs", Role.ADMIN)
        services.add_member(user, Role.ADMIN)
    theirs = path.format(other=other_id, token=row.id, user=user.id)
    absent = path.format(other="cl_none", token="tok_none", user="usr_none")
    assert api.call(method, theirs, {}) == api.call(method, absent, {})
    assert api.call(method, theirs, {})[0] == 404


PARAMETERS = "/v1/clients/{client}/apid/config/auth-parameters"
SIGNER = {"name": "a", "sign": {"scheme": "hawk", "key_id": "a", "key": "b"}}
REMOVABLE: dict[str, tuple[str, Any]] = {
    "auth_parameter_id": (PARAMETERS, {"point": [["header", "X-PARTNER-KEY"]]}),
    "policy_id": ("/v1/policy", {"name": "x", "types": ["sqli"]}),
    "auth_profile_id": ("/v1/auth_profile", {"name": "x", "base": "http://127.0.0.1:9", "identities": [SIGNER]}),
    "webhook_id": ("/v1/webhook", {"name": "x", "url": "http://127.0.0.1:9/", "events": ["test_run.ended"]}),
    "test_record_id": ("/v1/test_record", {"name": "x"}),
    "template_rule_id": ("/v1/template_rules", {"kind": "pin", "template": "/users/{id}"}),
    "api_document_id": ("/v1/api_documents?name=x", b'{"openapi": "3.1.0", "paths": {"/users": {"get": {}}}}'),
    "user_id": ("/v1/users", {"email": "x@example.com", "role": "viewer"}),
    "managed_client_id": ("/v1/clients", {"name": "x"}),
}


@pytest.mark.parametrize("name", REMOVABLE)
def test_of_two_who_remove_the_same_at_once_one_is_told_so(
    name: str, client_id: str, caller: Callable[..., Api], monkeypatch: pytest.MonkeyPatch
) -> None:
    api = caller(client_id, deployment=True)
    path, body = REMOVABLE[name]
    status, made = api.post(path.format(client=client_id), body)
    assert status == 200, made
    if name == "test_record_id":
        assert api.post(f"{path}/{made['id']}/action/stop", {})[0] == 200
    load, seen = gate._loaders[name], []

    def as_both_found_it(who: Any, value: str) -> Any:
        seen.append(load(who, value))
        return seen[0]

    monkeypatch.setitem(gate._loaders, name, as_both_found_it)
    one = f"{path.format(client=client_id).partition('?')[0]}/{made['id']}"
    noted = [api.delete(one)[0], api.get("/v1/audit")[1]["total"]]
    assert (api.delete(one)[1]["error"], api.get("/v1/audit")[1]["total"]) == ("not_found", noted[1])
    assert noted[0] == 200


@pytest.mark.parametrize("value", ["%00", "a%20b", "%ff", "x" * 65, "..", "a%2Fb", "%F0%9F%98%80"])
def test_what_cannot_be_an_identifier_is_404_on_every_database(value: str, api: Api) -> None:
    assert api.get(f"/v1/tokens/{value}")[0] == 404


def test_the_order_of_checks(client_id: str, caller: Callable[..., Api]) -> None:
    """401, 404, 405, 403, 413, 415, 400: each call is wrong in all that follows too."""
    viewer, admin = caller(client_id, "viewer"), caller(client_id)
    huge = b"x" * (1024 * 1024 + 1)
    text = {"content_type": "text/plain"}

    def status(api: Api, method: str, path: str, body: bytes, **extra: str) -> int:
        headers = {"X-Service-API-Token": api.token} if api.token else {}
        answer = Client().generic(method, path, body, headers=headers, **({"content_type": "application/json"} | extra))
        assert json.loads(answer.content)["status"] == answer.status_code
        return answer.status_code

    assert status(Api("", None), "PUT", UNKNOWN, huge, **text) == 401
    assert status(viewer, "PUT", UNKNOWN, huge, **text) == 404
    assert status(viewer, "PUT", "/v1/tokens/tok_none", huge, **text) == 404
    assert status(viewer, "PUT", "/v1/tokens", huge, **text) == 405
    assert status(viewer, "POST", "/v1/tokens", huge, **text) == 403
    assert status(admin, "POST", "/v1/tokens", huge, **text) == 413
    assert status(admin, "POST", "/v1/tokens", b"x", **text) == 415
    assert status(admin, "POST", "/v1/tokens", b"x") == 400


def test_head_is_answered_where_get_is(api: Api) -> None:
    assert api.raw("HEAD", "/v1/tokens").status_code == 200
    assert api.raw("HEAD", UNKNOWN).status_code == 404
    assert api.raw("HEAD", "/v1/node/hello").status_code == 405


def test_only_what_is_answered_is_allowed(api: Api) -> None:
    answer = api.raw("GET", "/v1/node/hello")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/v1/tokens", UNKNOWN])
@pytest.mark.parametrize("token", [True, False])
def test_no_answer_is_kept_by_a_cache_or_taken_for_another_type(path: str, token: bool, api: Api) -> None:
    answer = Client().get(path, headers={"X-Service-API-Token": api.token} if token else {})
    assert (answer["Cache-Control"], answer["X-Content-Type-Options"]) == ("no-store", "nosniff")


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "TRACE", "BREW"])
def test_a_method_that_is_not_there_is_405_and_says_which_are(method: str, api: Api) -> None:
    answer = api.raw(method, "/v1/tokens")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD, POST")


def test_over_the_limit_is_429_with_the_time_to_wait(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "RateLimit", lambda _limit: RateLimit(2))
    http = Client()
    answers = [http.get(UNKNOWN, headers={"X-Service-API-Token": api.token}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [404, 404, 429]
    assert answers[2].json()["body"]["error"] == "rate_limited"
    assert 1 <= int(answers[2]["Retry-After"]) <= 60
    assert http.get(UNKNOWN, headers={"X-Service-API-Token": "wrong"}).status_code == 401


def test_a_crash_is_500_in_its_envelope_and_says_nothing_of_its_cause(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from gatecrash.control.accounts import queries

    def broken() -> None:
        raise RuntimeError("the secret cause")

    monkeypatch.setattr(queries, "tokens", broken)
    status, body = api.get("/v1/tokens")
    assert (status, body["error"]) == (500, "internal")
    assert "secret cause" not in str(body)
    assert "the secret cause" in caplog.text
    assert api.token not in caplog.text


def test_a_full_disk_is_told_to_the_caller_and_in_one_line_of_the_log(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from gatecrash.control.accounts import queries

    def full() -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(queries, "tokens", full)
    status, body = api.get("/v1/tokens")
    assert (status, body) == (500, {"error": "internal", "message": database_trouble.FULL})
    assert "/v1/tokens failed: database or disk is full" in caplog.text
    assert "Traceback" not in caplog.text


def test_a_database_that_is_away_during_authentication_is_500_in_its_envelope(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_token: str) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(callers, "authenticate", away)
    assert api.get("/v1/tokens") == (500, {"error": "internal", "message": database_trouble.AWAY})


def test_the_document_needs_no_token_and_is_raw() -> None:
    assert Client().get("/v1/openapi.json").json()["openapi"] == "3.1.0"
    refused = Client().post("/v1/openapi.json")
    assert (refused.status_code, refused.json()["status"]) == (405, 405)


def test_the_clients_context_ends_with_the_request(api: Api) -> None:
    api.get("/v1/tokens")
    with pytest.raises(wall.TenantWallError):
        wall.current()
