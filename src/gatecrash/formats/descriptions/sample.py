"""A valid value for a schema: what the document shows (example, const, default, enum) before what can be made up.

Schemas are those of OpenAPI 3.0 and 3.1 and of Swagger 2.0, read as one: `type` may be a list, `exclusiveMinimum` a
number or true. Every property that a request may carry is filled in, optional ones too, for each is a place to test,
unless only what is needed is asked for; `readOnly` ones are not.
"""

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES, is_right
from gatecrash.formats.descriptions.document import References, as_list, as_object
from gatecrash.formats.descriptions.said_choices import choice_said
from gatecrash.formats.descriptions.said_examples import is_free
from gatecrash.formats.descriptions.sample_text import (
    ROWS,
    YEAR,
    asks_how_many,
    asks_which_year,
    shows_to_all,
    text_for,
)

DEEPEST = 12
MOST_NODES = 20_000
MOST_ITEMS = 20
_SHOWN_FIRST = ("const", "default")
_PLAIN: dict[str, None] = {"null": None}
# What editors write for a text that nobody has thought of.
PLACEHOLDER = "string"
# What people write for JSON's types by hand.
_KINDS = {
    "bool": "boolean", "int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "short": "integer",
    "float": "number", "double": "number", "decimal": "number", "list": "array", "map": "object", "dict": "object",
}  # fmt: skip


class Circular(ValueError):
    """The schema needs itself within itself, so that no value of it ends."""


class Sampler:
    """Values for the schemas of one document."""

    def __init__(self, references: References, *, needed: bool = False) -> None:
        """needed: leave out every property that need not be there."""
        self._references = references
        self._needed = needed
        self._nodes = 0
        self._chain: list[str] = []

    def value(self, schema: Any, name: str = "") -> Any:
        """A value that the schema accepts. name: the parameter's or property's, which tells what text may be.

        Raises Circular, and ValueError where a reference leads nowhere or the schema is too large.
        """
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise ValueError(f"the schema has more than {MOST_NODES} parts")
        if not isinstance(schema, dict):
            return text_for({}, name)
        pointer = schema.get("$ref")
        if not isinstance(pointer, str):
            return self._value(schema, name)
        if pointer in self._chain or len(self._chain) >= DEEPEST:
            raise Circular(f"{pointer} needs itself")
        self._chain.append(pointer)
        try:
            # Beside a $ref, 3.1 allows more members; those of the reference win only where they stand alone.
            beside = {key: one for key, one in schema.items() if key != "$ref"}
            found = self._references.at(pointer)
            return self.value(merged(found, beside) if beside and isinstance(found, dict) else found, name)
        finally:
            self._chain.pop()

    def without_placeholders(self, shown: Any, schema: Any) -> Any:
        """An example with values by the schema's members, or their names, where editors wrote "string" for all of them."""
        if not isinstance(shown, dict) or PLACEHOLDER not in shown.values():
            return shown
        described = as_object(self.flat(schema).get("properties"))
        return {
            name: self.value(described.get(name, {}), str(name)) if one == PLACEHOLDER else one
            for name, one in shown.items()
        }

    def flat(self, found: Any) -> dict[str, Any]:
        """The schema with its references followed and its `allOf` folded in."""
        schema: dict[str, Any] = as_object(self._references.follow(found))
        for part in as_list(schema.get("allOf")):
            schema = merged(self.flat(part), {key: one for key, one in schema.items() if key != "allOf"})
        return schema

    def _value(self, schema: dict[str, Any], name: str) -> Any:
        shown = _role_of_many(schema, name) or shown_value(schema)
        if shown:
            return self.without_placeholders(shown[0], schema)
        if isinstance(schema.get("allOf"), list):
            return self._value(self._all(schema), name)
        for key in ("oneOf", "anyOf"):
            if as_list(schema.get(key)):
                return self._one(schema, key, name)
        kind = kind_of(schema)
        if kind == "object":
            return self._heir(schema) or self._named(self._object(schema), as_object(schema.get("discriminator")))
        if kind == "array":
            return self._array(schema, name)
        if kind in ("integer", "number"):
            return number_for(schema, whole=kind == "integer", name=name)
        if kind == "boolean":
            return not is_right(name)  # whoever calls himself an administrator is one, where nobody checks it
        return _PLAIN[kind] if kind in _PLAIN else text_for(schema, name)

    def _all(self, schema: dict[str, Any]) -> dict[str, Any]:
        whole = {key: one for key, one in schema.items() if key != "allOf"}
        for part in schema["allOf"]:
            found = as_object(self._references.follow(part))
            pointer = part.get("$ref") if isinstance(part, dict) else None
            if isinstance(pointer, str) and pointer in self._chain:
                raise Circular(f"{pointer} needs itself")
            whole = merged(self._all(found) if "allOf" in found else found, whole)
        return whole

    def _one(self, schema: dict[str, Any], key: str, name: str) -> Any:
        """The first choice that can be made; the members beside the choices hold for it too."""
        beside = {other: one for other, one in schema.items() if other not in (key, "discriminator")}
        trouble: ValueError | None = None
        for choice in schema[key]:
            try:
                found = as_object(self._references.follow(choice))
                if found.get("type") == "null":
                    continue
                value = self.value(merged(found, beside) if beside else choice, name)
            except ValueError as error:
                trouble = error
                continue
            discriminator = as_object(schema.get("discriminator"))
            told = as_object(self.flat(found).get("properties")).get(str(discriminator.get("propertyName")))
            # What the choice's own schema shows for the member is its word (`kind: {const: person}`), whatever the schema is called.
            is_told = discriminator.get("mapping") is None and shown_value(as_object(self._references.follow(told)))
            return value if is_told else _discriminated(value, discriminator, choice)
        if trouble is not None:
            raise trouble
        return None

    def _heir(self, schema: dict[str, Any]) -> Any:
        """A value of the first schema that inherits the one at hand, where its discriminator alone says that there are any."""
        for pointer in as_object(as_object(schema.get("discriminator")).get("mapping")).values():
            with suppress(ValueError):
                if self._chain and self._inherits(pointer):
                    return self._instead(pointer)
        return None

    def _inherits(self, pointer: Any) -> bool:
        parts = as_list(as_object(self._references.follow({"$ref": pointer})).get("allOf"))
        return any(as_object(part).get("$ref") == self._chain[-1] for part in parts)

    def _instead(self, pointer: str) -> Any:
        """A value of another schema in the place of the one at hand, which that one holds."""
        at_hand = self._chain.pop()
        try:
            return self.value({"$ref": pointer})
        finally:
            self._chain.append(at_hand)

    def _named(self, value: dict[str, Any], discriminator: Mapping[str, Any]) -> dict[str, Any]:
        """The value with the word for the schema that it was made by, where that schema inherits its discriminator."""
        name = discriminator.get("propertyName")
        words = {leads: word for word, leads in as_object(discriminator.get("mapping")).items()}
        pointer = next((one for one in reversed(self._chain) if one in words), None)
        return {**value, name: words[pointer]} if isinstance(name, str) and pointer is not None else value

    def _object(self, schema: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        required = set(map(str, as_list(schema.get("required"))))
        for name, part in as_object(schema.get("properties")).items():
            if as_object(self._references.follow(part)).get("readOnly") is True:
                continue
            if self._needed and str(name) not in required:
                continue
            try:
                made[str(name)] = self._kept_from_others(part, str(name))
            except Circular:
                if name in required:
                    raise
        more = schema.get("additionalProperties")
        if not made and isinstance(more, dict) and more and not self._needed:
            with suppress(Circular):
                made["key"] = self.value(more, "key")
        for name in required - made.keys():
            if name not in as_object(schema.get("properties")):
                made[name] = text_for({}, name)
        return made

    def _kept_from_others(self, schema: Any, name: str) -> Any:
        """The value; where nothing is shown for it, never one that makes the thing everybody's."""
        value = self.value(schema, name)
        is_made_up = value is True and not shown_value(as_object(self._references.follow(schema)))
        return not shows_to_all(name) if is_made_up else value

    def _item(self, schema: dict[str, Any]) -> Any:
        """The schema of a list's items; one that says nothing of them has the choices that the list's own words tell."""
        item = schema.get("items", {})
        is_bare = (
            isinstance(item, dict)
            and is_free(item)
            and not {"description", "$ref", "allOf", "oneOf", "anyOf"} & item.keys()
        )
        chosen = choice_said(schema.get("description")) if is_bare else None
        return item if chosen is None else {**item, "default": chosen}

    def _array(self, schema: dict[str, Any], name: str) -> list[Any]:
        least = min(_whole(schema.get("minItems")) or 1, MOST_ITEMS)
        if schema.get("maxItems") == 0:
            return []
        try:
            if as_list(schema.get("prefixItems")):
                return [self.value(part, name) for part in schema["prefixItems"]]
            first = self.value(self._item(schema), name)
        except Circular:
            if _whole(schema.get("minItems")):
                raise
            return []
        return [_other(first, place) if schema.get("uniqueItems") else first for place in range(least)]


def shown_value(schema: Mapping[str, Any]) -> list[Any]:
    """The value that the document shows for the schema, in a list; an empty one where it shows none."""
    listed = schema.get("examples")
    examples = [schema["example"]] if "example" in schema else listed[:1] if isinstance(listed, list) else []
    examples += [schema["x-example"]] if not examples and "x-example" in schema else []
    # A choice may be called so.
    if examples and (examples[0] != PLACEHOLDER or "enum" in schema or kind_of(schema) != "string"):
        return examples
    for key in _SHOWN_FIRST:
        if schema.get(key) is not None:
            return [schema[key]]
    choices = [one for one in as_list(schema.get("enum")) if one is not None]
    return choices[:1]


def _role_of_many(schema: Mapping[str, Any], name: str) -> list[Any]:
    """Of the roles that a document lists the one that many have, in a list; an empty one where it lists none, or shows which is meant."""
    if not is_right(name) or any(key in schema for key in ("example", "examples", "x-example", *_SHOWN_FIRST)):
        return []
    return [one for one in as_list(schema.get("enum")) if str(one).lower() in LOW_ROLES][:1]


def example_of(holder: Mapping[str, Any], references: References) -> list[Any]:
    """The example of a parameter or of a media type (`example`, or the first of `examples` that holds its value)."""
    if "example" in holder:
        return [holder["example"]]
    named = holder.get("examples")
    if isinstance(named, dict):
        found = (as_object(references.follow(one)) for one in named.values())
        return next(([one["value"]] for one in found if "value" in one), [])
    return shown_value({"x-example": holder["x-example"]}) if "x-example" in holder else []


def kind_of(schema: Mapping[str, Any]) -> str:
    """The JSON type of a schema, out of its other members where it names none."""
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if isinstance(kind, str):
        return _KINDS.get(kind.lower(), kind.lower())
    if any(key in schema for key in ("properties", "additionalProperties", "required", "minProperties")):
        return "object"
    if "items" in schema or "prefixItems" in schema or "minItems" in schema:
        return "array"
    if any(key in schema for key in ("minimum", "maximum", "multipleOf")):
        return "number"
    return "string"


def number_for(schema: Mapping[str, Any], *, whole: bool, name: str = "") -> int | float:
    """A number within the bounds: 1, or of rows many, or a year's, where it fits, else the nearest that does."""
    step = _number(schema.get("multipleOf")) or (1 if whole else 0)
    low, high = _bound(schema, "minimum", "exclusiveMinimum"), _bound(schema, "maximum", "exclusiveMaximum")
    value: float = ROWS if asks_how_many(name) else int(YEAR) if asks_which_year(name) else 1
    if low is not None:
        least, excluded = low
        value = max(value, least + ((step or 0.5) if excluded else 0))
    if step:
        value = math.ceil(value / step) * step
    if high is not None:
        most, excluded = high
        top = most - ((step or 0.5) if excluded else 0)
        value = min(value, math.floor(top / step) * step if step else top)
    return int(value) if whole or float(value).is_integer() else value


def merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Two schemas that both hold, as one: properties and required names together, else the second's members."""
    both = {**under, **over}
    if "properties" in under and "properties" in over:
        both["properties"] = {**as_object(under["properties"]), **as_object(over["properties"])}
    if "required" in under and "required" in over:
        both["required"] = list(dict.fromkeys([*as_list(under["required"]), *as_list(over["required"])]))
    if (
        "example" in under
        and "example" in over
        and isinstance(under["example"], dict)
        and isinstance(over["example"], dict)
    ):
        both["example"] = {**under["example"], **over["example"]}
    return both


def _discriminated(value: Any, discriminator: Mapping[str, Any], choice: Any) -> Any:
    """The value with the member that says which choice it is."""
    name, pointer = discriminator.get("propertyName"), as_object(choice).get("$ref")
    if not isinstance(name, str) or not isinstance(value, dict) or not isinstance(pointer, str):
        return value
    last = pointer.rpartition("/")[2]
    mapping = as_object(discriminator.get("mapping"))
    word = next((key for key, leads in mapping.items() if leads in (pointer, last)), last)
    return {**value, name: word}


def _other(value: Any, place: int) -> Any:
    """A value unlike those before it, for items that must differ."""
    if not place or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value + place
    return f"{value}{place}" if isinstance(value, str) else value


def _bound(schema: Mapping[str, Any], key: str, exclusive: str) -> tuple[float, bool] | None:
    """The bound, and whether it is excluded itself: a number of its own in 3.1, a flag beside it in 3.0."""
    bound, apart = _number(schema.get(key)), schema.get(exclusive)
    if apart is True:
        return None if bound is None else (bound, True)
    number = _number(apart)
    return (number, True) if number is not None else (None if bound is None else (bound, False))


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) else None


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def text_of(value: Any) -> str:
    """A value as a parameter's text (OpenAPI 3.1 section 4.8.12 leaves it to JSON's own words)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def texts_of(values: Iterable[Any]) -> list[str]:
    """Each value as a parameter's text."""
    return [text_of(value) for value in values]
