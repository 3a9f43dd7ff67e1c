from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import Field, field_validator

from gatecrash.control.api import fields
from gatecrash.control.api.errors import FieldErrors, refuse


class Thing(fields.Body):
    name: fields.Name
    desc: fields.Description = ""
    rps: Annotated[int, Field(ge=1, le=1000)] | None = None
    fast: bool = False
    kind: Literal["a", "b"] = "a"
    only: Literal["a"] = "a"
    tags: Annotated[list[fields.Name], Field(max_length=2)] = []
    record: str | None = None
    mail: Annotated[str, Field(pattern="@", examples=["a@b"])] | None = None

    @field_validator("record")
    @classmethod
    def known(cls, value: str | None) -> str | None:
        if value == "busy":
            raise refuse("not_ready_for_cloning")
        if value == "gone":
            raise refuse("not_found")
        return value


def problems(given: dict[str, Any]) -> dict[str, Any]:
    with pytest.raises(FieldErrors) as caught:
        fields.validate(Thing, given)
    assert caught.value.status == 400
    return caught.value.problems


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"name": 1}, {"name": {"error": "invalid_type", "value": 1}}),
        ({}, {"name": {"error": "required", "value": None}}),
        ({"name": ""}, {"name": {"error": "invalid_value", "value": ""}}),
        ({"name": " \u3000\t"}, {"name": {"error": "invalid_value", "value": " \u3000\t"}}),
        ({"name": None}, {"name": {"error": "invalid_type", "value": None}}),
        ({"name": "x" * 256}, {"name": {"error": "too_long", "value": "x" * 256, "max": 255}}),
        ({"name": "a\x00b"}, {"name": {"error": "invalid_value", "value": "a\x00b"}}),
        ({"name": "\ud800"}, {"name": {"error": "invalid_value", "value": "\ud800"}}),
        ({"name": "x", "rps": 0}, {"rps": {"error": "out_of_range", "value": 0, "min": 1, "max": 1000}}),
        ({"name": "x", "rps": 1001}, {"rps": {"error": "out_of_range", "value": 1001, "min": 1, "max": 1000}}),
        ({"name": "x", "rps": 10**30}, {"rps": {"error": "out_of_range", "value": 10**30, "min": 1, "max": 1000}}),
        ({"name": "x", "rps": True}, {"rps": {"error": "invalid_type", "value": True}}),
        ({"name": "x", "rps": 5.0}, {"rps": {"error": "invalid_type", "value": 5.0}}),
        ({"name": "x", "rps": "5"}, {"rps": {"error": "invalid_type", "value": "5"}}),
        ({"name": "x", "fast": 1}, {"fast": {"error": "invalid_type", "value": 1}}),
        ({"name": "x", "fast": None}, {"fast": {"error": "invalid_type", "value": None}}),
        ({"name": "x", "kind": 1}, {"kind": {"error": "invalid_type", "value": 1}}),
        ({"name": "x", "only": "b"}, {"only": {"error": "invalid_value", "value": "b", "choices": ["a"]}}),
        ({"name": "x", "kind": "c"}, {"kind": {"error": "invalid_value", "value": "c", "choices": ["a", "b"]}}),
        (
            {"name": "x", "mail": "a"},
            {"mail": {"error": "invalid_value", "value": "a", "message": "it is written like a@b"}},
        ),
        ({"name": "x", "tags": ["a", 1]}, {"tags": {"error": "invalid_type", "value": ["a", 1]}}),
        ({"name": "x", "tags": ["a", "b", "c"]}, {"tags": {"error": "too_long", "value": ["a", "b", "c"], "max": 2}}),
        ({"name": "x", "other": [1]}, {"other": {"error": "unknown_field", "value": [1]}}),
        ({"name": "x", "record": "busy"}, {"record": {"error": "not_ready_for_cloning", "value": "busy"}}),
        ({"name": "x", "record": "gone"}, {"record": {"error": "not_found", "value": "gone"}}),
    ],
)
def test_each_fault_has_its_code_its_value_and_its_hints(given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert problems(given) == expected


def test_all_faulty_fields_are_named_at_once_checks_of_the_database_included() -> None:
    found = problems({"rps": 0, "fast": "no", "record": "busy", "other": 1, "desc": "d" * 4097})
    assert {field: one["error"] for field, one in found.items()} == {
        "name": "required",
        "rps": "out_of_range",
        "fast": "invalid_type",
        "record": "not_ready_for_cloning",
        "other": "unknown_field",
        "desc": "too_long",
    }


def test_the_limits_themselves_are_allowed_and_null_is_the_default_where_the_default_is_null() -> None:
    for given in ({"rps": 1}, {"rps": 1000}, {"rps": None}, {"desc": "d" * 4096}, {"tags": ["a", "b"]}):
        thing = fields.validate(Thing, {"name": "x" * 255, **given})
        assert [getattr(thing, name) for name in given] == list(given.values())


@pytest.mark.parametrize("text", ["5.0", " 5", "+5", "--1", "-", "٣", "1e3", "", "9" * 1001, "true"])
def test_a_number_in_a_query_string_is_a_whole_one_in_plain_digits(text: str) -> None:
    with pytest.raises(FieldErrors) as caught:
        fields.validate(fields.Page, {"limit": text})
    assert caught.value.problems["limit"]["error"] == "invalid_type"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("limit", "0"),
        ("limit", "1001"),
        ("limit", "-1"),
        ("limit", "9" * 30),
        ("offset", "-1"),
        ("offset", "1000000001"),
    ],
)
def test_a_page_has_its_limits(name: str, text: str) -> None:
    with pytest.raises(FieldErrors) as caught:
        fields.validate(fields.Page, {name: text})
    assert caught.value.problems[name]["error"] == "out_of_range"
    assert {"min", "max"} < set(caught.value.problems[name])


def test_a_page_takes_what_is_in_its_limits() -> None:
    page = fields.validate(fields.Page, {"limit": "1000", "offset": "7", "unknown": "x"})
    assert (page.limit, page.offset) == (1000, 7)


class Secret(Thing):
    secret: ClassVar[bool] = True


class PartlySecret(Thing):
    secret: ClassVar[frozenset[str]] = frozenset({"name"})


def test_of_a_body_with_secret_fields_the_others_are_repeated() -> None:
    with pytest.raises(FieldErrors) as caught:
        fields.validate(PartlySecret, {"name": 5, "rps": 0})
    assert {name: one["value"] for name, one in caught.value.problems.items()} == {"name": None, "rps": 0}


def test_a_secret_body_has_no_value_repeated() -> None:
    with pytest.raises(FieldErrors) as caught:
        fields.validate(Secret, {"name": 5, "pasword": "hunter2", "rps": 0})
    assert {name: one["value"] for name, one in caught.value.problems.items()} == {
        "name": None,
        "pasword": None,
        "rps": None,
    }
