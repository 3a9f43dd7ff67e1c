"""Rights that a schema lists among what a mutation takes, and that its document does not ask for in return."""

from random import Random

import graphql
import orjson
import pytest
from tests.core.testing.driving import answered

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.fields.rights_selected import showing_rights
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

JSON = (b"Content-Type", b"application/json")
SCHEMA = graphql.build_schema(
    """
    type Query { news: String }
    type Person { id: ID! name: String! role: String! }
    type Payload { person: Person errors: [String!] }
    input In { name: String isAdmin: Boolean role: String }
    input Bare { name: String }
    type Mutation { updateMe(input: In!): Person register(input: In!): Payload renameMe(input: Bare!): Person }
    """
)
UPDATE = "mutation U($i: In!) { updateMe(input: $i) { id name } }"
REGISTER = "mutation R($i: In!) { register(input: $i) { person { id name } errors } }"


class Server:
    """A server that tells its schema, or does not. did: the names that its mutations were carried out with."""

    def __init__(self, *, tells: bool = True) -> None:
        self.tells = tells
        self.did: list[str] = []

    def __call__(self, request: Request) -> Response:
        message = orjson.loads(request.body)
        if "__type" in message["query"] and not self.tells:
            return Response(200, (JSON,), b'{"errors": [{"message": "introspection is off"}]}')

        def person(_info: object, input: dict) -> dict:  # noqa: A002 -- GraphQL calls it so
            self.did.append(input["name"])
            return {"id": 7, "name": input["name"], "role": "customer"}

        root = {
            "updateMe": person,
            "renameMe": person,
            "register": lambda info, input: {"person": person(info, input)},  # noqa: A006 -- GraphQL calls it so
        }
        result = graphql.graphql_sync(SCHEMA, message["query"], root, variable_values=message.get("variables"))
        told = {"errors": [{"message": each.message} for each in result.errors]} if result.errors else {}
        return Response(200, (JSON,), orjson.dumps({"data": result.data, **told}))


def mutation(document: str) -> Request:
    body = orjson.dumps({"query": document, "variables": {"i": {"name": "ann"}}})
    return Request("POST", b"/graphql", (JSON,), body)


def shown_by(server: Server, document: str, *, drafted: bool = False) -> Situation:
    request = mutation(document)
    exchange = Exchange(request, server(request), drafted=drafted)
    server.did.clear()
    situation = Situation(
        baseline=Baseline("bl_1", exchange), point=Point(), value=b"", credentials=(), policy=DEFAULT, random=Random(1)
    )
    return answered(showing_rights(situation), server)


def test_what_the_answer_can_tell_is_asked_for():
    server = Server()
    situation = shown_by(server, UPDATE)
    told = orjson.loads(situation.baseline.response.body)["data"]["updateMe"]
    assert told == {"id": "7", "name": "ann", "role": "customer"}, "and isAdmin, which no person has, is not"
    assert orjson.loads(situation.baseline.request.body)["variables"] == {"i": {"name": "ann"}}
    assert server.did == ["ann"], "what cannot be answered is not carried out"


def test_it_may_stand_in_an_object_of_the_answer_and_a_new_thing_has_a_name_of_its_own():
    server = Server()
    situation = shown_by(server, REGISTER)
    assert orjson.loads(situation.baseline.response.body)["data"]["register"]["person"]["role"] == "customer"
    assert len(server.did) == 1
    assert server.did[0] != "ann"


@pytest.mark.parametrize(
    ("document", "tells", "drafted"),
    [
        (UPDATE, False, False),
        (UPDATE, True, True),
        (UPDATE.replace("id name", "id role"), True, False),
        ("mutation U($i: Bare!) { renameMe(input: $i) { id name } }", True, False),
        ("{ news }", True, False),
    ],
    ids=["tells no schema", "made from it", "asks already", "lists none", "takes nothing"],
)
def test_otherwise_the_request_stays_as_it_is(document: str, *, tells: bool, drafted: bool):
    server = Server(tells=tells)
    situation = shown_by(server, document, drafted=drafted)
    assert situation.baseline.request == mutation(document)
    assert server.did == []
