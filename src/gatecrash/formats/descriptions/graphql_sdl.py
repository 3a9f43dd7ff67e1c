"""A GraphQL schema as people write it (`schema.graphql`), told as an endpoint tells it and read as that.

Types of all kinds, what extends them, and the root types that `schema` names. Descriptions, comments and directives say
nothing of what may be asked and are passed over. A type that the file does not define is a scalar.
References: GraphQL specification (October 2021), sections 2.1, 3.3 to 3.11.
"""

import json
import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from gatecrash.core.message import Exchange
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions import graphql_schema
from gatecrash.formats.draft import MOST_BYTES

if TYPE_CHECKING:
    from graphql import DefinitionNode, FieldDefinitionNode, InputValueDefinitionNode

_WHAT: Final = "GraphQL schema"
_BEGINS: Final = re.compile(
    rb'(?:[\s,]++|#[^\n]*+|"""(?:[^"\\]++|\\.|"(?!""))*+"""|"(?:[^"\\\n]++|\\.)*+")*+(?:extend\s++)?'
    rb"(?:(?:type|scalar|enum|input|interface|union)\s++[_A-Za-z]|schema\s*+[{@]|directive\s*+@)",
    re.DOTALL,
)
_KINDS: Final = {
    "object": "OBJECT",
    "interface": "INTERFACE",
    "input_object": "INPUT_OBJECT",
    "enum": "ENUM",
    "union": "UNION",
    "scalar": "SCALAR",
}
_ROOTS: Final = ("query", "mutation")


def fits(beginning: bytes) -> bool:
    """Whether a file begins as a schema does."""
    return _BEGINS.match(beginning) is not None


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The schema's queries and mutations as drafts. Raises UnreadableCapture with the place of what is none."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UnreadableCapture(f"The {_WHAT} is larger than {MOST_BYTES // 1024 // 1024} MiB.")
    told = _told(_definitions(data.decode("utf-8", "replace")))
    yield from graphql_schema.read(BytesIO(json.dumps({"__schema": told}).encode()))


def _definitions(text: str) -> "Iterable[DefinitionNode]":
    from graphql import GraphQLSyntaxError, parse  # a tenth of a second, and few scans read a schema

    try:
        return parse(text, no_location=True).definitions
    except GraphQLSyntaxError as error:
        line = error.locations[0].line if error.locations else 1
        raise UnreadableCapture(f"The {_WHAT} cannot be read at line {line}: {error.message}") from error
    except RecursionError as error:
        raise UnreadableCapture(f"The {_WHAT} holds brackets that are too deep.") from error


def _told(definitions: "Iterable[DefinitionNode]") -> dict[str, Any]:
    """What an endpoint answers to an introspection query."""
    types: dict[str, dict[str, Any]] = {}
    roots = {kind: kind.capitalize() for kind in _ROOTS}
    for each in definitions:
        kind = _KINDS.get(each.kind.removesuffix("_definition").removesuffix("_extension").removesuffix("_type"))
        if kind is not None:
            _add(types, kind, each)
        for root in getattr(each, "operation_types", None) or ():
            roots[root.operation.value] = root.type.name.value
    for one in types.values():
        for field in (*one["fields"], *one["inputFields"]):
            for typed in (field, *field["args"]):
                _name_kind(types, typed["type"])
    return {**{f"{kind}Type": {"name": name} for kind, name in roots.items()}, "types": [*types.values()]}


def _add(types: dict[str, dict[str, Any]], kind: str, defined: Any) -> None:
    """A type, or what extends one, which may stand before it."""
    name = defined.name.value
    here = types.setdefault(name, _nothing(kind, name))
    here["kind"] = kind
    if kind == "INPUT_OBJECT":
        here["inputFields"] += map(_input, defined.fields or ())
    elif kind in ("OBJECT", "INTERFACE"):
        here["fields"] += map(_field, defined.fields or ())
    elif kind == "ENUM":
        here["enumValues"] += ({"name": value.name.value} for value in defined.values or ())
    elif kind == "UNION":
        here["possibleTypes"] += ({"name": one.name.value} for one in defined.types or ())
    for above in (defined.interfaces or ()) if kind == "OBJECT" else ():
        upper = above.name.value
        types.setdefault(upper, _nothing("INTERFACE", upper))["possibleTypes"].append({"name": name})


def _nothing(kind: str, name: str) -> dict[str, Any]:
    return {"kind": kind, "name": name, "fields": [], "inputFields": [], "enumValues": [], "possibleTypes": []}


def _field(field: "FieldDefinitionNode") -> dict[str, Any]:
    return {"name": field.name.value, "type": _reference(field.type), "args": [*map(_input, field.arguments or ())]}


def _input(value: "InputValueDefinitionNode") -> dict[str, Any]:
    """An argument, or a field of an input; its default as it is written."""
    from graphql import print_ast

    default = print_ast(value.default_value) if value.default_value else None
    return {"name": value.name.value, "type": _reference(value.type), "args": [], "defaultValue": default}


def _reference(node: Any) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": "SCALAR", "name": None, "ofType": None}
    if node.kind == "named_type":
        return told | {"name": node.name.value}
    kind = "LIST" if node.kind == "list_type" else "NON_NULL"
    return told | {"kind": kind, "ofType": _reference(node.type)}


def _name_kind(types: dict[str, dict[str, Any]], told: dict[str, Any]) -> None:
    while told["ofType"]:
        told = told["ofType"]
    told["kind"] = types.get(told["name"], {}).get("kind", "SCALAR")
