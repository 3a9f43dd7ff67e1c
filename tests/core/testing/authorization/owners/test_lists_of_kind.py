"""Lists that are asked for by name, and the questions for one of their kind."""

import json

import msgspec
import pytest
from tests.core.testing.authorization.owners.test_listed_elsewhere import Crates, claims
from tests.core.testing.driving import Application, credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.callers.oneself import OWNED
from gatecrash.core.testing.authorization.objects.named import named_fields
from gatecrash.core.testing.authorization.owners.lists_of_kind import (
    asked_for,
    lists_its_kind,
    lists_of,
    names_list_of,
    speaks_of_kind,
)
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor import PROBE as READ
from gatecrash.core.testing.probes.idor_delete import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")
CARD = "Q2FyZDo1MTA="


def posted(target: str, body: object = None) -> Request:
    return Request("POST", target.encode(), (JSON,), json.dumps(body or {}).encode())


def asking(document: str, **variables: object) -> Request:
    return posted("/graphql", {"query": document, "variables": variables})


def by_name(method: str, **params: object) -> Request:
    return posted("/rpc", {"jsonrpc": "2.0", "method": method, "params": params, "id": 3})


ONE = asking("query ($id: ID!) { it: order(id: $id) { ...F } } fragment F on Order { id }", id=71)
REMOVED = asking("mutation ($id: ID!) { removeOrder(id: $id) }", id=71)
BY_ID = asking("query ($id: ID!) { node(id: $id) { id } }", id=CARD)
REQUEST = asking("query ($id: ID!) { node(id: $id) { id } }", id="TG9hblJlcXVlc3Q6NTE=")
IN_WORDS = asking("query ($id: ID!) { node(id: $id) { id } }", id="Z2lkOi8vc2hvcC9sb2FuX3JlcXVlc3QvNTE=")
PARCEL = posted("/rpc/parcel.get", {"id": 71})


@pytest.mark.parametrize(
    ("asked", "listed", "is_its"),
    [
        (ONE, asking("{ orders { id } }"), True),
        (ONE, asking("query ($n: Int) { allOrders(first: $n) { id } }", n=5), True),
        (REMOVED, asking("{ orders { id } }"), True),
        (BY_ID, asking("{ cards { id } }"), True),
        (BY_ID, asking("query ($q: String) { cards(search: $q) { id } }", q="red"), True),
        (BY_ID, asking("query ($q: String) { cards(holder: $q) { id } }", q="ann"), False),
        (BY_ID, asking("{ orders { id } }"), False),
        (REQUEST, asking("{ loanRequests { id } }"), True),
        (IN_WORDS, asking("{ allLoanRequests { id } }"), True),
        (REQUEST, asking("{ loans { id } }"), False),
        (REQUEST, asking("{ requests { id } }"), False),
        (REQUEST, asking("{ myLoanRequests { id } }"), False),
        (ONE, asking("{ myOrders { id } }"), False),
        (ONE, asking("query ($of: String) { orders(of: $of) { id } }", of="ann"), False),
        (ONE, asking("{ order { id } }"), False),
        (ONE, asking("mutation { orders { id } }"), False),
        (PARCEL, posted("/rpc/parcel.list"), True),
        (PARCEL, posted("/rpc/parcel.list", {"page": 2}), True),
        (PARCEL, posted("/api?method=getParcels"), True),
        (PARCEL, posted("/rpc/parcel.list", {"sender": "ann"}), False),
        (PARCEL, by_name("parcel.all"), True),
        (PARCEL, by_name("parcel.mine"), False),
        (PARCEL, posted("/rpc/letter.list"), False),
        (PARCEL, posted("/rpc/parcel.get"), False),
        (posted("/parcels", {"id": 71}), posted("/rpc/parcel.list"), False),
    ],
)
def test_the_whole_list_of_a_kind_is_asked_for_without_saying_whose(asked: Request, listed: Request, is_its: bool):
    (named,) = named_fields(asked)
    assert lists_its_kind(listed, asked, named) is is_its
    assert bool(lists_of([Page(listed, rendered=False)], asked, named)) is is_its


def test_a_list_of_some_of_the_kind_is_one_as_well():
    (named,) = named_fields(REMOVED)
    assert names_list_of(asking("{ myOrders { id } }"), REMOVED, named)
    assert not names_list_of(asking("{ cards { id } }"), REMOVED, named)
    (parcel,) = named_fields(PARCEL)
    assert names_list_of(by_name("parcel.mine"), PARCEL, parcel)
    assert not names_list_of(by_name("letter.mine"), PARCEL, parcel)
    assert not names_list_of(asking("query ($id: ID!) { orders(id: $id) { id } }", id=71), REMOVED, named)


def test_a_question_speaks_of_a_kind_that_it_asks_for_below_another():
    (named,) = named_fields(REMOVED)
    assert speaks_of_kind(asking("{ me { id orders { id } } }"), REMOVED, named)
    assert not speaks_of_kind(asking("{ me { id orderedItems { id } } }"), REMOVED, named)


def test_a_recorded_question_for_one_is_asked_for_another():
    pages = [Page(each, rendered=False) for each in (asking("{ orders { id } }"), BY_ID, ONE)]
    (named,) = named_fields(REMOVED)
    (asked,) = asked_for(pages, REMOVED, named, "88")
    assert json.loads(asked.body)["variables"] == {"id": 88}


def test_a_question_for_any_kind_comes_behind_those_for_the_kind_alone():
    one = asking("query ($id: ID!) { card(id: $id) { id } }", id=CARD)
    removed = asking("mutation ($id: ID!) { removeCard(id: $id) }", id=CARD)
    (named,) = named_fields(removed)
    pages = [Page(each, rendered=False) for each in (BY_ID, one)]
    asked = asked_for(pages, removed, named, "Q2FyZDo1MTE=")
    assert [json.loads(each.body)["query"] for each in asked] == [
        json.loads(each.body)["query"] for each in (one, BY_ID)
    ]
    assert [json.loads(each.body)["query"] for each in asked_for(pages[:1], removed, named, "Q2FyZDo1MTE=")] == [
        json.loads(BY_ID.body)["query"]
    ]


def test_a_number_that_another_kind_has_too_is_looked_for_where_its_own_kind_is_read() -> None:
    """`me` shows an order of the number that the new review is given."""
    reviews, numbers = {"31": "ann"}, iter(("40", "41", "42"))

    def graphql(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        asked = json.loads(request.body)
        number = asked.get("variables", {}).get("id", "")
        if not caller:
            return Response(200, (JSON,), b'{"errors": [{"message": "not authenticated"}]}')
        if "addReview" in asked["query"]:
            number = next(numbers)
            reviews[number] = caller
            told = {"addReview": {"id": number}}
        elif "deleteReview" in asked["query"]:
            told = {"deleteReview": reviews.pop(number, None) is not None}
        elif "me {" in asked["query"]:
            told = {"me": {"id": caller, "orders": [{"id": "31"}, {"id": "41"}]}}
        else:
            told = {"event": [{"id": each, "author": {"username": whose}} for each, whose in reviews.items()]}
        return Response(200, (JSON,), json.dumps({"data": told}).encode())

    def sent(query: str, **variables: str) -> Request:
        body = json.dumps({"query": query, "variables": variables}).encode()
        return Request("POST", b"/graphql", (JSON, (b"Authorization", OPAQUE["ann"].encode())), body, host="a")

    pages, request = Pages(), sent("mutation D($id: ID!) { deleteReview(id: $id) }", id="31")
    for read in ("{ me { id orders { id } } }", "{ event { reviews { id author { username } } } }"):
        pages.add(record(graphql, sent(read)).exchange)
    pages.meet(record(graphql, sent('mutation { addReview(text: "a") { id } }')).exchange, visited=False)
    baseline = record(lambda _: Response(200, (JSON,), b'{"data": {"deleteReview": true}}'), request)
    (check,) = plan(
        baseline, DEFAULT, credentials_of(request), (PROBE,), identities=(Identity("ann", known=("ann",)), Identity("ben", known=("ben",))),
        pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    verdict = drive_as(check, graphql).verdict
    assert verdict.outcome is Outcome.VULNERABLE, verdict.detail


def called(function: str, argument: str = "") -> Request:
    header = "<Auth><token>9f2c4be07d1a46c8</token></Auth>"
    body = f'<e:Envelope xmlns:e="urn:e"><e:Header>{header}</e:Header><e:Body><{function}>{argument}</{function}></e:Body></e:Envelope>'
    return Request("POST", b"/service", ((b"Content-Type", b"text/xml"),), body.encode())


def test_who_calls_chooses_nothing() -> None:
    one = called("CancelParcel", "<parcelId>71</parcelId>")
    (named,) = named_fields(one)
    assert named.value == "71"
    assert lists_its_kind(called("ListMyParcels"), one, named)
    assert lists_its_kind(called("ListParcels", "<page>2</page>"), one, named)
    assert not lists_its_kind(called("ListParcels", "<town>Bonn</town>"), one, named)


class Mine(Crates):
    """As GraphQL, where the list stands in what each is told of himself."""

    def __call__(self, request: Request) -> Response:
        asked = msgspec.structs.replace(
            request, body=request.body.replace(b"{ me { crates { id } } }", b"{ crates { id } }")
        )
        told = super().__call__(asked)
        is_list = asked.body != request.body and told.status == 200
        return self._told({"data": {"me": {"crates": json.loads(told.body)["data"]["list"]}}}, 200) if is_list else told

    def request(self, name: str, **given: object) -> Request:
        asked = super().request(name, **given)
        return msgspec.structs.replace(
            asked, body=asked.body.replace(b'"{ crates { id } }', b'"{ me { crates { id } } }')
        )


@pytest.mark.parametrize(("feed", "claimed"), [(False, {"idor"}), (True, set())])
def test_a_list_may_stand_in_what_each_is_told_of_himself(feed: bool, claimed: set[str]):
    assert claims(Mine("graphql", open_=True, feed=feed), "get", reads_alone=True) == claimed


def called_by_name(kind: str, *, guarded: bool = False, shared: bool = False, owner: str = "memberId") -> Application:
    """Things of members 1 and 2 by small numbers, which their other fields hold, too: `<kind>.get`, `<kind>.mine`, and lists of
    something else. shared: the list shows all.
    """
    things = [{"id": 1, "toolId": 2, owner: 1, "days": 3}, {"id": 2, "toolId": 1, owner: 2, "days": 5}]

    def respond(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        member = {OPAQUE["ann"]: 1, OPAQUE["ben"]: 2}.get(token)
        call = json.loads(request.body or b"{}")
        found: object = [{"id": 1, "name": "drill"}, {"id": 2, "name": "saw"}]
        if call.get("method") == f"{kind}.mine":
            found = [each for each in things if shared or each[owner] == member]
        elif call.get("method") == f"{kind}.get":
            may = (each for each in things if not guarded or each[owner] == member)
            found = next((each for each in may if each["id"] == call["params"]["id"]), None)
        told = {"result": found} if member and found else {"error": {"code": -32000, "message": "Permission denied"}}
        return Response(200, (JSON,), json.dumps({"jsonrpc": "2.0", "id": call.get("id"), **told}).encode())

    return respond


@pytest.mark.parametrize(
    ("kind", "application", "outcome"),
    [
        ("loan", called_by_name("loan"), Outcome.VULNERABLE),
        ("invoice", called_by_name("invoice"), Outcome.VULNERABLE),
        ("loan", called_by_name("loan", guarded=True), Outcome.SAFE),
        ("loan", called_by_name("loan", shared=True), Outcome.SAFE),
        ("loan", called_by_name("loan", owner="shelf"), Outcome.SAFE),
        # What somebody wrote for all to read is in his own list, too.
        ("article", called_by_name("article"), Outcome.SAFE),
    ],
)
def test_what_each_keeps_is_his_whose_own_list_has_it_and_whom_it_names(
    kind: str, application: Application, outcome: Outcome
):
    headers, pages = (JSON, (b"Authorization", OPAQUE["ann"].encode())), Pages()
    for each in ("tool.list", "shelf.list", "room.list", f"{kind}.mine"):
        pages.add(record(application, msgspec.structs.replace(by_name(each), headers=headers)).exchange)
    request = msgspec.structs.replace(by_name(f"{kind}.get", id=1), headers=headers)
    known = (Identity("ann", known=("1", f"{OWNED}memberid=1")), Identity("ben", known=("2", f"{OWNED}memberid=2")))
    (check,) = plan(
        record(application, request), DEFAULT, credentials_of(request), (READ,),
        identities=known, pages=pages.beside(request),
    )  # fmt: skip
    assert drive_as(check, application).verdict.outcome is outcome
