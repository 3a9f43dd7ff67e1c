"""Every address of the application: those of the contract are there, no other is, and the tests of roles walk each one."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from tests.control.browsing import Person
from tests.control.calling import Api
from tests.control.ui.conftest import made, scheduled
from tests.control.ui.test_page import METHODS, PEOPLE, rows
from tests.e2e.routes import node_paths

from gatecrash.control.api.roles import Role

OPEN = {"v1/openapi.json", "healthz", "readyz", "metrics"}


@pytest.mark.parametrize(
    "path",
    [
        "/v1/openapi.json",
        "/v1/clients",
        "/v1/clients/cl_1/apid/config/auth-parameters",
        "/v1/test_run",
        "/v1/test_run/tr_1",
        "/healthz",
        "/readyz",
        "/metrics",
    ],
)
def test_the_addresses_of_the_contract_are_there(path: str) -> None:
    assert resolve(path)


@pytest.mark.parametrize("path", ["/v1", "/v1/docs", "/v1/clients/", "/v2/clients", "/admin/"])
def test_no_other_is(path: str) -> None:
    with pytest.raises(Resolver404):
        resolve(path)


def routes(patterns: Any = None, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every address that the application answers, as the resolver itself holds it."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        here = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from routes(one.url_patterns, here)
        else:
            yield here, one


def operations() -> Iterator[tuple[str, Any]]:
    """Every operation of the API, as ninja itself holds it, with its method and path."""
    from gatecrash.control.api.service import api

    for prefix, router in api()._routers:
        for path, view in router.path_operations.items():
            for operation in view.operations:
                for method in operation.methods:
                    yield f"{method} {path_of(prefix + path)}", operation


def path_of(path: str) -> str:
    """A path as documents write it: no types, no regular expressions."""
    return "/v1/" + re.sub(r"{\w+:", "{", path).lstrip("/")


def document() -> dict[str, Any]:
    from gatecrash.control.api.service import api

    return dict(api().get_openapi_schema(path_prefix="v1/"))


def test_the_tests_of_roles_walk_every_route_of_the_resolver() -> None:
    """A route that is neither a page of PAGES, nor of sign-in, nor of the API would be walked by nobody."""
    from gatecrash.control.ui.addresses import PAGES, SIGN_IN

    pages = {id(one) for one in PAGES}
    doors = {id(one) for one in SIGN_IN}
    strays = [
        name
        for name, one in routes()
        if id(one) not in pages | doors and name not in OPEN and not name.startswith("v1/")
    ]
    assert strays == []
    assert sum(id(one) in pages for _, one in routes()) == len(PAGES)
    assert sum(id(one) in doors for _, one in routes()) == len(SIGN_IN)


def test_the_tests_of_roles_walk_every_operation_of_the_api() -> None:
    """They read the document: an operation that it hides would be walked by nobody."""
    written = {
        f"{method.upper()} /{path.lstrip('/')}": item
        for path, methods in document()["paths"].items()
        for method, item in methods.items()
    }
    hidden = {name for name, _ in operations()} - set(written)
    assert hidden == {f"POST {path}" for path in node_paths()}
    assert len(written) > 60
    assert [name for name, item in written.items() if not item["x-roles"] or not item["security"]] == []
    paths = {
        path_of(re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", name.removeprefix("v1/")))
        for name, _ in routes()
        if name.startswith("v1/")
    }
    strays = paths - {name.partition(" ")[2] for name, _ in operations()} - {"/v1/openapi.json", "/v1/"}
    assert strays == set()


@pytest.mark.django_db
@pytest.mark.parametrize("role", PEOPLE)
def test_the_pages_of_sign_in_change_nothing_of_any_client(
    role: Role, client_id: str, other_id: str, person: Callable[..., Person]
) -> None:
    from gatecrash.control.ui.addresses import SIGN_IN

    made(client_id)
    made(other_id)
    for number, pattern in enumerate(SIGN_IN):
        somebody = person(role, email=f"{number}@example.com")
        path = "/" + str(pattern.pattern).replace("<str:provider_id>", "corporate")
        kept = rows(client_id), rows(other_id)
        for method in METHODS:
            assert somebody.http.generic(method, path).status_code < 500, (path, method)
        if pattern.name != "account_logout":  # who leaves is written down
            assert (rows(client_id), rows(other_id)) == kept, path


# Fields of bodies that name something, and what of the estate another client might put there.
FIELDS = {
    "test_record_id": "test_record_id",
    "policy_id": "policy_id",
    "auth_profile_id": "auth_profile_id",
    "endpoint_id": "endpoint_id",
    "node_id": "node_id",
    "test_run_id": "test_run_id",
}
# Whole bodies in which the field is the one fault.
BODIES: dict[str, dict[str, Any]] = {
    "POST /v1/test_run": {"name": "a"},
    "POST /v1/test_record": {"name": "a"},
    "POST /v1/public_marks": {"reason": "r", "owner": "o"},
    "POST /v1/tokens": {"name": "a", "role": "ci"},
    "POST /v1/schedule": {"name": "a", "rhythm": "daily"},
    "PATCH /v1/schedule/{schedule_id}": {},
}


def named_fields() -> Iterator[tuple[str, str]]:
    """Every field of every body of the API that holds an identifier, by its operation."""
    whole = document()
    for path, methods in whole["paths"].items():
        for method, item in methods.items():
            content = item.get("requestBody", {}).get("content", {}).get("application/json", {})
            reference = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
            shape = whole["components"]["schemas"].get(reference, {}).get("properties", {})
            for name in shape:
                if name.endswith("_id"):
                    yield f"{method.upper()} /{path.lstrip('/')}", name


@pytest.mark.django_db
def test_another_clients_identifier_in_any_body_is_refused_as_one_that_does_not_exist(
    api: Api, client_id: str, other_id: str
) -> None:
    from gatecrash.control import wall
    from gatecrash.control.nodes.models import Node

    theirs = dict(vars(made(other_id)))
    with wall.client(other_id):
        theirs["node_id"] = str(Node.objects.values_list("id", flat=True).first())
    with wall.client(client_id):
        own = {"schedule_id": scheduled("tr_own")}
    fields = list(named_fields())
    assert {name for _, name in fields} == set(FIELDS), "a new field wants its foreign object here"
    api.get("/v1/test_run")  # that the token was used is written down once a minute
    before = rows(client_id), rows(other_id)
    for operation, field in fields:
        method, path = operation.split(" ")
        answers = [
            api.call(method, path.format(**own), {**BODIES[operation], field: value})
            for value in (theirs[FIELDS[field]], theirs[FIELDS[field]][:-4] + "0000")
        ]
        (foreign, said), (unknown, told) = answers
        assert (foreign, set(said)) == (unknown, set(told)) == (400, {field}), (operation, field, answers)
        assert said[field]["error"] == told[field]["error"], (operation, field)
    assert (rows(client_id), rows(other_id)) == before
