"""The values that a GraphQL schema lists for a role."""

import json

import graphql
import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.properties import Property
from gatecrash.core.testing.authorization.ranks.schema_roles import (
    asking_for_values,
    may_be_listed,
    names_listed,
    ruling_value,
)

JSON = (b"Content-Type", b"application/json")
GIVEN = {"name": "Petra"}


def mutation(document: str = "mutation Save($n: Int, $in: Person!) { save(n: $n, in: $in) { id } }") -> Request:
    message = {"operationName": "Save", "query": document, "variables": {"n": 1, "in": GIVEN}}
    return Request("POST", b"/graphql", (JSON,), json.dumps(message).encode())


def answered(values: str, wanted: str = "Role") -> Response:
    """What a server with these values answers."""
    schema = graphql.build_schema(
        f"enum Role {{ {values} }} input Person {{ name: String role: {wanted} }}"
        "type Query { ok(p: Person): Int } type Mutation { save(n: Int, in: Person!): Int }"
    )
    asked = asking_for_values(mutation(), GIVEN)
    result = graphql.graphql_sync(schema, json.loads(asked.body)["query"])
    assert result.errors is None
    return Response(200, (JSON,), json.dumps({"data": result.data}).encode())


@pytest.mark.parametrize(
    ("values", "ruling"),
    [
        ("MECHANIC FOREMAN OWNER", "OWNER"),
        ("MECHANIC OWNER SHOP_ADMIN", "SHOP_ADMIN"),
        ("MECHANIC STAFF", "STAFF"),
        ("MECHANIC OWNER", None),
        ("MECHANIC PAINTER GLAZIER", None),
        ("PAINTER ADMIN", None),
    ],
)
@pytest.mark.parametrize("wanted", ["Role", "Role!"])
def test_the_one_that_rules_is_taken(values, ruling, wanted):
    assert ruling_value(answered(values, wanted), Property("role", "MECHANIC", "ADMIN")) == ruling


@pytest.mark.parametrize("old", ["MANAGER", "OWNER"])
def test_who_rules_already_is_given_no_other(old):
    assert ruling_value(answered("MECHANIC MANAGER OWNER ADMIN"), Property("role", old, "ADMIN")) is None


def test_a_server_that_tells_nothing_lists_none():
    for text in ('{"errors": [{"message": "introspection is off"}]}', '{"data": {"__type": null}}', "no"):
        assert ruling_value(Response(200, (JSON,), text.encode()), Property("role", "MECHANIC", "ADMIN")) is None


def test_a_document_that_does_not_declare_the_input_is_not_asked_for():
    assert asking_for_values(mutation("mutation Save { save(in: {name: 1}) { id } }"), GIVEN) is None
    assert asking_for_values(mutation(), {"name": "Ida"}) is None


def test_only_texts_of_roles_may_be_listed():
    assert may_be_listed(Property("role", "MECHANIC", "ADMIN"))
    assert not may_be_listed(Property("role", 3, 4))
    assert not may_be_listed(Property("plan", "free", "enterprise"))


def test_what_an_input_holds_is_listed_by_its_names():
    assert names_listed(answered("MECHANIC OWNER")) == ["name", "role"]
    assert names_listed(Response(200, (JSON,), b'{"data": {"__type": null}}')) == []
