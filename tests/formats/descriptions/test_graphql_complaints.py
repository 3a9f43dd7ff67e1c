"""Complaints as graphql-js and graphql-core of several versions write them."""

import pytest

from gatecrash.formats.descriptions.graphql_complaints import MOST_ERRORS, Complaints


def told(*messages: str) -> Complaints:
    return Complaints(
        {"message": message, "locations": [{"line": line, "column": 1}]} for line, message in enumerate(messages, 1)
    )


@pytest.mark.parametrize("quote", ['"', "'"])
def test_unknown_names_and_what_is_suggested_for_them(quote: str) -> None:
    complaints = told(
        'Cannot query field "parcl" on type "Query". Did you mean "parcel", "parcels", or "parcelById"?'.replace(
            '"', quote
        ),
        'Cannot query field "name" on type "Node". Did you mean to use an inline fragment on "User"?'.replace(
            '"', quote
        ),
        'Unknown argument "nam" on field "Query.parcel". Did you mean "name"?'.replace('"', quote),
    )
    assert complaints.unknown == {"parcl", "name", "nam"}
    assert complaints.types == {"parcl": "Query", "name": "Node"}
    assert complaints.suggested == ["parcel", "parcels", "parcelById", "name"]
    assert complaints.unknown_lines[3] == ["name"]


def test_types_of_what_has_fields_and_of_what_must_be_given() -> None:
    complaints = told(
        'Field "parcels" of type "[Parcel!]!" must have a selection of subfields. Did you mean "parcels { ... }"?',
        'Field "parcel" argument "id" of type "ID!" is required, but it was not provided.',
        'Argument "Query.crate(number:)" of type "Int!" is required, but it was not provided.',
        'Field "ParcelInput.weight" of required type "Int!" was not provided.',
        "Field ParcelInput.height of required type Int! was not provided.",
        'Expected value of type "ParcelInput!" to include required field "width", found: { a: 1 }.',
    )
    assert complaints.fields == {"parcels": "[Parcel!]!"}
    assert complaints.suggested == []
    assert complaints.arguments == {("parcel", "id"): "ID!", ("crate", "number"): "Int!"}
    members = {("ParcelInput", name): "Int!" for name in ("weight", "height")}
    assert complaints.members == members | {("ParcelInput", "width"): ""}


def test_what_a_value_is_given_to_by_its_line() -> None:
    complaints = told(
        "Int cannot represent non-integer value: x",
        'Value "x" does not exist in "Size" enum. Did you mean the enum value "XL"?',
        'Expected value of type "ParcelInput!", found x.',
        'Field "x" is not defined by type "ParcelInput".',
        'Expected value of type "ParcelInput" not to include unknown field "y". Did you mean "z"? Found: { y: 1 }.',
    )
    assert complaints.lines == {1: "Int", 2: "Size", 3: "ParcelInput!"}
    assert complaints.enums == {"Size"}
    assert complaints.types == {"x": "ParcelInput", "y": "ParcelInput"}
    assert complaints.suggested == ["XL", "z"]


@pytest.mark.parametrize(
    "error", ["", None, 7, {}, {"message": None}, {"message": "no", "locations": [None, {"line": "1"}]}]
)
def test_what_is_none_tells_nothing(error: object) -> None:
    complaints = Complaints([error])
    told = (complaints.unknown, complaints.suggested, complaints.lines, complaints.fields)
    assert not any(told)


def test_a_hundred_complaints_may_not_be_all() -> None:
    assert Complaints([{}] * MOST_ERRORS).whole
    assert not Complaints([{}] * (MOST_ERRORS + 1)).whole
