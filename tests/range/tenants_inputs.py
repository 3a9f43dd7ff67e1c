"""What GraphQL mutations take in their input objects: rights that the schema names for everybody, and what comes of them."""

import itertools
import json
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import graphql

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_graph import UNBOUNDED, asked
from tests.range.tenants_store import caller

FIELDS = "type Person { id: Int! name: String! email: String! role: Role! }  enum Role { ADMIN CUSTOMER }"
OPERATIONS = """
    type Query { news: String }
    type Mutation { updateProfile(input: Profile!): Person  signUp(input: Profile!): Person }
    """
OPEN = graphql.build_schema(
    f"{FIELDS} {OPERATIONS} input Profile {{ name: String!  email: String  password: String  role: Role }}"
)
CLOSED = graphql.build_schema(
    f"{FIELDS} {OPERATIONS} input Profile {{ name: String!  email: String  password: String }}"
)
PROFILE = "input Profile { name: String!  email: String  password: String  role: Role }"
WORKSHOP, MARKET = (
    graphql.build_schema(f"{FIELDS.replace('ADMIN CUSTOMER', roles)} {OPERATIONS} {PROFILE}")
    for roles in ("MECHANIC FOREMAN OWNER", "TENANT OWNER")
)
KEY = b"2f8a6c1e9b7d40539c1d"
ANN = {"id": 7, "name": "Ann Marsh", "email": "ann@example.com", "role": "CUSTOMER"}
LOCK = threading.Lock()
KEPT: dict[str, dict[str, Any]] = {}
COUNT = itertools.count(100)
Row = dict[str, Any]
FLAW = partial(flaw, "mass_assignment", also=UNBOUNDED)
TWIN = partial(twin, "mass_assignment", also=UNBOUNDED)

SAVE = "mutation Save($input: Profile!) { updateProfile(input: $input) { id name email role } }"
UPDATE = asked(
    SAVE,
    input={"name": "Ann Marsh", "email": "ann@example.com"},
)
ASKED_FOR_LESS = asked(
    SAVE.replace(" role }", " }"),
    input={"name": "Ann Marsh", "email": "ann@example.com"},
)
BY_A_MANAGER = asked(
    SAVE,
    name="ida",
    input={"name": "Ann Marsh", "email": "ann@example.com"},
)
SIGN_UP = asked(
    "mutation Join($input: Profile!) { signUp(input: $input) { id name role } }",
    input={"name": "New Person", "email": "new@example.com", "password": "sesame-street"},
)


def run(
    given: Given,
    place: str,
    keeps: Callable[[Row, Row], Row],
    schema: graphql.GraphQLSchema = OPEN,
    shows: Callable[[Row, Row], Row] = lambda row, _sent: row,
    role: str = "CUSTOMER",
) -> Response:
    """The mutation of a request. keeps: what becomes of a row that something was sent for; shows: what its answer says of it;
    role: the one that everybody has at first.
    """
    if not caller(given.request):
        return answer({"errors": [{"message": "not authenticated"}]})

    def update(_info: object, input: Row) -> Row:  # noqa: A002 -- GraphQL calls it so
        with LOCK:
            KEPT[place] = keeps(KEPT.get(place, {**ANN, "role": role}), input)
            return shows(KEPT[place], input)

    def sign_up(_info: object, input: Row) -> Row:  # noqa: A002 -- GraphQL calls it so
        return keeps({**ANN, "id": next(COUNT)}, input)

    body = json.loads(given.request.body)
    root = {"updateProfile": update, "signUp": sign_up}
    result = graphql.graphql_sync(schema, body["query"], root, variable_values=body.get("variables"))
    told = [{"message": each.message} for each in result.errors or ()]
    return answer({"data": result.data, **({"errors": told} if told else {})})


def everything(row: Row, sent: Row) -> Row:
    return {**row, **sent}


def but_the_role(row: Row, sent: Row) -> Row:
    return {**row, **sent, "role": row["role"]}


@FLAW(request=UPDATE)
def a_role_for_oneself(given: Given) -> Response:
    return run(given, "a_role_for_oneself", everything)


@FLAW(request=UPDATE)
def a_role_in_words_of_its_own(given: Given) -> Response:
    """The schema lists them; none is called admin."""
    return run(given, "a_role_in_words_of_its_own", everything, WORKSHOP, role="MECHANIC")


@FLAW(request=ASKED_FOR_LESS)
def a_role_that_nobody_asked_to_see(given: Given) -> Response:
    """The schema names it among what is taken and what is told; the recorded document asks for neither."""
    return run(given, "a_role_that_nobody_asked_to_see", everything)


@FLAW(request=SIGN_UP)
def a_new_account_with_a_role(given: Given) -> Response:
    """Nobody has to ask who may give it."""
    return run(given, "a_new_account_with_a_role", everything)


@TWIN(request=UPDATE)
def no_role_in_the_schema(given: Given) -> Response:
    return run(given, "no_role_in_the_schema", everything, CLOSED)


@TWIN(request=SIGN_UP)
def a_new_account_is_a_customer(given: Given) -> Response:
    """Whatever it asked for."""
    return run(given, "a_new_account_is_a_customer", but_the_role)


@TWIN(request=UPDATE)
def a_role_that_is_repeated_and_not_kept(given: Given) -> Response:
    """The answer repeats what was sent."""
    return run(given, "a_role_that_is_repeated_and_not_kept", but_the_role, shows=everything)


@TWIN(request=ASKED_FOR_LESS)
def a_role_that_is_told_and_not_kept(given: Given) -> Response:
    return run(given, "a_role_that_is_told_and_not_kept", but_the_role, shows=everything)


@TWIN(request=ASKED_FOR_LESS)
def a_role_that_is_told_and_not_taken(given: Given) -> Response:
    return run(given, "a_role_that_is_told_and_not_taken", everything, CLOSED)


@TWIN(request=UPDATE)
def a_role_in_words_of_its_own_is_left(given: Given) -> Response:
    return run(given, "a_role_in_words_of_its_own_is_left", but_the_role, WORKSHOP, role="MECHANIC")


@TWIN(request=UPDATE)
def a_role_that_everybody_may_choose(given: Given) -> Response:
    """Whoever lets a flat is an owner, and whoever looks for one a tenant."""
    return run(given, "a_role_that_everybody_may_choose", everything, MARKET, role="TENANT")


@TWIN(request=BY_A_MANAGER)
def a_manager_gives_a_role(given: Given) -> Response:
    """As her function is; the schema names it for her."""
    return run(given, "a_manager_gives_a_role", everything)


def with_a_key(path: str) -> Request:
    """As a client sends it that sends its key with everything, which says nothing of its holder."""
    request = SIGN_UP(path)
    headers = (*(each for each in request.headers if each[0] != b"Authorization"), (b"Authorization", b"Bearer " + KEY))
    return Request("POST", request.target, headers, request.body)


def signed_up(given: Given, keeps: Callable[[Row, Row], Row], *, lets: Callable[[Given], bool]) -> Response:
    """A registration. lets: whether somebody may register others, or himself."""
    if not lets(given):
        return answer({"errors": [{"message": "not authenticated"}], "data": None})

    def sign_up(_info: object, input: Row) -> Row:  # noqa: A002 -- GraphQL calls it so
        return keeps({**ANN, "id": next(COUNT)}, input)

    body = json.loads(given.request.body)
    root = {"signUp": sign_up}
    result = graphql.graphql_sync(OPEN, body["query"], root, variable_values=body.get("variables"))
    told = [{"message": each.message} for each in result.errors or ()]
    return answer({"data": result.data, **({"errors": told} if told else {})})


def has_the_key(given: Given) -> bool:
    return given.request.first(b"Authorization") == b"Bearer " + KEY


@FLAW(request=with_a_key)
def a_new_account_of_whoever_comes_with_a_role(given: Given) -> Response:
    return signed_up(given, everything, lets=lambda _given: True)


@TWIN(request=with_a_key)
def a_new_account_of_whoever_comes_without_one(given: Given) -> Response:
    return signed_up(given, but_the_role, lets=lambda _given: True)


@TWIN(request=with_a_key)
def a_new_account_that_who_has_the_key_makes_for_others(given: Given) -> Response:
    """He may say what they do."""
    return signed_up(given, everything, lets=has_the_key)
