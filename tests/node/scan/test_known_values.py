"""What answers teach about identifiers, and what is filled in by it."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.known_values import KnownValues


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
        ({"items": [{"uuid": "u-1"}]}, "item_id", b"u-1"),
        ({"data": {"id": 9}}, "id", b"9"),
        ([3, 4], "item_id", b"3"),
        ([{"slug": "tea pot"}], "slug", b"tea%20pot"),
    ],
)
def test_a_list_teaches_what_stands_below_it(body: Any, name: str, value: bytes) -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/v1/items?all=1"), answer(body))
    assert known.filled(draft("/v1/items/1", (name, "2"))).request.target == b"/v1/items/" + value


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


def test_a_location_names_what_was_created() -> None:
    known = KnownValues()
    known.learn(Request("POST", b"/items"), answer(None, 201, Location="http://h.example/items/a%20b"))
    assert known.filled(draft("/items/1", ("id", "1"))).request.target == b"/items/a%20b"


def test_a_name_that_was_met_anywhere_fills_a_parameter_of_that_name() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/items"), answer([{"id": 1, "ownerId": 77, "shop": {"id": 9}}]))
    assert known.filled(draft("/x?owner_id=1", ("owner_id", "owner_id"))).request.target == b"/x?owner_id=77"
    assert known.filled(draft("/shops/1", ("shopId", "1"))).request.target == b"/shops/9"


def test_values_that_the_document_shows_stay_until_they_have_failed() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/items"), answer([{"id": 7}]))
    given = draft("/items/1", ("item_id", "1"), given=True)
    assert known.filled(given) is given
    assert known.filled(given, again=True).request.target == b"/items/7"


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


def test_the_id_of_what_is_changed_is_that_of_its_address() -> None:
    known = KnownValues()
    known.learn(Request("GET", b"/items"), answer([{"id": 7}]))
    filled = known.filled(written({"id": 1, "name": "x"}, ("id",), target="/items/1", method="PUT")).request
    assert (filled.target, json.loads(filled.body)["id"]) == (b"/items/7", 7)
    settings = written({"id": 3}, ("id",), target="/settings", method="PUT")
    assert known.filled(settings) is settings, "an address that names no thing tells nothing"


def test_a_value_that_was_made_up_may_name_something_by_now() -> None:
    known, made_up = KnownValues(), draft("/items/1", ("item_id", "1"))
    assert not known.names(made_up)
    known.learn(Request("POST", b"/items"), answer({"id": 1}, 201))
    assert known.names(made_up)
    assert not known.names(draft("/items/2", ("item_id", "1")))
    assert not known.names(draft("/items")), "what has no hole gets no better"
