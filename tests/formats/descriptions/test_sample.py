"""A value for a schema is one that the schema accepts."""

from typing import Any

import jsonschema_rs
import pytest

from gatecrash.formats.descriptions.document import References
from gatecrash.formats.descriptions.sample import Circular, Sampler, merged, number_for, text_of

DEFINITIONS: dict[str, Any] = {
    "Base": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
    "Cat": {"allOf": [{"$ref": "#/d/Base"}, {"type": "object", "properties": {"lives": {"type": "integer"}}, "required": ["lives"]}]},
    "Node": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "next": {"$ref": "#/d/Node"}, "all": {"type": "array", "items": {"$ref": "#/d/Node"}}}},
    "Endless": {"type": "object", "required": ["again"], "properties": {"again": {"$ref": "#/d/Endless"}}},
    "Self": {"$ref": "#/d/Self"},
    "Payment": {"type": "object", "properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind", "mapping": {"CASH": "#/d/None", "CARD": "#/d/Card"}}},
    "Card": {"allOf": [{"$ref": "#/d/Payment"}, {"type": "object", "properties": {"pan": {"type": "string"}}}]},
    "Lonely": {"type": "object", "properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind", "mapping": {"CAT": "#/d/Cat"}}},
}  # fmt: skip


def sample(schema: Any, name: str = "") -> Any:
    return Sampler(References({"d": DEFINITIONS})).value(schema, name)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 7, "maximum": 9, "multipleOf": 4},
        {"type": "integer", "exclusiveMinimum": 3},
        {"type": "integer", "maximum": -5},
        {"type": "number", "exclusiveMaximum": 1},
        {"type": "number", "minimum": 0.1, "maximum": 0.2},
        {"type": ["null", "string"], "minLength": 12},
        {"type": "string", "maxLength": 3},
        {"type": "string", "pattern": "^[A-Z]{2}[0-9]{3,}$"},
        {"type": "string", "pattern": r"^(?:\d{4}-\d{2})|x$"},
        {"type": "string", "format": "uuid"},
        {"type": "string", "enum": ["a", "b"]},
        {"const": {"a": 1}},
        {"type": "boolean"},
        {"type": "null"},
        {"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True},
        {"type": "array", "maxItems": 0},
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]},
        {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "integer"}}},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"oneOf": [{"type": "null"}, {"type": "integer"}]},
        {"anyOf": [{"$ref": "#/d/Endless"}, {"type": "string"}]},
        {"properties": {"a": {"type": "string"}}},
        {"items": {"type": "string"}},
        {"$ref": "#/d/Cat"},
        {"$ref": "#/d/Node"},
        {"allOf": [{"required": ["x"]}, {"type": "object", "properties": {"x": {"type": "integer"}}}]},
    ],
)
def test_a_value_is_accepted_by_its_schema(schema: Any) -> None:
    value = sample(schema)
    jsonschema_rs.validate({**schema, "d": DEFINITIONS}, value)
    assert value == sample(schema), "the same document gives the same requests"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer", "example": 5, "default": 6}, 5),
        ({"type": "integer", "examples": [7, 8]}, 7),
        ({"type": "integer", "default": 6, "enum": [1, 6]}, 6),
        ({"enum": [None, "b"]}, "b"),
        ({"$ref": "#/d/Base", "example": {"kind": "x"}}, {"kind": "x"}),
    ],
)
def test_what_the_document_shows_comes_first(schema: Any, value: Any) -> None:
    assert sample(schema) == value


def test_optional_properties_are_filled_in_and_read_only_ones_are_not() -> None:
    properties = {"a": {"type": "integer"}, "b": {"type": "string", "readOnly": True}}
    assert sample({"type": "object", "properties": properties}) == {"a": 1}


def test_a_discriminator_names_the_choice_that_was_made() -> None:
    choices: dict[str, Any] = {"oneOf": [{"$ref": "#/d/Cat"}], "discriminator": {"propertyName": "kind"}}
    assert sample(choices)["kind"] == "Cat"
    choices["discriminator"]["mapping"] = {"feline": "#/d/Cat"}
    assert sample(choices)["kind"] == "feline"


def test_a_schema_that_inherits_its_discriminator_has_its_own_word() -> None:
    assert sample({"$ref": "#/d/Card"}) == {"kind": "CARD", "pan": "example"}


def test_of_a_schema_that_others_inherit_one_of_them_is_made() -> None:
    assert sample({"$ref": "#/d/Payment"}) == {"kind": "CARD", "pan": "example"}
    assert sample({"$ref": "#/d/Lonely"}) == {"kind": "example"}


def test_what_needs_itself_is_left_out_where_it_may_be_and_told_where_not() -> None:
    assert sample({"$ref": "#/d/Node"}) == {"name": "example", "all": []}
    for pointer in ("#/d/Endless", "#/d/Self"):
        with pytest.raises(Circular):
            sample({"$ref": pointer})


def test_a_schema_that_grows_without_end_is_stopped() -> None:
    wide: Any = {"type": "string"}
    for _ in range(40):
        wide = {"type": "object", "properties": {"a": wide, "b": wide}}
    with pytest.raises(ValueError, match="parts"):
        sample(wide)


def test_two_schemas_that_both_hold_keep_the_members_of_both() -> None:
    left = {"properties": {"a": {}}, "required": ["a"], "title": "left"}
    right = {"properties": {"b": {}}, "required": ["b", "a"], "title": "right"}
    assert merged(left, right) == {"properties": {"a": {}, "b": {}}, "required": ["a", "b"], "title": "right"}


@pytest.mark.parametrize(
    ("name", "schema", "value"),
    [
        ("limit", {"type": "integer"}, 50),
        ("per_page", {"type": "integer", "maximum": 20}, 20),
        ("pageSize", {"type": "string"}, "50"),
        ("limit", {"type": "integer", "default": 10}, 10),
        ("monthly_limit", {"type": "number"}, 1),
        ("page", {"type": "integer"}, 1),
    ],
)
def test_of_a_list_many_rows_are_asked_for(name: str, schema: Any, value: Any) -> None:
    assert sample(schema, name) == value


def test_a_bound_may_be_excluded_by_a_flag_as_in_3_0() -> None:
    assert number_for({"minimum": 5, "exclusiveMinimum": True}, whole=True) == 6
    assert number_for({}, whole=True, name="build_year") == 2024
    assert number_for({}, whole=False, name="price_per_year") == 1


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (False, "false"), (None, ""), (2.0, "2"), (2.5, "2.5"), ("x", "x")]
)
def test_a_value_as_a_parameters_text(value: Any, text: str) -> None:
    assert text_of(value) == text


def test_rights_that_a_document_names_are_not_asked_for() -> None:
    roles = {"type": "string", "enum": ["admin", "member"]}
    named = {"is_staff": {"type": "boolean"}, "news": {"type": "boolean"}, "role": roles, "kind": roles}
    assert sample({"properties": named}) == {"is_staff": False, "news": True, "role": "member", "kind": "admin"}
    assert sample({**roles, "example": "admin"}, "role") == "admin", "what it shows is meant"


def test_what_is_made_up_is_nobody_elses_to_see() -> None:
    flag = {"type": "boolean"}
    named = {
        "public": flag,
        "isPublic": {**flag, "default": True},
        "visible_to_everyone": flag,
        "is_public_holiday": flag,
    }
    assert sample({"properties": named}) == {
        "public": False,
        "isPublic": True,
        "visible_to_everyone": False,
        "is_public_holiday": True,
    }
    assert sample(flag, "public") is True, "a list is asked for what all may see"


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ({"type": "object", "properties": {"email": {"type": "string", "example": "string"}}}, {"email": "user@example.com"}),
        ({"properties": {"n": {"type": "integer"}}, "example": {"email": "string", "n": 4}}, {"email": "user@example.com", "n": 4}),
        ({"type": "string", "enum": ["number", "string"], "example": "string"}, "string"),
        ({"type": "string", "example": "String"}, "String"),
        ({"type": "string", "example": "string", "default": "tea"}, "tea"),
    ],
)  # fmt: skip
def test_what_editors_write_for_any_text_is_no_example(schema: Any, made: Any) -> None:
    assert Sampler(References({})).value(schema) == made


def test_a_choice_that_shows_its_own_word_keeps_it() -> None:
    person = {"type": "object", "properties": {"kind": {"const": "person"}, "name": {"type": "string"}}}
    references = References({"d": {"Person": person}})
    choices = {"oneOf": [{"$ref": "#/d/Person"}], "discriminator": {"propertyName": "kind"}}
    assert Sampler(references).value(choices) == {"kind": "person", "name": "example"}
