"""Orders by a GraphQL mutation or a function of JSON-RPC, at the price that the caller names or at the shop's own."""

import itertools
import json
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import graphql

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, posted, twin

SCHEMA = graphql.build_schema(
    """
    type Query { myOrders: [Order!]! tickets: [Order!]! }
    input Line { productId: Int!  quantity: Int!  price: Float }
    type Mutation { placeOrder(lines: [Line!]!): Order  buyTicket(ticketId: ID!, price: Float!): Order }
    type Order { id: ID! total: Float! state: String! }
    """
)
OWN_PRICE = 12.5
LOCK, COUNT = threading.Lock(), itertools.count(1)
MADE: dict[str, dict[str, dict[str, Any]]] = {}
JSON_BODY = b"application/json"
Price = Callable[[float | None], float]


def asked(document: str, **variables: Any) -> Callable[[str], Request]:
    body = json.dumps({"query": document, "variables": variables}).encode()
    return lambda path: posted(path, body, JSON_BODY)


LISTED = asked("{ myOrders { id total state } }")
LISTED_BY_KIND = asked("{ tickets { id total state } }")
OF_LINES = asked(
    "mutation Place($l: [Line!]!) { placeOrder(lines: $l) { id total } }",
    l=[{"productId": 3, "quantity": 2, "price": 12.5}, {"productId": 4, "quantity": 1, "price": 12.5}],
)
OF_ONE = asked("mutation ($t: ID!, $p: Float!) { buyTicket(ticketId: $t, price: $p) { id total } }", t="8", p=12.5)


def called(path: str) -> Request:
    call = {"jsonrpc": "2.0", "id": 5, "method": "order.create", "params": {"sku": "T-8", "qty": 3, "unitPrice": 12.5}}
    return posted(path, json.dumps(call).encode(), JSON_BODY)


def kept(place: str, total: float) -> dict[str, Any]:
    with LOCK:
        made = {"id": str(next(COUNT)), "total": round(total, 2), "state": "open"}
        MADE.setdefault(place, {})[made["id"]] = made
    return made


def run(given: Given, price: Price, says: Callable[[dict[str, Any], float], dict[str, Any]] = lambda made, _: made):
    """A GraphQL request. price: what one costs, of what was named; says: what the answer tells of what was made at a named price."""
    place = given.request.path.decode()

    def order(_info: object, lines: list[dict[str, Any]]) -> dict[str, Any]:
        return kept(place, sum(line["quantity"] * price(line.get("price")) for line in lines))

    def buy(_info: object, ticketId: str, price: float) -> dict[str, Any]:  # noqa: N803 -- GraphQL calls it so
        return says(kept(place, cost(price)), price)

    cost = price
    listed = list(MADE.get(place, {}).values())[-40:]
    root = {"placeOrder": order, "buyTicket": buy, "myOrders": listed, "tickets": listed}
    body = json.loads(given.request.body)
    result = graphql.graphql_sync(SCHEMA, body["query"], root, variable_values=body.get("variables"))
    told = [{"message": each.message} for each in result.errors or ()]
    return answer({"data": result.data, **({"errors": told} if told else {})})


def as_named(price: float | None) -> float:
    return OWN_PRICE if price is None else price


def from_the_list(_price: float | None) -> float:
    return OWN_PRICE


def repeated(made: dict[str, Any], price: float) -> dict[str, Any]:
    """What was sent, said once more."""
    return {**made, "total": price}


FLAW = partial(flaw, "mass_assignment", also=("graphql",))
TWIN = partial(twin, "mass_assignment", also=("graphql",))


@FLAW(request=OF_LINES)
def lines_at_the_callers_price(given: Given) -> Response:
    return run(given, as_named)


@FLAW(request=OF_ONE, beside=(LISTED,))
def one_at_the_callers_price(given: Given) -> Response:
    return run(given, as_named)


@FLAW(request=OF_ONE, beside=(LISTED_BY_KIND,))
def one_that_is_listed_among_its_kind(given: Given) -> Response:
    return run(given, as_named)


@TWIN(request=OF_ONE, beside=(LISTED_BY_KIND,))
def one_repeated_and_listed_among_its_kind(given: Given) -> Response:
    """The list says what it costs."""
    return run(given, from_the_list, repeated)


@TWIN(request=OF_LINES)
def lines_at_the_shops_price(given: Given) -> Response:
    return run(given, from_the_list)


@TWIN(request=OF_ONE, beside=(LISTED,))
def one_whose_price_is_repeated_alone(given: Given) -> Response:
    """The list says what it costs."""
    return run(given, from_the_list, repeated)


@TWIN(request=OF_ONE)
def one_whose_price_is_repeated_and_listed_nowhere(given: Given) -> Response:
    return run(given, from_the_list, repeated)


def created(given: Given, price: Price) -> Response:
    call = json.loads(given.request.body)
    sent = call.get("params") if isinstance(call, dict) else None
    count, named = (sent.get("qty"), sent.get("unitPrice")) if isinstance(sent, dict) else (None, None)
    if not isinstance(count, int) or not isinstance(named, int | float) or not 0 < count < 100:
        return answer({"jsonrpc": "2.0", "id": 5, "error": {"code": -32602, "message": "invalid params"}})
    made = kept(given.request.path.decode(), count * price(float(named)))
    return answer({"jsonrpc": "2.0", "id": call.get("id"), "result": {"number": made["id"], "total": made["total"]}})


@flaw("mass_assignment", request=called)
def a_call_at_the_callers_price(given: Given) -> Response:
    return created(given, as_named)


@twin("mass_assignment", request=called)
def a_call_at_the_shops_price(given: Given) -> Response:
    return created(given, from_the_list)


@twin("mass_assignment", request=called)
def a_call_that_must_name_the_shops_price(given: Given) -> Response:
    """Whose price has changed meanwhile is told so."""
    sent = json.loads(given.request.body).get("params", {})
    if isinstance(sent, dict) and sent.get("unitPrice") != OWN_PRICE:
        return answer({"jsonrpc": "2.0", "id": 5, "error": {"code": 4, "message": "the price has changed"}})
    return created(given, from_the_list)
