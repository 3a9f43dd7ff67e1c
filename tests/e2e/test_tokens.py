"""Who may call: every operation of the OpenAPI document, with every kind of bad token and with every role."""

import time
from collections.abc import Iterator

import pytest
from tests.e2e.caller import Caller, plain_error
from tests.e2e.routes import Operation, absent, identifiers, node_paths, operations
from tests.e2e.service import ROLES, Service
from tests.e2e.tenant import Tenant

pytestmark = pytest.mark.database

CREDENTIALS = {
    "none": None,
    "empty": "",
    "too short": "gck_",
    "never issued": "gck_" + "A" * 43,
    "very long": "gck_" + "A" * 5000,
    "a scheme before it": "Bearer gck_" + "A" * 43,
    "an identifier": "tok_" + "0" * 26,
}


@pytest.fixture(scope="module")
def tenant(service: Service) -> Iterator[Tenant]:
    with service.tenant() as one:
        one.recorded("kept")
        yield one


@pytest.fixture(scope="module")
def every(service: Service) -> list[Operation]:
    """All operations; a document that lost some would make these tests empty."""
    found = list(operations(service.api))
    assert len(found) >= 15
    return found


@pytest.fixture(scope="module")
def dead(service: Service, tenant: Tenant) -> dict[str, str]:
    """Tokens that were good once."""
    expired = service.token(tenant.client_id, "admin", expires_at=int(time.time()) - 1)
    made = tenant.admin.did("POST", "/v1/tokens", {"name": "short-lived", "role": "admin"})
    with Caller(service.api, made["token"]) as holder:
        holder.did("GET", "/v1/test_run")
        tenant.admin.did("DELETE", f"/v1/tokens/{made['id']}")
        plain_error(holder.get("/v1/test_run"), 401, "unauthorized")
    return {"expired": expired, "revoked": made["token"]}


def refused_everywhere(caller: Caller, every: list[Operation], tenant: Tenant) -> None:
    """Every operation and every node message is 401, whether or not what it names exists."""
    ids = identifiers(tenant, tuple({name for operation in every for name in operation.identifiers}))
    before = tenant.state()
    for operation in every:
        for filled in (ids, absent(operation.identifiers)):
            answer = caller.ask(operation.method, operation.at(filled), *([{}] if operation.takes_body else []))
            plain_error(answer, 401, "unauthorized")
    for path in (*node_paths(), "/v1/nowhere", "/v1/test_run/"):
        plain_error(caller.send("POST", path, b"\x01"), 401, "unauthorized")
    assert tenant.state() == before


@pytest.mark.parametrize("token", CREDENTIALS.values(), ids=CREDENTIALS.keys())
def test_a_bad_token_opens_nothing(tenant: Tenant, every: list[Operation], token: str | None) -> None:
    with Caller(tenant.api, token) as caller:
        refused_everywhere(caller, every, tenant)


@pytest.mark.parametrize("which", ["expired", "revoked"])
def test_a_dead_token_opens_nothing(tenant: Tenant, every: list[Operation], dead: dict[str, str], which: str) -> None:
    with Caller(tenant.api, dead[which]) as caller:
        refused_everywhere(caller, every, tenant)


def test_no_letter_of_a_token_may_differ(tenant: Tenant) -> None:
    for wrong in (tenant.token[:-1], tenant.token + "A", tenant.token.swapcase(), tenant.token[1:]):
        with Caller(tenant.api, wrong) as caller:
            plain_error(caller.get("/v1/test_run"), 401, "unauthorized")


def test_a_token_ends_when_it_expires(service: Service, tenant: Tenant) -> None:
    end = int(time.time()) + 3
    soon = service.token(tenant.client_id, "viewer", expires_at=end)
    with Caller(service.api, soon) as caller:
        asked = 0.0
        while asked < end:
            asked, answer = time.time(), caller.get("/v1/test_run")
            if time.time() < end:
                assert answer.status == 200
            time.sleep(0.1)
        plain_error(answer, 401, "unauthorized")


def test_the_header_is_read_without_case(tenant: Tenant) -> None:
    with Caller(tenant.api, None) as caller:
        for name in ("X-SERVICE-API-TOKEN", "x-service-api-token", "x-Service-Api-Token"):
            caller.http.headers = {name: tenant.token}
            assert caller.get("/v1/test_run").status == 200


def test_a_token_elsewhere_is_no_token(tenant: Tenant) -> None:
    with Caller(tenant.api, None) as caller:
        plain_error(caller.get(f"/v1/test_run?X-Service-API-Token={tenant.token}"), 401, "unauthorized")
        plain_error(
            caller.get("/v1/test_run", headers={"Authorization": f"Bearer {tenant.token}"}), 401, "unauthorized"
        )
        plain_error(caller.get("/v1/test_run", headers={"Cookie": f"token={tenant.token}"}), 401, "unauthorized")


def test_a_large_body_without_a_token_is_401(tenant: Tenant) -> None:
    with Caller(tenant.api, None) as caller:
        plain_error(caller.send("POST", "/v1/test_run", b"x" * (1 << 20 | 1)), 401, "unauthorized")


def test_no_role_but_the_documented_may_call(tenant: Tenant, every: list[Operation]) -> None:
    """403 before any look at the body, and nothing happens."""
    ids = identifiers(tenant, tuple({name for operation in every for name in operation.identifiers}))
    before = tenant.state()
    for operation in every:
        for role in ROLES:
            if role not in operation.roles or operation.deployment:
                answer = tenant.callers[role].send(operation.method, operation.at(ids), b"no JSON", "text/plain")
                assert (answer.status, operation.name, role) == (403, operation.name, role)
                plain_error(answer, 403, "forbidden")
    assert tenant.state() == before


def test_every_documented_role_may_call(service: Service, every: list[Operation]) -> None:
    """Past 401 and 403, wherever it then leads."""
    for role in ROLES:
        with service.tenant() as one:
            for operation in every:
                if role in operation.roles and not operation.deployment:
                    path = operation.at(identifiers(one, operation.identifiers))
                    if operation.raw:  # a file stands in no envelope
                        assert one.callers[role].http.get(path).status_code in {200, 400}, (operation.name, role)
                        continue
                    answer = one.callers[role].ask(operation.method, path, *([{}] if operation.takes_body else []))
                    assert answer.status in {200, 400, 409}, (operation.name, role, answer)
                    assert str(answer.status) in operation.answers, (operation.name, role, answer)


def test_the_documented_roles_are_those_of_the_decisions(every: list[Operation]) -> None:
    roles = {operation.name: operation.roles for operation in every}
    create = next(operation for operation in every if operation.name == "POST /v1/test_run")
    add = next(
        operation for operation in every if operation.name.startswith("POST") and "auth-parameters" in operation.path
    )
    assert create.roles == {"admin", "analyst", "ci"}
    assert add.roles == {"admin", "analyst"}
    for name, allowed in roles.items():
        assert "admin" in allowed, name
        assert name.startswith("GET") or "viewer" not in allowed, f"a viewer reads: {name}"
