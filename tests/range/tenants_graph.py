"""The tenants' API as GraphQL: what one asks and changes by a query's arguments and a mutation's, with and without a check."""

import json
import re
import threading
from collections.abc import Callable
from typing import Any

import graphql

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, posted, twin
from tests.range.tenants_store import OPAQUE, PEOPLE, SIGNED, caller

SCHEMA = graphql.build_schema(
    """
    type Query { order(number: String!): Order  auditLog(last: Int): [Entry!]!  customers(first: Int): [Person!]!
      news: [Entry!]! }
    input Change { number: String!  note: String  urgent: Boolean }
    type Mutation { updateOrder(input: Change!): Order  changeUserRole(user: Int!, role: String!): Person
      markRead(entry: Int!): Entry }
    type Order { number: String! item: String! note: String! owner: Person! }
    type Person { id: Int! email: String! phone: String! role: String! }
    type Entry { at: String! what: String! }
    """
)
LOCK = threading.Lock()
NOTES: dict[tuple[str, str], str] = {}
NUMBERS = {"LX-3101": "ann", "LX-3202": "ben"}
AUDIT = [{"at": "2024-05-17", "what": "ida closed the till"}, {"at": "2024-05-18", "what": "ida refunded 77"}]
Asked = Callable[[str], Request]
# What the library offers by itself is no concern of these places: introspection, suggestions, any depth.
UNBOUNDED = ("graphql",)


def asked(document: str, name: str = "ann", **variables: Any) -> Asked:
    """One operation of a caller: customers have tokens that name them."""
    body = json.dumps({"query": document, "variables": variables}).encode()
    token = {**OPAQUE, **SIGNED}[name].encode()
    return lambda path: posted(path, body, b"application/json", ((b"Authorization", token),))


def in_a_batch(one: Asked) -> Asked:
    def request(path: str) -> Request:
        single = one(path)
        return Request("POST", single.target, single.headers, b"[" + single.body + b"]")

    return request


ORDER = asked(
    "query ($number: String!) { order(number: $number) { number item note owner { id email phone } } }",
    number="LX-3101",
)
LITERAL = asked('{ order(number: "LX-3101") { number note owner { id email phone } } }')
CHANGE = asked(
    "mutation ($input: Change!) { updateOrder(input: $input) { number note } }",
    input={"number": "LX-3101", "note": "Leave it at the back door", "urgent": True},
)
LOG = asked("{ auditLog(last: 9) { at what } }", name="ida")
CUSTOMERS = asked("{ customers(first: 9) { id email phone role } }", name="ida")
PROMOTE = asked('mutation { changeUserRole(user: 8, role: "customer") { id role } }', name="ida")
REFUSED_LOG = asked("query Log { auditLog(last: 9) { at what } }")
NEWS = asked("{ news { at what } }", name="ida")
ALONE, ALONE_NEWS = in_a_batch(ORDER), in_a_batch(NEWS)
READ = asked("mutation { markRead(entry: 3) { at what } }", name="ida")


def person(name: str) -> dict[str, Any]:
    each = PEOPLE[name]
    return {"id": each["id"], "email": each["email"], "phone": each["phone"], "role": each["rank"]}


def order(place: str, number: str) -> dict[str, Any]:
    note = NOTES.get((place, number), "Leave it at the back door")
    return {"number": number, "item": "Lamp", "note": note, "owner": person(NUMBERS[number])}


def run(given: Given, place: str, may: Callable[[str, str], bool]) -> Response:
    """The operation of a request. may: whether a caller may do what a word names, or see whose order it is."""
    name = caller(given.request)
    if not name:
        return answer({"errors": [{"message": "not authenticated"}]})
    body = json.loads(given.request.body)

    def allowed(what: str) -> None:
        if not may(name, what):
            raise graphql.GraphQLError("no such thing")

    def one(_info: object, number: str) -> dict[str, Any] | None:
        if number not in NUMBERS:
            return None
        allowed(NUMBERS[number])
        return order(place, number)

    def change(_info: object, input: dict[str, Any]) -> dict[str, Any] | None:  # noqa: A002 -- GraphQL calls it so
        found = one(_info, input["number"])
        with LOCK:
            NOTES[place, input["number"]] = input["note"]
        return found and order(place, input["number"])

    def managed(result: Any) -> Callable[..., Any]:
        def resolve(_info: object, **_asked: Any) -> Any:
            allowed("manage")
            return result

        return resolve

    root = {
        "order": one,
        "updateOrder": change,
        "auditLog": managed(AUDIT),
        "customers": managed([person(each) for each in ("ann", "ben")]),
        "changeUserRole": managed(person("ben")),
        "news": lambda _info: AUDIT[:1],
        "markRead": lambda _info, entry: AUDIT[0],
    }
    result = graphql.graphql_sync(SCHEMA, body["query"], root, variable_values=body.get("variables"))
    told = [{"message": each.message} for each in result.errors or ()]
    return answer({"data": result.data, **({"errors": told} if told else {})})


def anybody(_name: str, _what: str) -> bool:
    return True


def ranked(name: str, what: str) -> bool:
    """Managers manage; orders are shown to their owners and to managers."""
    return PEOPLE[name]["rank"] == "manager" or name == what


@flaw("idor", request=ORDER, also=UNBOUNDED)
def asked_by_a_variable(given: Given) -> Response:
    return run(given, "variable", anybody)


@flaw("idor", request=LITERAL, also=UNBOUNDED)
def asked_by_a_literal(given: Given) -> Response:
    return run(given, "literal", anybody)


def alone(given: Given, place: str, may: Callable[[str, str], bool]) -> Response:
    """The same for one operation in a batch, as clients send what they collect for a moment."""
    messages = json.loads(given.request.body)
    if not isinstance(messages, list) or len(messages) != 1:
        return answer({"errors": [{"message": "one operation, please"}]}, 400)
    request = given.request
    inner = Request("POST", request.target, request.headers, json.dumps(messages[0]).encode())
    told = run(Given(inner), place, may)
    return answer([json.loads(told.body)], told.status)


@flaw("idor", request=ALONE, also=UNBOUNDED)
def asked_alone_in_a_batch(given: Given) -> Response:
    return alone(given, "alone", anybody)


@twin("idor", request=ALONE, also=UNBOUNDED)
def owners_ask_alone_in_a_batch(given: Given) -> Response:
    return alone(given, "owners_alone", ranked)


@twin("auth", request=ALONE_NEWS, also=UNBOUNDED)
def news_for_everybody_in_a_batch(given: Given) -> Response:
    return alone(given, "alone_news", ranked)


@flaw("auth", request=LOG, also=UNBOUNDED)
def anybody_looks_into_the_log(given: Given) -> Response:
    return run(given, "log", anybody)


@flaw("auth", request=CUSTOMERS, also=UNBOUNDED)
def anybody_sees_how_to_reach_customers(given: Given) -> Response:
    return run(given, "customers", anybody)


@flaw("auth", request=PROMOTE, also=UNBOUNDED)
def anybody_changes_a_role(given: Given) -> Response:
    return run(given, "promote", anybody)


@twin("idor", request=ORDER, also=UNBOUNDED)
def owners_ask_by_a_variable(given: Given) -> Response:
    return run(given, "owners_variable", ranked)


@twin("idor", request=LITERAL, also=UNBOUNDED)
def owners_ask_by_a_literal(given: Given) -> Response:
    return run(given, "owners_literal", ranked)


@twin("idor", request=CHANGE, also=UNBOUNDED)
def owners_change(given: Given) -> Response:
    return run(given, "owners_change", ranked)


@twin("idor", request=CHANGE, also=UNBOUNDED)
def nothing_is_changed_for_others(given: Given) -> Response:
    """Without a word."""
    name = caller(given.request)
    owned = given.request.body.replace(b"LX-3101", b"LX-3202") if name == "ben" else given.request.body
    return run(Given(Request("POST", given.request.target, given.request.headers, owned)), "for_others", ranked)


@twin("auth", request=LOG, also=UNBOUNDED)
def managers_look_into_the_log(given: Given) -> Response:
    return run(given, "managers_log", ranked)


@twin("auth", request=CUSTOMERS, also=UNBOUNDED)
def managers_see_how_to_reach_customers(given: Given) -> Response:
    return run(given, "managers_customers", ranked)


@twin("auth", request=PROMOTE, also=UNBOUNDED)
def managers_change_a_role(given: Given) -> Response:
    return run(given, "managers_promote", ranked)


@flaw("auth", request=REFUSED_LOG, also=UNBOUNDED)
def the_log_is_kept_back_by_the_name_of_its_operation(given: Given) -> Response:
    listed = re.match(r"\s*query Log\b", json.loads(given.request.body)["query"])
    return run(given, "named_log", ranked if listed else anybody)


@twin("auth", request=REFUSED_LOG, also=UNBOUNDED)
def the_log_is_kept_back_whatever_its_operation_is_called(given: Given) -> Response:
    return run(given, "any_log", ranked)


@twin("auth", request=REFUSED_LOG, also=UNBOUNDED)
def only_known_operations_are_answered(given: Given) -> Response:
    """Of any other it gives nothing, without a word."""
    known = re.match(r"\s*query Log\b", json.loads(given.request.body)["query"])
    return run(given, "known_log", ranked) if known else answer({"data": {}})


@twin("auth", request=NEWS, also=UNBOUNDED)
def news_for_everybody(given: Given) -> Response:
    return run(given, "news", ranked)


@twin("auth", request=READ, also=UNBOUNDED)
def everybody_marks_as_read(given: Given) -> Response:
    return run(given, "read", ranked)


@miss("idor", request=CHANGE, also=UNBOUNDED)
def changed_where_nothing_reads_it(given: Given) -> Response:
    """No recorded query shows the order, so that its owner cannot be asked whether it was changed."""
    return run(given, "change", anybody)
