"""Parameters of an operation written where they belong, in their style (OpenAPI 3.1 section 4.8.12)."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec

from gatecrash.formats.descriptions.document import References, as_object
from gatecrash.formats.descriptions.said_choices import choice_said
from gatecrash.formats.descriptions.said_examples import example_said, is_free
from gatecrash.formats.descriptions.said_forms import form_said
from gatecrash.formats.descriptions.sample import Sampler, example_of, shown_value, text_of, texts_of

# Section 4.8.12.1: a description of these three says nothing.
IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})
# RFC 9110 sections 13.1 and 14.2: they tell of a state that the requester has seen, and no document can have.
_OF_A_STATE = frozenset({"if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range", "range"})
_IN_ANY_STATE = {"if-match": "*"}
_STYLES = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}
_JOINED = {"spaceDelimited": " ", "pipeDelimited": "|"}


class Filled(msgspec.Struct, frozen=True):
    """A parameter with its value. place: path, query, header or cookie. given: the document showed the value itself."""

    name: str
    place: str
    value: Any
    style: str
    explode: bool
    given: bool


def filled(parameter: Mapping[str, Any], sampler: Sampler, references: References) -> Filled | None:
    """The parameter with a value; None where it is none, or says nothing."""
    name, place = parameter.get("name"), parameter.get("in")
    if not isinstance(name, str) or not name or place not in _STYLES:
        return None
    if place == "header" and name.lower() in IGNORED_HEADERS:
        return None
    if place == "header" and name.lower() in _OF_A_STATE and parameter.get("required") is not True:
        return None
    style = str(parameter.get("style") or _STYLES[place])
    explode = parameter.get("explode")
    content = as_object(parameter.get("content"))
    media = as_object(references.follow(next(iter(content.values()), None))) if content else {}
    # Without a schema, many write its members beside the name, as 2.0 has them.
    schema = media.get("schema") if content else parameter.get("schema", _beside(parameter))
    shown = example_of(parameter, references) or example_of(media, references)
    said = _said(parameter.get("description"), name) if not shown and is_free(sampler.flat(schema)) else None
    shown = shown or ([said] if said is not None else [])
    value = shown[0] if shown else sampler.value(schema, name)
    value = _IN_ANY_STATE.get(name.lower(), value) if place == "header" else value
    given = bool(shown or shown_value(sampler.flat(schema)))
    if content:
        value = json.dumps(value)
    return Filled(name, str(place), value, style, explode if isinstance(explode, bool) else style == "form", given)


def _said(description: Any, name: str) -> str | None:
    return example_said(description) or choice_said(description, name) or form_said(description, name)


def _beside(parameter: Mapping[str, Any]) -> dict[str, Any]:
    return {key: one for key, one in parameter.items() if key not in _ITS_OWN}


_ITS_OWN = frozenset({"name", "in", "required", "description", "style", "explode", "content", "example", "examples"})


def in_path(one: Filled) -> str:
    """The text that stands for `{name}`, percent-encoded; an empty value would change the path, so it is never empty."""
    between, before = {"label": (".", "."), "matrix": (";", f";{one.name}=")}.get(one.style, (",", ""))
    if isinstance(one.value, dict):
        pairs = [
            f"{_code(key)}{'=' if one.explode else ','}{_code(text_of(value))}" for key, value in one.value.items()
        ]
        text = between.join(pairs) if one.style != "matrix" else ",".join(pairs)
    elif isinstance(one.value, list):
        text = (between if one.style == "label" else ",").join(_code(part) for part in texts_of(one.value))
    else:
        text = _code(text_of(one.value))
    return before + (text or "1")


def in_query(one: Filled) -> list[tuple[str, str]]:
    """The pairs of a query parameter."""
    if isinstance(one.value, dict):
        return _object_pairs(one)
    if not isinstance(one.value, list):
        return [(one.name, text_of(one.value))]
    if one.explode and one.style == "form":
        return [(one.name, text) for text in texts_of(one.value)]
    return [(one.name, _JOINED.get(one.style, ",").join(texts_of(one.value)))]


def in_line(one: Filled) -> str:
    """A header's or cookie's value."""
    if isinstance(one.value, dict):
        return ",".join(f"{key}{'=' if one.explode else ','}{text_of(value)}" for key, value in one.value.items())
    return ",".join(texts_of(one.value)) if isinstance(one.value, list) else text_of(one.value)


def _object_pairs(one: Filled) -> list[tuple[str, str]]:
    if one.style == "deepObject":
        return [(f"{one.name}[{key}]", text) for key, value in one.value.items() for text in _each(value)]
    if one.explode:
        return [(str(key), text) for key, value in one.value.items() for text in _each(value)]
    return [(one.name, ",".join(f"{key},{','.join(_each(value))}" for key, value in one.value.items()))]


def _each(value: Any) -> list[str]:
    """A member's text, or one for each of a list: frameworks describe what they read as several of one name so."""
    return texts_of(value) if isinstance(value, list) else [text_of(value)]


def _code(text: str) -> str:
    return quote(text, safe="")
