"""Bodies and answers of test policies, for checking and for the OpenAPI document."""

from typing import Annotated, Any

import msgspec
from pydantic import BaseModel, Field, field_validator

from gatecrash.control.api import fields
from gatecrash.control.api.errors import refuse
from gatecrash.core.errors import InvalidPattern
from gatecrash.core.point import PointPattern
from gatecrash.core.testing.extension_source import LONGEST_TEXT, LONGEST_TEXTS
from gatecrash.core.testing.extension_source import MOST as MOST_EXTENSIONS
from gatecrash.core.testing.extensions.document import read
from gatecrash.core.testing.fuzzer import Fuzzer, check_fuzzer
from gatecrash.core.testing.policy import LOCATIONS, MOST_REQUESTS, TYPES

Tag = Annotated[str, Field(min_length=1, max_length=255)]
Element = Annotated[str, Field(max_length=256)]
Pattern = Annotated[list[Element], Field(min_length=1, max_length=64)]
Patterns = Annotated[list[Pattern], Field(max_length=200)]
Method = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")]
_FUZZER = "what anomaly sends and how it judges: places, sizes, anomaly, no_anomaly, stop; null: the usual settings"
_ONE_FAMILY = "of each class only the payloads that confirm most of it: quicker, and finds less"
_LOGINS = "info tries wrong passwords: three for the recorded name, twenty for an invented one"
Budget = Annotated[int, Field(ge=1, le=MOST_REQUESTS)]


class ExtensionText(fields.Body):
    """An extension: its name and its YAML (docs/extensions.md)."""

    name: Annotated[str, Field(min_length=1, max_length=255)]
    text: Annotated[str, Field(max_length=LONGEST_TEXT)]


Extensions = Annotated[list[ExtensionText], Field(max_length=MOST_EXTENSIONS)]


class _Fields(fields.Body):
    """What the fields of a policy must be like."""

    @field_validator("types", check_fields=False)
    @classmethod
    def types_are_known(cls, value: list[str]) -> list[str]:
        """Refuse a vulnerability type that there is not."""
        return _among(value, TYPES)

    @field_validator("locations", check_fields=False)
    @classmethod
    def locations_are_known(cls, value: list[str]) -> list[str]:
        """Refuse a location that there is not."""
        return _among(value, LOCATIONS)

    @field_validator("fuzzer", check_fields=False)
    @classmethod
    def fuzzer_is_readable(cls, value: dict[str, Any] | None) -> dict[str, Any]:
        """Refuse settings that cannot work, with the reason; null is the usual ones."""
        try:
            fuzzer = msgspec.convert(value or {}, Fuzzer)
            check_fuzzer(fuzzer)
        except (msgspec.ValidationError, InvalidPattern) as error:
            raise refuse("invalid_value", message=str(error)) from error
        settings: dict[str, Any] = msgspec.to_builtins(fuzzer)
        return settings

    @field_validator("extensions", check_fields=False)
    @classmethod
    def extensions_are_readable(cls, value: list[ExtensionText]) -> list[ExtensionText]:
        """Refuse an extension with mistakes, with its place, line and field, and too much of them."""
        if sum(len(one.text) for one in value) > LONGEST_TEXTS:
            raise refuse("too_long", max=LONGEST_TEXTS)
        for place, one in enumerate(value):
            _, mistakes = read(one.name, one.text)
            if mistakes:
                raise refuse("invalid_value", place=place, mistakes=[mistake._asdict() for mistake in mistakes])
        return value

    @field_validator("include", "exclude", check_fields=False)
    @classmethod
    def patterns_are_readable(cls, value: list[list[str]]) -> list[list[str]]:
        """Refuse a pattern that is none, or that could take too long, with its place and the reason."""
        for place, pattern in enumerate(value):
            try:
                PointPattern.parse(pattern)
            except InvalidPattern as error:
                raise refuse("invalid_point", place=place, reason=str(error)) from error
        return value


class NewPolicy(_Fields):
    """A policy of the client's own (decisions 9). include, exclude: points whose elements are regular expressions."""

    name: fields.Name
    desc: fields.Description = ""
    tags: Annotated[list[Tag], Field(max_length=100)] = []
    types: Annotated[list[str], Field(min_length=1, max_length=100)]
    locations: Annotated[list[str], Field(min_length=1, max_length=20)] = ["uri", "path", "get", "post"]
    include: Patterns = []
    exclude: Patterns = []
    methods_excluded: Annotated[list[Method], Field(max_length=100)] = []
    budget: Budget | None = Field(default=None, description="test requests for one baseline; null: as many as it takes")
    fuzzer: dict[str, Any] | None = Field(default=None, validate_default=True, description=_FUZZER)
    extensions: Extensions = Field(default=[], description="tests of the client's own")
    only_custom: bool = Field(default=False, description="nothing but the extensions is tried")
    logins: bool = Field(default=False, description=_LOGINS)
    one_family: bool = Field(default=False, description=_ONE_FAMILY)


class PolicyChange(_Fields):
    """The fields that are to change; the others stay."""

    name: fields.Name = ""
    desc: fields.Description = ""
    tags: Annotated[list[Tag], Field(max_length=100)] = []
    types: Annotated[list[str], Field(min_length=1, max_length=100)] = []
    locations: Annotated[list[str], Field(min_length=1, max_length=20)] = []
    include: Patterns = []
    exclude: Patterns = []
    methods_excluded: Annotated[list[Method], Field(max_length=100)] = []
    budget: Budget | None = None
    fuzzer: dict[str, Any] | None = Field(default=None, description=_FUZZER)
    extensions: Extensions = []
    only_custom: bool = False
    logins: bool = Field(default=False, description=_LOGINS)
    one_family: bool = Field(default=False, description=_ONE_FAMILY)


class ExtensionView(BaseModel):
    """An extension as it was written."""

    name: str
    text: str


class PolicyView(BaseModel):
    """A test policy (decisions 9). created_at, updated_at: UNIX seconds; null for a built-in one."""

    id: str
    name: str
    desc: str
    tags: list[str]
    types: list[str]
    locations: list[str]
    include: list[list[str]]
    exclude: list[list[str]]
    methods_excluded: list[str]
    budget: int | None
    fuzzer: dict[str, Any]
    extensions: list[ExtensionView]
    only_custom: bool
    logins: bool
    one_family: bool
    built_in: bool
    created_at: int | None
    updated_at: int | None


class PolicyList(BaseModel):
    """The policies."""

    objects: list[PolicyView]
    total: int


class Deleted(BaseModel):
    """What was removed."""

    id: str


def _among(value: list[str], known: tuple[str, ...]) -> list[str]:
    if [one for one in value if one not in known]:
        raise refuse("invalid_value", choices=list(known))
    return list(dict.fromkeys(value))
