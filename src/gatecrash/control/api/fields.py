"""Request bodies and query strings as strict models, and their errors in our words (decisions 1).

A body derives from `Body`: unknown fields are refused, `true` and `5.0` are no integers, and all faulty fields are named
at once. A check that needs the database is a field validator that raises `errors.refuse(code)`: its answer then stands
beside the others.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from gatecrash.control.api.errors import OURS, FieldErrors, Problem, problem, refuse
from gatecrash.control.api.json_body import is_storable

MAX_NAME = 255
MAX_DESCRIPTION = 4096
MAX_OFFSET = 1_000_000_000
# Longer than any limit that there is, shorter than what Python refuses to convert.
_WHOLE = re.compile(r"-?[0-9]{1,1000}")


class Given(BaseModel):
    """What a request hands us: of its text, only what a database takes."""

    @field_validator("*", mode="before")
    @classmethod
    def storable(cls, value: object) -> object:
        """Refuse text that no database takes, before any other check looks at it."""
        if not is_storable(value):
            raise refuse("invalid_value")
        return value


class Body(Given):
    """The base of every request body."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def given(self) -> dict[str, Any]:
        """The fields that the caller wrote: a change leaves the others as they are."""
        return self.model_dump(exclude_unset=True)


# A page has nothing to click on where a name is blank.
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME, pattern=r"\S")]
Part = Annotated[str, Field(min_length=1, max_length=MAX_NAME)]  # of a name, to look for
Description = Annotated[str, Field(max_length=MAX_DESCRIPTION)]


def whole(value: object) -> object:
    """A query parameter that must be a whole number: plain digits, a minus before them or not."""
    if isinstance(value, str):
        if not _WHOLE.fullmatch(value):
            raise refuse("invalid_type")
        return int(value)
    return value


Limit = Annotated[int, Field(ge=1, le=1000), BeforeValidator(whole)]
Offset = Annotated[int, Field(ge=0, le=MAX_OFFSET), BeforeValidator(whole)]
Days = Annotated[int, Field(ge=1, le=90), BeforeValidator(whole)]
Moment = Annotated[int, Field(ge=0, le=2**53), BeforeValidator(whole)]  # UNIX seconds


class Query(Given):
    """The base of every query string; names it does not know are ignored, as caches and proxies add some."""


class Page(Query):
    """Which part of a list is wanted."""

    limit: Limit = Field(default=50, description="rows of a page")
    offset: Offset = Field(default=0, description="rows before the page")


def page(rows: Any, wanted: Page) -> tuple[list[Any], int]:
    """The wanted rows of an ordered queryset, and how many there are."""
    return list(rows[wanted.offset : wanted.offset + wanted.limit]), rows.count()


def problems(
    error: ValidationError, model: type[BaseModel], given: Mapping[str, Any], *, inside: str = ""
) -> dict[str, Problem]:
    """The faulty fields of a failed validation of `given` by `model`; the first problem of each field counts.

    inside: the name under which the model was validated as part of a larger one. A model that says `secret` of itself
    has no value of it repeated, one that names fields there, none of those: answers are printed and logged.
    """
    result: dict[str, Problem] = {}
    hidden = getattr(model, "secret", ())
    given = {} if hidden is True else {name: value for name, value in given.items() if name not in hidden}
    for item in error.errors(include_url=False):
        path = item["loc"][1:] if inside else item["loc"]
        name = str(path[0]) if path else "body"  # a check of the model as a whole names no field
        if name not in result:
            result[name] = _problem(item, model, name, given.get(name))
    return result


def validate(model: type[BaseModel], given: Mapping[str, Any]) -> Any:
    """The model of the given fields. Raises FieldErrors."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise FieldErrors(problems(error, model, given)) from error


_CODES = {
    "missing": "required",
    "extra_forbidden": "unknown_field",
    "string_too_long": "too_long",
    "too_long": "too_long",
    "string_too_short": "invalid_value",
    "too_short": "invalid_value",
    "string_pattern_mismatch": "invalid_value",
    "literal_error": "invalid_value",
    "enum": "invalid_value",
    "value_error": "invalid_value",
    "greater_than": "out_of_range",
    "greater_than_equal": "out_of_range",
    "less_than": "out_of_range",
    "less_than_equal": "out_of_range",
}


def _problem(item: Any, model: type[BaseModel], name: str, value: object) -> Problem:
    """One of pydantic's errors in our code, with its hints."""
    kind = item["type"]
    if kind.startswith(OURS):
        return problem(kind.removeprefix(OURS), value, **item.get("ctx", {}))
    code = _CODES.get(kind, "invalid_type")
    if kind == "literal_error" and not isinstance(item["input"], str):
        code = "invalid_type"  # every choice that there is, is a text
    return problem(code, value, **_hints(code, model, name))


def _hints(code: str, model: type[BaseModel], name: str) -> dict[str, object]:
    """The limits or choices of a field, where its code is about them."""
    schema = model.model_json_schema()["properties"].get(name, {})
    variants = [schema, *schema.get("anyOf", ())]
    if code == "out_of_range":
        return _first(variants, {"minimum": "min", "maximum": "max"})
    if code == "too_long":
        return _first(variants, {"maxLength": "max", "maxItems": "max"})
    if code != "invalid_value":
        return {}
    only = [variant["const"] for variant in variants if "const" in variant]
    if looks := next(
        (variant["examples"] for variant in variants if "pattern" in variant and "examples" in variant), ()
    ):
        return {"message": f"it is written like {looks[0]}"}
    return {"choices": only} if only else _first(variants, {"enum": "choices"})


def _first(variants: Iterable[Mapping[str, object]], names: Mapping[str, str]) -> dict[str, object]:
    return {ours: variant[theirs] for variant in variants for theirs, ours in names.items() if theirs in variant}
