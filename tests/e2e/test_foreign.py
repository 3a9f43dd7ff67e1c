"""The tenant wall from outside: whatever belongs to another client is answered just as what does not exist."""

from collections.abc import Iterator

import pytest
from tests.e2e.caller import Answer
from tests.e2e.routes import Operation, absent, identifiers, operations
from tests.e2e.service import Service
from tests.e2e.tenant import Tenant

pytestmark = pytest.mark.database

# The names of actions are the same for all.
EVERYBODYS = {"action"}


@pytest.fixture(scope="module")
def owner(service: Service) -> Iterator[Tenant]:
    with service.tenant() as one:
        one.tested("theirs", passed=1, failed=1)
        yield one


@pytest.fixture(scope="module")
def stranger(service: Service) -> Iterator[Tenant]:
    with service.tenant() as one:
        one.recorded("mine")
        yield one


@pytest.fixture(scope="module")
def named(service: Service) -> list[Operation]:
    """Every operation with an identifier in its path."""
    found = [one for one in operations(service.api) if set(one.identifiers) - EVERYBODYS]
    assert len(found) >= 10
    return found


def without(answer: Answer, *names: str) -> tuple[int, str]:
    """Status and body, the identifiers that were asked for taken out."""
    text = repr(answer.body)
    for name in names:
        text = text.replace(name, "…")
    return answer.status, text


def test_anothers_identifier_is_as_good_as_none(owner: Tenant, stranger: Tenant, named: list[Operation]) -> None:
    theirs = identifiers(owner, tuple({name for operation in named for name in operation.identifiers}))
    nothing = absent(tuple(theirs))
    own = {"client_id": stranger.client_id, "action": "interrupt"}
    before = owner.state(), stranger.state()
    for operation in named:
        body = [{}] if operation.takes_body else []
        for mine in ({}, own) if set(operation.identifiers) - set(own) else ({},):
            foreign = stranger.admin.ask(operation.method, operation.at({**theirs, **mine}), *body)
            unknown = stranger.admin.ask(operation.method, operation.at({**nothing, **mine}), *body)
            assert foreign.status == 404, (operation.name, foreign)
            assert without(foreign, *theirs.values()) == without(unknown, *nothing.values()), operation.name
            assert sorted(foreign.headers) == sorted(unknown.headers), operation.name
    assert (owner.state(), stranger.state()) == before


@pytest.mark.parametrize("role", ["analyst", "viewer", "ci", "node"])
def test_no_role_sees_further(owner: Tenant, stranger: Tenant, named: list[Operation], role: str) -> None:
    theirs = identifiers(owner, tuple({name for operation in named for name in operation.identifiers}))
    before = owner.state()
    for operation in named:
        answer = stranger.callers[role].ask(
            operation.method, operation.at(theirs), *([{}] if operation.takes_body else [])
        )
        assert answer.status == 404, (operation.name, role, answer)
    assert owner.state() == before


def test_anothers_identifier_in_a_body_is_as_good_as_none(owner: Tenant, stranger: Tenant) -> None:
    run = owner.admin.did("GET", "/v1/test_run")["objects"][0]
    before = owner.state(), stranger.state()
    for field, theirs, nothing in (
        ("test_record_id", run["test_record_id"], "rec_" + "0" * 26),
        ("node_id", run["node_id"], "node_" + "0" * 26),
        ("clientid", owner.client_id, "cl_" + "0" * 26),
    ):
        foreign = stranger.admin.post("/v1/test_run", {"name": "a", field: theirs})
        unknown = stranger.admin.post("/v1/test_run", {"name": "a", field: nothing})
        assert (foreign.status, set(foreign.body)) == (400, {field})
        assert without(foreign, theirs) == without(unknown, nothing)
    assert (owner.state(), stranger.state()) == before


def test_lists_hold_only_what_is_ones_own(service: Service, owner: Tenant, stranger: Tenant) -> None:
    theirs = repr(owner.state())
    lists = [
        one
        for one in operations(service.api)
        if one.method == "GET" and not one.identifiers and not one.deployment and not one.raw
    ]
    assert len(lists) >= 4
    ids = {run["id"] for run in owner.state()["runs"]} | {run["test_record_id"] for run in owner.state()["runs"]}
    assert all(one in theirs for one in ids)
    for operation in lists:
        text = repr(stranger.admin.did("GET", operation.path))
        assert owner.client_id not in text, operation.name
        assert not any(one in text for one in ids), operation.name


def test_an_auth_parameter_of_one_client_is_none_of_anothers(owner: Tenant, stranger: Tenant) -> None:
    point = [["header", "X-ONLY-THEIRS"]]
    owner.admin.did("POST", owner.parameters, {"point": point})
    listed = stranger.admin.did("GET", stranger.parameters)["parameters"]
    assert point not in [entry["point"] for entry in listed]
    assert stranger.admin.did("POST", stranger.parameters, {"point": point})["point"] == point
