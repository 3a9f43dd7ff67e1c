"""Which values of a described body name things on the target."""

from typing import Any

import pytest

from gatecrash.formats.descriptions.body_holes import holes_in
from gatecrash.formats.descriptions.document import References
from gatecrash.formats.descriptions.sample import Sampler

DOCUMENT: dict[str, Any] = {
    "order": {
        "type": "object",
        "properties": {
            "user_id": {"type": "integer"},
            "shop_id": {"type": "integer", "example": 3},
            "note": {"type": "string"},
            "open": {"type": "boolean"},
            "product": {"$ref": "#/product"},
            "tagIds": {"type": "array", "items": {"type": "string"}},
            "lines": {"type": "array", "items": {"$ref": "#/product"}},
        },
    },
    "product": {"allOf": [{"type": "object", "properties": {"id": {"type": "string"}}}]},
}


def found(family: str, *, shown: bool = False) -> dict[str, tuple[str, bool]]:
    sampler = Sampler(References(DOCUMENT))
    schema = {"$ref": "#/order"}
    holes = holes_in(family, sampler.value(schema), schema, sampler, shown=shown)
    return {"/".join(hole.point[2:]): (hole.name, hole.given) for hole in holes}


def test_members_and_elements_of_json_are_found_wherever_they_stand() -> None:
    assert found("json") == {
        "json_obj/user_id": ("user_id", False),
        "json_obj/shop_id": ("shop_id", True),
        "json_obj/product/json_obj/id": ("id", False),
        "json_obj/tagIds/json_array/0": ("tagId", False),
        "json_obj/lines/json_array/0/json_obj/id": ("id", False),
    }


def test_fields_of_a_form_are_found() -> None:
    assert found("form") == {"user_id": ("user_id", False), "shop_id": ("shop_id", True)}


def test_a_body_that_the_document_shows_is_given() -> None:
    assert {given for _, given in found("json", shown=True).values()} == {True}


def test_a_number_called_like_what_paths_ask_for_names_one() -> None:
    fields = {
        "booking": {"type": "integer"},
        "Room": {"format": "uuid"},
        "guest": {"type": "string"},
        "adults": {"type": "integer"},
    }
    schema = {"type": "object", "properties": fields}
    sampler = Sampler(References({}))
    value = sampler.value(schema)
    for family in ("json", "form"):
        things = ("booking", "room", "guest")
        holes = holes_in(family, value, schema, sampler, shown=False, things=things)
        assert [(hole.name, hole.point[-1]) for hole in holes] == [("booking_id", "booking"), ("Room_id", "Room")]


@pytest.mark.parametrize("family", ["xml", "multipart", "text"])
def test_other_bodies_have_none(family: str) -> None:
    assert found(family) == {}


def test_a_list_of_lists_ends() -> None:
    deep: Any = {"id": 1}
    for _ in range(50):
        deep = [deep]
    assert list(holes_in("json", deep, {}, Sampler(References({})), shown=False)) == []


def test_a_things_own_word_for_its_number_names_one() -> None:
    fields = {name: {"type": "string"} for name in ("parcel_number", "orderRef", "phone_number", "parcel_weight")}
    schema = {"type": "object", "properties": fields}
    sampler = Sampler(References({}))
    holes = holes_in("json", sampler.value(schema), schema, sampler, shown=False, things=("parcel", "order"))
    assert [hole.name for hole in holes] == ["parcel_number", "orderRef"]
