"""What answers teach about identifiers, and what is filled in by it."""

import json
from typing import Any

import msgspec
import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.known_values import KnownValues

JSON = ((b"Content-Type", b"application/json"),)


def answer(body: Any, status: int = 200, **headers: str) -> Response:
    named = tuple((name.encode(), value.encode()) for name, value in headers.items())
    return Response(status, named, json.dumps(body).encode())


def draft(target: str, *holes: tuple[str, str], method: str = "GET", given: bool = False) -> Draft:
    listed = tuple(
        Hole(name, Point(("path", place)) if place.isdigit() else Point(("get", place)), given) for name, place in holes
    )
    return Draft(request=Request(method, target.encode()), drafted=True, holes=listed)


@pytest.mark.parametrize(
    ("body", "name", "value"),
    [
        ([{"id": 7, "name": "x"}], "item_id", b"7"),
        ([{"itemId": "a-1", "id": 7}], "item_id", b"a-1"),
        ([{"item_id": "a-1", "item": {"x": 1}}], "item", b"a-1"),
        ({"items": [{"uuid": "u-1"}]}, "item_id", b"u-1"),
        ({"data": {"id": 9}}, "id", b"9"),
        ([3, 4], "item_id", b"3"),
        ([{"slug": "tea pot"}], "slug", b"tea%20pot"),
        ({"code": 200, "data": {"items": [{"id": 9}]}}, "item_id", b"9"),
    ],
)
def test_a_list_teaches_what_stands_below_it(body: Any, name: str, value: bytes) -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/v1/items?all=1"), answer(body))
    assert known.filled(draft("/v1/items/1", (name, "2"))).request.target == b"/v1/items/" + value


def test_a_longer_name_takes_what_the_nearest_list_names() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/menu"), answer([{"id": 5}]))
    known.learn(Request("GET", b"/men"), answer([{"id": 6}]))
    assert (
        known.filled(draft("/orders?menu_item_id=1", ("menu_item_id", "menu_item_id"))).request.query
        == b"menu_item_id=5"
    )
    assert known.filled(draft("/orders?order_id=1", ("order_id", "order_id"))).request.query == b"order_id=1"


def test_holes_are_filled_from_left_to_right() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/users"), answer([{"id": 5}]))
    known.learn(Request("GET", b"/users/5/orders"), answer([{"id": 50}]))
    filled = known.filled(draft("/users/1/orders/1", ("order_id", "3"), ("user_id", "1")))
    assert filled.request.target == b"/users/5/orders/50"


def test_what_changes_something_takes_what_was_created_here() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/items"), answer([{"id": 1}]))
    known.learn(Request("POST", b"/items"), answer({"id": 8}, 201))
    hole = ("item_id", "1")
    assert known.filled(draft("/items/x", hole)).request.target == b"/items/1"
    assert known.filled(draft("/items/x", hole, method="DELETE")).request.target == b"/items/8"


@pytest.mark.parametrize(
    "body",
    [
        {"id": "7", "attributes": {"name": "x"}},
        {"data": {"type": "list", "id": "7", "attributes": {"name": "x", "code": "y"}}},
        {"code": 201, "message": "made", "data": {"id": "7", "name": "x"}},
    ],
)
def test_what_was_created_is_named_by_its_likeliest_member_wherever_it_stands(body: Any) -> None:
    known = KnownValues()
    known.learn(Request("POST", b"/lists"), answer(body, 201))
    filled = known.filled(draft("/lists/1/cards", ("listId", "1"), method="POST"))
    assert filled.request.target == b"/lists/7/cards"


def test_what_was_created_elsewhere_is_deleted_rather_than_what_was_there() -> None:
    known = KnownValues(["username"])
    known.learn(Request("GET", b"/staff/members"), answer([{"username": "ann"}]))
    known.learn(Request("POST", b"/members"), answer({"username": "gcbdf"}, 201))
    hole = ("username", "2")
    assert known.filled(draft("/staff/members/x", hole, method="DELETE")).request.path == b"/staff/members/gcbdf"
    assert known.filled(draft("/staff/members/x", hole)).request.path == b"/staff/members/ann"


def test_an_account_that_was_made_is_changed_rather_than_one_that_was_there() -> None:
    known = KnownValues(["username"], accounts=[("auth", "register")])
    known.learn(Request("GET", b"/staff/users"), answer([{"username": "chief"}]))
    known.learn(Request("POST", b"/auth/register"), answer({"username": "gcbdf"}, 201))
    hole = ("username", "2")
    assert known.filled(draft("/staff/users/x/role", hole, method="PUT")).request.path == b"/staff/users/gcbdf/role"
    assert known.filled(draft("/staff/books/x/role", hole, method="PUT")).request.path != b"/staff/books/chief/role"


def test_a_location_names_what_was_created() -> None:
    known = KnownValues()
    known.learn(Request("POST", b"/items"), answer(None, 201, Location="http://h.example/items/a%20b"))
    assert known.filled(draft("/items/1", ("id", "1"))).request.target == b"/items/a%20b"


def test_a_name_that_was_met_anywhere_fills_a_parameter_of_that_name() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/items"), answer([{"id": 1, "ownerId": 77, "shop": {"id": 9}}]))
    assert known.filled(draft("/x?owner_id=1", ("owner_id", "owner_id"))).request.target == b"/x?owner_id=77"
    assert known.filled(draft("/shops/1", ("shopId", "1"))).request.target == b"/shops/9"


def test_what_is_told_around_a_list_is_what_the_address_names_before_it() -> None:
    known = KnownValues(wanted=["run_id"])
    known.learn(Request("GET", b"/experiments/e-1/runs"), answer({"id": "e-1", "runs": [{"run_id": "r-1"}]}))
    assert known.filled(draft("/runs/1/info", ("run_id", "1"))).request.target == b"/runs/r-1/info"
    assert known.filled(draft("/experiments/1", ("experiment_id", "1"))).request.target == b"/experiments/e-1"


def test_values_that_the_document_shows_stay_until_they_have_failed() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/items"), answer([{"id": 7}]))
    given = draft("/items/1", ("item_id", "1"), given=True)
    assert known.filled(given) is given
    assert known.filled(given, again=True).request.target == b"/items/7"


@pytest.mark.parametrize(
    "told", [answer({"message": "Packet added"}), Response(204), answer({"status": "ok", "id": 3})]
)
def test_a_body_says_what_the_new_thing_is_called(told: Response) -> None:
    known = KnownValues(["label"])
    known.learn(Request("POST", b"/packets", JSON, b'{"label": "my-peas", "note": "label", "grams": 2}'), told)
    assert known.filled(draft("/packets/example", ("label", "1"))).request.target == b"/packets/my-peas"


def test_a_body_says_it_also_with_the_word_for_the_thing_before_it() -> None:
    known = KnownValues(["title"])
    body = json.dumps({"journal_title": "beds", "note_title": "x"}).encode()
    known.learn(Request("POST", b"/journals", ((b"Content-Type", b"application/json"),), body), answer({"ok": True}))
    assert known.filled(draft("/journals/x", ("title", "1"), method="PUT")).request.target == b"/journals/beds"


def test_what_the_list_of_such_things_shows_stands_before_what_is_mentioned_elsewhere() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/posts"), answer([{"id": 1, "author": {"kiln_id": "of-another"}}]))
    known.learn(Request("GET", b"/my/kilns"), answer([{"id": "own"}]))
    assert known.filled(draft("/heat?kiln_id=x", ("kiln_id", "kiln_id"))).request.query == b"kiln_id=own"


def test_addresses_in_answers_name_what_was_not_made_here() -> None:
    known = KnownValues()
    known.learn(Request("POST", b"/orders"), answer({"id": 5, "customer": "/customers/41", "next": "/r?report_id=7"}))
    assert known.filled(draft("/customers/1", ("id", "1"))).request.target == b"/customers/41"
    assert known.filled(draft("/reports?report_id=1", ("report_id", "report_id"))).request.query == b"report_id=7"
    assert not known.made(draft("/customers/41", ("id", "1"), method="DELETE"))


def test_what_an_address_asks_by_is_what_an_answer_leads_to_at_that_very_address() -> None:
    known = KnownValues()
    known.learn(Request("POST", b"/inspections"), answer({"link": "http://x/inspections/report?report_id=7"}, 201))
    known.learn(
        Request("GET", b"/feed"), answer([{"link": "/inspections/report?report_id=3"}, {"link": "/r?report_id=4"}])
    )
    asked = draft("/inspections/report?report_id=1", ("report_id", "report_id"))
    assert known.filled(asked, own=True).request.query == b"report_id=7"
    assert known.filled(draft("/r?report_id=1", ("report_id", "report_id"))).request.query == b"report_id=4"


def test_a_body_gives_the_new_thing_its_name_but_not_its_number() -> None:
    known = KnownValues(["glaze_name", "glaze_id"])
    body = b'{"name": "glaze99", "id": 1}'
    known.learn(Request("POST", b"/glazes", JSON, body), answer({"status": "added", "glaze": {"id": 41}}, 201))
    assert known.filled(draft("/glazes/example", ("glaze_name", "1")), own=True).request.target == b"/glazes/glaze99"
    assert known.filled(draft("/glazes/1", ("glaze_id", "1")), own=True).request.target == b"/glazes/41"


def test_what_is_ones_own_stands_before_what_the_document_shows() -> None:
    known = KnownValues(["label"])
    given = draft("/packets/shown", ("label", "1"), given=True)
    known.learn(Request("GET", b"/packets"), answer([{"label": "another"}]))
    assert known.filled(given, own=True) is given
    known.learn(Request("POST", b"/packets", JSON, b'{"label": "mine"}'), Response(204))
    assert known.filled(given) is given
    assert known.filled(given, own=True).request.target == b"/packets/mine"


@pytest.mark.parametrize(
    "response",
    [answer([{"id": 7}], 404), Response(200, (), b"no json"), Response(200), answer(None), answer("x" * 300)],
)
def test_what_is_no_good_answer_teaches_nothing(response: Response) -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/items"), response)
    unknown = draft("/items/1", ("item_id", "1"))
    assert known.filled(unknown) is unknown


def test_no_answer_raises() -> None:
    known = KnownValues()
    for body in (None, True, 1.5, [], {}, [[]], [None], [{"id": None}], {"a": {"b": [{"c": {}}]}}, [{"id": {"id": 1}}]):
        known.learn(Request("POST", b"/items"), answer(body))
    assert known.filled(draft("/items/1", ("id", "1"))).request.method == "GET"


def written(body: Any, *holes: tuple[str, ...], target: str = "/carts", method: str = "POST") -> Draft:
    """A request with a JSON body; its holes by their steps below it, the last of them the name."""
    path = target.strip("/").split("/")
    listed = [Hole(steps[-1].removesuffix("s"), Point(("post", "json_doc", *in_json(steps)))) for steps in holes]
    listed += [Hole("item_id", Point(("path", str(at)))) for at, one in enumerate(path) if one == "1"]
    headers = ((b"Content-Type", b"application/json"),)
    request = Request(method, target.encode(), headers, json.dumps(body).encode())
    return Draft(request=request, drafted=True, holes=tuple(listed))


def in_json(steps: tuple[str, ...]) -> list[str]:
    return [
        one
        for step in steps
        for one in (("json_obj", step) if not step.endswith("s") else ("json_obj", step, "json_array", "0"))
    ]


def test_fields_of_a_body_take_what_their_names_say() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/users"), answer([{"id": "u-5"}]))
    known.learn(Request("GET", b"/products"), answer({"products": [{"id": 31, "supplierId": 4}]}))
    body = {"user_id": "text", "product": {"id": 1}, "supplier_ids": [1], "id": 9, "note": "n"}
    holes = (("user_id",), ("product", "id"), ("supplier_ids",), ("id",))
    filled = known.filled(written(body, *holes)).request
    assert json.loads(filled.body) == {**body, "user_id": "u-5", "product": {"id": 31}, "supplier_ids": [4]}


def test_the_id_of_what_is_changed_or_done_something_to_is_told_by_its_address() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/items"), answer([{"id": 7}]))
    filled = known.filled(written({"id": 1, "name": "x"}, ("id",), target="/items/1", method="PUT")).request
    assert (filled.target, json.loads(filled.body)["id"]) == (b"/items/7", 7)
    settings = written({"id": 3}, ("id",), target="/settings", method="PUT")
    assert known.filled(settings) is settings, "an address that names no thing tells nothing"
    several = known.filled(written({"ids": [1]}, ("ids",), target="/batch/items/archive")).request
    one, new = (known.filled(written({"id": 1}, ("id",), target=each)).request for each in ("/items/archive", "/items"))
    assert [json.loads(each.body) for each in (several, one, new)] == [{"ids": [7]}, {"id": 7}, {"id": 1}]


def test_a_value_that_was_made_up_may_name_something_by_now() -> None:
    known, made_up = KnownValues(), draft("/items/1", ("item_id", "1"))
    assert not known.names(made_up)
    known.learn(Request("POST", b"/items"), answer({"id": 1}, 201))
    assert known.names(made_up)
    assert not known.names(draft("/items/2", ("item_id", "1")))
    assert not known.names(draft("/items")), "what has no hole gets no better"


def test_what_is_wrapped_is_called_by_what_wraps_it() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/api/products"), answer({"data": {"content": [{"id": 41}]}, "total": 1}))
    one = Draft(
        request=Request("POST", b"/orders", ((b"Content-Type", b"application/json"),), b'{"productId":1}'),
        drafted=True,
        holes=(Hole("productId", Point(("post", "json_doc", "json_obj", "productId"))),),
    )
    assert known.filled(one).request.body == b'{"productId":41}'
    assert known.filled(draft("/api/products/1", ("id", "2"))).request.target == b"/api/products/41"


def test_a_location_of_another_collection_names_what_was_created_there() -> None:
    known = KnownValues()
    known.learn(Request("POST", b"/products/4/reviews"), Response(201, ((b"Location", b"http://x/reviews/12"),), b""))
    assert known.filled(draft("/reviews/1", ("id", "1"))).request.target == b"/reviews/12"


def test_what_was_made_here_is_preferred_where_one_is_asked_for_ones_own() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/notes"), answer([{"note_id": 1}]))
    known.learn(Request("POST", b"/notes"), answer({"note_id": 9}))
    one = draft("/private/notes/x", ("note_id", "2"))
    assert known.filled(one).request.target == b"/private/notes/1"
    assert known.filled(one, own=True).request.target == b"/private/notes/9"


def test_one_answer_about_oneself_names_a_user() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/api/users/me"), answer({"id": 12, "username": "ada"}))
    assert known.filled(draft("/api/users/1", ("id", "2"))).request.target == b"/api/users/12"
    wanted = KnownValues(["username"])
    wanted.learn(Request("GET", b"/profile"), answer({"id": 12, "username": "ada"}))
    assert wanted.filled(draft("/u/example", ("username", "1"))).request.target == b"/u/ada"


def test_a_filter_is_filled_from_the_nearest_list_and_only_for_safe_requests() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/cars"), answer({"items": [{"id": 3, "brand": "Volvo"}]}))
    hole = Hole("brand", Point(("get", "brand")), loose=True)
    asked = Draft(request=Request("GET", b"/cars/search?brand=example"), drafted=True, holes=(hole,))
    assert known.filled(asked).request.target == b"/cars/search?brand=Volvo"
    posted = Draft(request=Request("POST", b"/cars/orders?brand=example"), drafted=True, holes=(hole,))
    assert known.filled(posted) is posted


def asked(query: str, **variables: str) -> Draft:
    body = json.dumps({"query": query, "variables": variables}).encode()
    point = Point(("post", "json_doc", "json_obj", "variables", "json_obj", "id"))
    request = Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), body)
    return Draft(request=request, drafted=True, holes=(Hole("ticket_id", point),), thing="ticket")


def test_graphql_teaches_by_what_its_answer_is_about() -> None:
    known = KnownValues()
    query, change = "query A($id: ID!) { ticket(id: $id) { id } }", "mutation B($id: ID!) { drop(id: $id) { ok } }"
    listed = {"data": {"allTickets": [{"id": "t-1"}], "owner": {"id": "o-1"}}}
    known.learn(asked("{ allTickets { id } }").request, answer(listed), "ticket")
    assert json.loads(known.filled(asked(query, id="1")).request.body)["variables"] == {"id": "t-1"}
    made = asked('mutation { openTicket(title: "x") { id } }').request
    known.learn(made, answer({"data": {"openTicket": {"id": "t-2"}}}), "ticket")
    assert json.loads(known.filled(asked(change, id="1")).request.body)["variables"] == {"id": "t-2"}
    assert json.loads(known.filled(asked(query, id="1")).request.body)["variables"] == {"id": "t-1"}
    assert json.loads(known.filled(asked(query, id="1"), own=True).request.body)["variables"] == {"id": "t-2"}


def test_the_rows_of_a_page_of_graphql_are_named_after_what_has_them() -> None:
    known = KnownValues()
    page = {"data": {"me": {"id": "u-1", "tickets": {"edges": [{"cursor": "c", "node": {"id": "t-7"}}]}}}}
    known.learn(asked("{ me { tickets { edges { node { id } } } } }").request, answer(page), "person")
    query = "query A($id: ID!) { ticket(id: $id) { id } }"
    assert json.loads(known.filled(asked(query, id="1")).request.body)["variables"] == {"id": "t-7"}
    listed = KnownValues()
    listed.learn(
        asked("{ tickets { nodes { id } } }").request, answer({"data": {"x": {"nodes": [{"id": "t-8"}]}}}), "ticket"
    )
    assert json.loads(listed.filled(asked(query, id="1")).request.body)["variables"] == {"id": "t-8"}


def test_a_filter_of_graphql_is_filled_from_the_rows_of_its_own_list() -> None:
    known = KnownValues()
    rows = {"data": {"tickets": {"edges": [{"cursor": "c", "node": {"id": "t-7", "kind": "bug"}}]}}}
    known.learn(asked("{ people { kind } }").request, answer({"data": {"people": [{"kind": "clerk"}]}}), "person")
    known.learn(asked("{ tickets { edges { node { kind } } } }").request, answer(rows), "ticket")
    query = "query A($kind: String) { %s(kind: $kind) { kind } }"
    hole = Hole("kind", Point(("post", "json_doc", "json_obj", "variables", "json_obj", "kind")), loose=True)
    for field, kind in (("tickets", "bug"), ("people", "clerk"), ("others", "example")):
        draft = msgspec.structs.replace(asked(query % field, kind="example"), holes=(hole,))
        assert json.loads(known.filled(draft).request.body)["variables"] == {"kind": kind}


def test_what_a_new_thing_stands_below_was_not_made_with_it() -> None:
    known = KnownValues()
    gone = "mutation D($id: ID!) { deleteTicket(id: $id) }"
    deleting, another = (asked(gone, id=one) for one in ("t-1", "t-2"))
    noted = asked("mutation N($ticket: ID!) { note(ticket: $ticket) { id ticket { id } } }", ticket="t-1").request
    known.learn(noted, answer({"data": {"note": {"id": "n-1", "ticket": {"id": "t-1"}}}}), "note")
    assert not known.made(deleting)
    listed = asked("{ tickets { id } }").request
    known.learn(listed, answer({"data": {"tickets": [{"id": "t-1"}, {"id": "t-2"}]}}), "ticket")
    changed = asked("mutation E($id: ID!) { editTicket(id: $id) { id } }", id="t-2").request
    known.learn(changed, answer({"data": {"editTicket": {"id": "t-2"}}}), "ticket")
    assert not known.made(another)
    opened = asked('mutation { openTicket(title: "x") { ticket { id } } }').request
    known.learn(opened, answer({"data": {"openTicket": {"ticket": {"id": "t-3"}}}}), "ticket")
    filled = known.filled(deleting, own=True)
    assert json.loads(filled.request.body)["variables"] == {"id": "t-3"}
    assert known.made(filled)


def test_what_ends_in_a_double_s_is_one() -> None:
    known = KnownValues()
    made = {"data": {"createAddress": {"address": {"id": "a-7"}}}}
    known.learn(asked("mutation { createAddress { address { id } } }").request, answer(made), "address")
    hole = (Hole("address_id", Point(("post", "json_doc", "json_obj", "variables", "json_obj", "id"))),)
    deleting = msgspec.structs.replace(asked("mutation D($id: ID!) { drop(id: $id) }", id="1"), holes=hole)
    assert json.loads(known.filled(deleting).request.body)["variables"] == {"id": "a-7"}


def envelope(content: str) -> bytes:
    return f'<e:Envelope xmlns:e="urn:e"><e:Body>{content}</e:Body></e:Envelope>'.encode()


def test_what_a_soap_call_has_made_is_what_the_next_one_asks_for() -> None:
    xml = ((b"Content-Type", b"text/xml"),)
    known = KnownValues()
    made = Request("POST", b"/service", xml, envelope("<CreateParcel><note>example</note></CreateParcel>"))
    known.learn(
        made, Response(200, xml, envelope("<CreateParcelResponse><parcelId>71</parcelId></CreateParcelResponse>"))
    )
    place = Point.of(
        "post", "xml", "xml_tag", "e:Envelope", "xml_tag", "e:Body", "xml_tag", "GetParcel", "xml_tag", "parcelId"
    )
    asked = Request("POST", b"/service", xml, envelope("<GetParcel><parcelId>1</parcelId></GetParcel>"))
    filled = known.filled(Draft(request=asked, drafted=True, holes=(Hole("parcelId", place),)))
    assert filled.request.body == envelope("<GetParcel><parcelId>71</parcelId></GetParcel>")
