"""The object of its sender's that a request names in its body."""

import json

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.fields.references import others_instead, reference_of
from gatecrash.core.testing.surroundings.pages import Pages

JSON = ((b"Content-Type", b"application/json"),)
LIST = [{"id": 7301, "item": "lamp"}]


def answer(document: object) -> Response:
    return Response(200, JSON, json.dumps(document).encode())


def found(body: object, *, path: str = "/notes", kind: str = "orders", pages: tuple[str, ...] = ("", "/7301")):
    request = Request("POST", path.encode(), JSON, json.dumps(body).encode())
    recorded = Pages()
    for page in pages:
        recorded.add(Exchange(Request("GET", f"/{kind}{page}".encode()), answer(LIST)))
    return reference_of(request, recorded.beside(request))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("order_id", "orders"),
        ("orderId", "orders"),
        ("work_order_id", "work-orders"),
        ("pet_no", "pets"),
        ("bike_uuid", "bikes"),
    ],
)
def test_an_object_is_named_where_its_page_and_its_list_were_read(name: str, kind: str):
    reference = found({name: 7301, "text": "torn"}, kind=kind)
    assert reference is not None
    assert reference.found.point[-1] == name
    assert (reference.own.request.path, reference.listed.request.path) == (
        f"/{kind}/7301".encode(),
        f"/{kind}".encode(),
    )
    assert reference.below == (reference.own,)


def test_pages_below_the_object_come_first():
    reference = found({"order_id": 7301}, pages=("", "/7301", "/7301/notes"))
    assert [page.request.path for page in reference.below] == [b"/orders/7301/notes", b"/orders/7301"]


@pytest.mark.parametrize(
    "name", ["user_id", "team_id", "to_account_id", "invoice_id", "listing_id", "postId", "number"]
)
def test_what_anybody_may_name_is_left_alone(name: str):
    assert found({name: 7301}, kind=name.removesuffix("_id").removesuffix("Id") + "s") is None


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ({"order_id": 7301, "email": "ann@example.com"}, {}),
        ({"order_id": 7301}, {"path": "/payments"}),
        ({"order_id": 7301}, {"pages": ("",)}),
        ({"order_id": 7301}, {"pages": ("/7301",)}),
        ({"order_id": 7302}, {}),
        ({"order_id": "latest"}, {"pages": ("", "/latest")}),
        ({"order_id": 7301}, {"kind": "bikes"}),
    ],
)
def test_so_is_what_is_known_otherwise_or_was_not_read(body: object, more: dict):
    assert found(body, **more) is None


def test_what_another_list_has_in_its_place():
    theirs = answer([{"id": 7302, "item": "shelf", "price": 9400}, {"id": "x", "item": "7303"}])
    assert others_instead("7301", b"/orders/7301", answer(LIST), theirs) == ["7302"]
    assert others_instead("7301", b"/orders/7301", answer(LIST), answer([])) == []
