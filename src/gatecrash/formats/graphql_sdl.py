"""A GraphQL schema as people write it (`schema.graphql`), told as an endpoint tells it and read as that.

Types of all kinds, what extends them, and the root types that `schema` names. Descriptions, comments and directives say
nothing of what may be asked and are passed over. A type that the file does not define is a scalar.
References: GraphQL specification (October 2021), sections 2.1, 3.3 to 3.11.
"""

import json
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any, BinaryIO, Final

from gatecrash.core.message import Exchange
from gatecrash.formats import graphql_schema
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.draft import MOST_BYTES

_WHAT: Final = "GraphQL schema"
_BEGINS: Final = re.compile(
    rb'(?:[\s,]++|#[^\n]*+|"""(?:[^"\\]++|\\.|"(?!""))*+"""|"(?:[^"\\\n]++|\\.)*+")*+(?:extend\s++)?'
    rb"(?:(?:type|scalar|enum|input|interface|union)\s++[_A-Za-z]|schema\s*+[{@]|directive\s*+@)",
    re.DOTALL,
)
_TOKEN: Final = re.compile(
    r'[\s,\ufeff]++|#[^\n]*+|(?P<token>"""(?:[^"\\]++|\\.|"(?!""))*+"""|"(?:[^"\\\n]++|\\.)*+"|\.\.\.|[!$&():=@\[\]{|}]'
    r"|[_A-Za-z][_0-9A-Za-z]*+|-?[0-9][0-9.eE+-]*+)",
    re.DOTALL,
)
_KINDS: Final = {
    "type": "OBJECT",
    "interface": "INTERFACE",
    "input": "INPUT_OBJECT",
    "enum": "ENUM",
    "union": "UNION",
    "scalar": "SCALAR",
}
_CLOSES: Final = {"(": ")", "[": "]", "{": "}"}
_ROOTS: Final = ("query", "mutation")
_DEEPEST: Final = 20


def fits(beginning: bytes) -> bool:
    """Whether a file begins as a schema does."""
    return _BEGINS.match(beginning) is not None


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The schema's queries and mutations as drafts. Raises UnreadableCapture with the place of what is none."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UnreadableCapture(f"The {_WHAT} is larger than {MOST_BYTES // 1024 // 1024} MiB.")
    told = _Reader(data.decode("utf-8", "replace")).schema()
    yield from graphql_schema.read(BytesIO(json.dumps({"__schema": told}).encode()))


class _Reader:
    """The definitions, token by token."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._place = 0
        self._types: dict[str, dict[str, Any]] = {}
        self._roots = {kind: kind.capitalize() for kind in _ROOTS}

    def schema(self) -> dict[str, Any]:
        """What an endpoint answers to an introspection query."""
        while self._here():
            self._definition()
        for each in list(self._types.values()):
            above = each.pop("above")
            for name in above if each["kind"] == "OBJECT" else ():
                self._types.get(name, {}).setdefault("possibleTypes", []).append({"name": each["name"]})
        types = [*self._types.values()]
        for each in types:
            for field in (*each.get("fields", ()), *each.get("inputFields", ())):
                for one in (field, *field.get("args", ())):
                    self._name_kind(one["type"])
        return {**{f"{kind}Type": {"name": name} for kind, name in self._roots.items()}, "types": types}

    def _name_kind(self, told: dict[str, Any]) -> None:
        while told.get("ofType"):
            told = told["ofType"]
        told["kind"] = self._types.get(told["name"], {}).get("kind", "SCALAR")

    def _here(self) -> str:
        return self._tokens[self._place][0] if self._place < len(self._tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self._here()
        if not token or (wanted and token != wanted):
            at = self._tokens[self._place][1] if self._place < len(self._tokens) else len(self._text)
            line = self._text.count("\n", 0, at) + 1
            raise UnreadableCapture(f"The {_WHAT} cannot be read at line {line}: {token or 'its end'!r}.")
        self._place += 1
        return token

    def _takes(self, wanted: str) -> bool:
        if self._here() != wanted:
            return False
        self._place += 1
        return True

    def _definition(self) -> None:
        self._described()
        self._takes("extend")
        word = self._take()
        if word == "schema":
            self._directives()
            for kind, name in self._pairs() if self._here() == "{" else ():
                self._roots[kind] = name
        elif word == "directive":
            self._directive_definition()
        elif word in _KINDS:
            self._type(_KINDS[word])
        else:
            self._place -= 1
            self._take("a definition")

    def _pairs(self) -> Iterator[tuple[str, str]]:
        self._take("{")
        while not self._takes("}"):
            kind = self._take()
            self._take(":")
            yield kind, self._take()

    def _directive_definition(self) -> None:
        self._take("@")
        self._take()
        self._skip_group("(")
        self._takes("repeatable")
        self._take("on")
        self._takes("|")
        self._take()
        while self._takes("|"):
            self._take()

    def _type(self, kind: str) -> None:
        name = self._take()
        here = self._types.setdefault(name, {"kind": kind, "name": name, "above": []})
        if self._takes("implements"):
            self._takes("&")
            here["above"].append(self._take())
            while self._takes("&"):
                here["above"].append(self._take())
        self._directives()
        if kind == "UNION" and self._takes("="):
            self._takes("|")
            here.setdefault("possibleTypes", []).append({"name": self._take()})
            while self._takes("|"):
                here["possibleTypes"].append({"name": self._take()})
        elif kind == "ENUM" and self._takes("{"):
            while not self._takes("}"):
                self._described()
                here.setdefault("enumValues", []).append({"name": self._take()})
                self._directives()
        elif kind in ("OBJECT", "INTERFACE"):
            here.setdefault("fields", []).extend(self._fields("{"))
        elif kind == "INPUT_OBJECT":
            here.setdefault("inputFields", []).extend(self._fields("{"))

    def _fields(self, opening: str) -> list[dict[str, Any]]:
        """Fields, arguments or fields of an input: names with their types, arguments and defaults."""
        found: list[dict[str, Any]] = []
        if not self._takes(opening):
            return found
        while not self._takes(_CLOSES[opening]):
            self._described()
            name = self._take()
            taken = self._fields("(") if opening == "{" else []
            self._take(":")
            field = {"name": name, "type": self._reference(0), "args": taken, "defaultValue": self._default()}
            self._directives()
            found.append(field)
        return found

    def _reference(self, depth: int) -> dict[str, Any]:
        if depth > _DEEPEST:
            self._take("a type")
        if self._takes("["):
            told = {"kind": "LIST", "name": None, "ofType": self._reference(depth + 1)}
            self._take("]")
        else:
            told = {"kind": "SCALAR", "name": self._take(), "ofType": None}
        return {"kind": "NON_NULL", "name": None, "ofType": told} if self._takes("!") else told

    def _default(self) -> str | None:
        """A default's text as it is written."""
        if not self._takes("="):
            return None
        start = self._tokens[self._place][1] if self._place < len(self._tokens) else len(self._text)
        if self._here() in ("[", "{"):
            self._skip_group(self._here())
        else:
            self._take()
        last, at = self._tokens[self._place - 1]
        return self._text[start : at + len(last)]

    def _described(self) -> None:
        """Over a description."""
        while self._here().startswith('"'):
            self._place += 1

    def _directives(self) -> None:
        while self._takes("@"):
            self._take()
            self._skip_group("(")

    def _skip_group(self, opening: str) -> None:
        """Over what stands in brackets, if anything does."""
        if not self._takes(opening):
            return
        depth = 1
        while depth:
            token = self._take()
            depth += (token in _CLOSES) - (token in _CLOSES.values())


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """The tokens with their places."""
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise UnreadableCapture(f"The {_WHAT} cannot be read at line {text.count(chr(10), 0, position) + 1}.")
        if found["token"]:
            yield found["token"], position
        position = found.end()
