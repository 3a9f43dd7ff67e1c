"""Objects that are changed and made by functions of JSON-RPC: bound whole to a row, or by a list of what may be set."""

import itertools
import json
from collections.abc import Callable, Iterable
from typing import Any

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, posted, twin
from tests.range.tenants_properties import ANN, DEFAULTS, keep, kept
from tests.range.tenants_store import SIGNED, caller

COUNT = itertools.count(300)
Row = dict[str, Any]
MAY_BE_SET = ("name", "email", "city", "password")


def calling(method: str, **params: Any) -> Callable[[str], Request]:
    body = json.dumps({"jsonrpc": "2.0", "id": 3, "method": method, "params": params}).encode()
    token = SIGNED["ann"].encode()
    return lambda path: posted(path, body, b"application/json", ((b"Authorization", token),))


UPDATE = calling("customer.update", number=7, changes={"name": "Ann Marsh", "city": "York"})
CREATE = calling("customer.create", name="New Person", email="new@example.com", city="York")


def run(given: Given, place: str, takes: Callable[[Row], Row], shows: Callable[[Row, Row], Row] = lambda row, _: row):
    """A call. takes: what of the object that it sends is kept; shows: what is answered of what was kept and sent."""
    call = json.loads(given.request.body) if given.request.method == "POST" else {}
    if not caller(given.request) or not isinstance(call.get("params"), dict):
        return answer({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "invalid request"}})
    params, method = call["params"], call.get("method")
    if method == "customer.update" and isinstance(params.get("changes"), dict):
        sent = params["changes"]
        document = {**(kept(place, 7, ANN) or {}), **takes(sent)}
        keep(place, 7, document)
    elif method == "customer.create":
        sent = params
        document = {**DEFAULTS, **takes(sent), "id": next(COUNT)}
        keep(place, document["id"], document)
    else:
        return answer({"jsonrpc": "2.0", "id": call.get("id"), "error": {"code": -32601, "message": "no such method"}})
    return answer({"jsonrpc": "2.0", "id": call.get("id"), "result": shows(document, sent)})


def columns(sent: Row) -> Row:
    """As a table takes them: what is no column of it is dropped."""
    return {name: value for name, value in sent.items() if name in {**ANN, **DEFAULTS}}


def listed(sent: Row) -> Row:
    return {name: value for name, value in sent.items() if name in MAY_BE_SET}


def only(given: Given, place: str, names: Iterable[str]) -> Response:
    """A call whose changes are refused as a whole where one of them has none of these names."""
    call = json.loads(given.request.body) if given.request.method == "POST" else {}
    params = call.get("params")
    changes = params.get("changes") if isinstance(params, dict) else None
    if isinstance(changes, dict) and not set(changes) <= set(names):
        return answer({"jsonrpc": "2.0", "id": call.get("id"), "error": {"code": -32602, "message": "unknown name"}})
    return run(given, place, columns)


@flaw("mass_assignment", request=UPDATE)
def changes_of_known_columns_alone(given: Given) -> Response:
    """What is no column is refused, under a good status."""
    return only(given, "changes_of_known_columns_alone", {**ANN, **DEFAULTS})


@twin("mass_assignment", request=UPDATE)
def changes_of_listed_names_alone(given: Given) -> Response:
    return only(given, "changes_of_listed_names_alone", MAY_BE_SET)


@flaw("mass_assignment", request=UPDATE)
def changes_of_any_column(given: Given) -> Response:
    return run(given, "changes_of_any_column", columns)


@twin("mass_assignment", request=UPDATE)
def changes_that_are_listed(given: Given) -> Response:
    return run(given, "changes_that_are_listed", listed)


@twin("mass_assignment", request=UPDATE)
def changes_that_are_repeated(given: Given) -> Response:
    """The answer repeats whatever was sent, and nothing of it is kept."""
    return run(given, "changes_that_are_repeated", listed, lambda row, sent: {**row, **sent})


@flaw("mass_assignment", request=CREATE)
def made_of_any_column(given: Given) -> Response:
    return run(given, "made_of_any_column", columns)


@twin("mass_assignment", request=CREATE)
def made_of_what_is_listed(given: Given) -> Response:
    return run(given, "made_of_what_is_listed", listed)


@twin("mass_assignment", request=CREATE)
def made_and_repeated(given: Given) -> Response:
    return run(given, "made_and_repeated", listed, lambda row, sent: {**row, **sent})
