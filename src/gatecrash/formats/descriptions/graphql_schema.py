"""What a GraphQL endpoint says of itself: the answer to an introspection query, of whose queries and mutations each is
asked once.

Every argument is a variable, optional ones too, for each is a place to test; values are made from types and names. Of what is
answered all plain fields are asked for, and those of the objects one level below. What answers with things of several kinds by
their identifier (`node(id:)`) is asked once for each of the first kinds that other queries show. Subscriptions are left out.
Where an argument is called `token`, `sessionId` and the like, the login's goes. An operation that cannot do without a file is
sent as a form with one. A default of null is none.

The document: `{"data": {"__schema": …}}` as endpoints answer, or `{"__schema": …}` as programs save it; beside it `endpoint`
may say the path, which is `/graphql` otherwise, `pages` where people see what was told there, `untold` that the endpoint
keeps its schema to itself, and `suggested` that what is here was put together from its complaints (`graphql_suggested`).
References: GraphQL specification (October 2021), sections 3.4 to 3.12 and 4.2; Global Object Identification (Relay).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Exchange
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.fields.properties import is_right
from gatecrash.core.testing.forms.tokens import CLIENTS_OWN
from gatecrash.core.words.names import parted
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions.callers import with_callers
from gatecrash.formats.descriptions.document import as_list, as_object, load
from gatecrash.formats.descriptions.graphql_files import A_FILE, FILES, in_form, written
from gatecrash.formats.descriptions.graphql_filters import FIRST, asked_by, compares, without_other_ways
from gatecrash.formats.descriptions.sample_text import FORMATS, ROWS, asks_how_many, shows_to_all, text_for
from gatecrash.formats.draft import Draft, Hole, Server, names_a_thing, request_to

WHAT = "GraphQL schema"
_WRAPPING = "kind name ofType { kind name ofType { kind name ofType { kind name } } }"
QUERY = f"""query Introspection {{ __schema {{ queryType {{ name }} mutationType {{ name }} types {{ kind name
  fields(includeDeprecated: true) {{ name args {{ name defaultValue type {{ {_WRAPPING} }} }} type {{ {_WRAPPING} }} }}
  inputFields {{ name defaultValue type {{ {_WRAPPING} }} }} enumValues(includeDeprecated: true) {{ name }} possibleTypes {{ name }} }} }} }}"""
"""What an endpoint is asked for its schema."""

_USUAL_PATH = "/graphql"
# A hole stands among variables, and two objects below an argument, the first of which may be a list's.
_DEEPEST_INPUT, _DEEPEST_HOLE = 4, 10
_MOST_FIELDS, _MOST_OBJECTS, _MOST_TYPES = 30, 6, 5
_GENERAL = frozenset({"code", "key", "name"})
_PAGED = frozenset({"edges", "node", "nodes"})
_VARIABLES = ("post", "json_doc", "json_obj", "variables", "json_obj")
_SCALARS: Mapping[str, Any] = {
    "Int": 1,
    "Float": 1.5,
    "Boolean": True,
    "BigInt": 1,
    "Long": 1,
    "JSON": {},
    "JSONObject": {},
}
_FORMAT_OF = {
    "datetime": "date-time",
    "date": "date",
    "time": "time",
    "uuid": "uuid",
    "url": "uri",
    "uri": "uri",
    "email": "email",
}
_LOW: Mapping[str, Any] = {"Boolean": False, "String": "user"}  # of rights: who has one is not whom the tests are about
_COUNTED = frozenset({"Int", "BigInt", "Long"})


class _Type(NamedTuple):
    """An argument's or a field's type. written: as a document writes it. depth: how many lists are around the named one."""

    name: str
    kind: str
    written: str
    depth: int
    needed: bool


def schema_of_none(name: str) -> dict[str, Any]:
    """What is told of an endpoint whose schema is not: that its queries are of a type of this name, and can be asked for that."""
    text = {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "String"}}
    queries = {"kind": "OBJECT", "name": name, "fields": [{"name": "__typename", "args": [], "type": text}]}
    return {"__schema": {"queryType": {"name": name}, "types": [queries]}}


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The schema's queries and mutations as drafts. Raises UnreadableCapture where it is none."""
    document = load(stream, WHAT)
    schema = as_object(as_object(document.get("data")).get("__schema") or document.get("__schema"))
    if not as_list(schema.get("types")):
        raise UnreadableCapture(f"The {WHAT} has no `types`. Save the answer to a whole introspection query.")
    path = document.get("endpoint")
    described = _Schema(schema, path if isinstance(path, str) and path.startswith("/") else _USUAL_PATH)
    if document.get("untold") is True:
        known = (
            "; what it suggests for names that are nearly right is all that is known"
            if document.get("suggested")
            else ""
        )
        yield Malformed(
            0, f"the endpoint tells no schema{known}; record what it is asked, as HAR by a browser, to have that tested"
        )
    for page in filter(lambda each: isinstance(each, str), as_list(document.get("pages"))):
        yield Draft(request=request_to(Server(), "GET", page, (("Accept", "text/html"),)), drafted=True, public=True)
    number = 0
    for kind in ("query", "mutation"):
        for field in described.fields_of(as_object(schema.get(f"{kind}Type")).get("name")):
            number += 1
            try:
                yield from described.drafts(kind, field)
            except (ValueError, TypeError, AttributeError, KeyError, GatecrashError) as error:
                yield Malformed(number, f"{kind} {field.get('name')}: {error}")


class _Schema:
    """The types by their names."""

    def __init__(self, schema: Mapping[str, Any], path: str) -> None:
        self._types = {str(each.get("name")): each for each in map(as_object, as_list(schema.get("types")))}
        self._path = path
        self._shown = self._shown_by_queries(schema)

    def _shown_by_queries(self, schema: Mapping[str, Any]) -> frozenset[str]:
        """The types with an identifier that are shown by what asks for none: a list, or its page (GraphQL Cursor Connections)."""
        fields = self.fields_of(as_object(schema.get("queryType")).get("name"))
        shown = set()
        for each in fields:
            with suppress(TypeError, KeyError):  # what cannot be read is told of when it is its turn
                shown |= {self._row_of(_type_of(each["type"]).name)} if not _takes_id(each) else set()
        return frozenset(filter(self._has_id, shown))

    def _has_id(self, name: str) -> bool:
        return any(one.get("name") == "id" for one in self.fields_of(name))

    def _row_of(self, name: str) -> str:
        """What a page of a list has as its rows; the type itself where it is no such page."""
        for step in ("edges", "nodes", "node"):
            found = next((each for each in self.fields_of(name) if each.get("name") == step), None)
            if found is not None:
                below = _type_of(found["type"]).name
                return self._row_of(below) if step == "edges" else below
        return name

    def _is_list(self, answered: _Type) -> bool:
        return bool(answered.depth) or self._row_of(answered.name) != answered.name

    def fields_of(self, name: object) -> list[Mapping[str, Any]]:
        """The fields of the type of that name; none where there is no such type."""
        return [as_object(each) for each in as_list(self._types.get(str(name), {}).get("fields"))]

    def drafts(self, kind: str, field: Mapping[str, Any]) -> list[Draft]:
        """The operation; one for each kind of thing that it answers with by an identifier. Raises ValueError."""
        answered = _type_of(field["type"])
        kinds = self._kinds_of(answered.name) if kind == "query" and not answered.depth and _takes_id(field) else []
        return [self._draft(kind, field, one) for one in kinds] or [self._draft(kind, field)]

    def _kinds_of(self, name: str) -> list[str]:
        """Those of the types that an answer may be of which have identifiers that other queries show."""
        told = [str(as_object(each).get("name")) for each in as_list(self._types.get(name, {}).get("possibleTypes"))]
        return [each for each in told if each in self._shown][:_MOST_TYPES]

    def _draft(self, kind: str, field: Mapping[str, Any], only: str = "") -> Draft:
        """The operation with all its arguments, and its spare one with what is needed. only: the one type of an answer
        that may be of several. Raises ValueError.
        """
        taken = [as_object(each) for each in as_list(field.get("args"))]
        taken = without_other_ways([str(each["name"]) for each in taken], taken)
        types = {str(each["name"]): _type_of(each["type"]) for each in taken}
        needed = [each for each in taken if types[str(each["name"])].needed]
        sendable = [each for each in taken if each in needed or types[str(each["name"])].name not in FILES]
        answered = _type_of(field["type"])
        thing = only.lower() or self._thing(field)
        # Of things of several kinds, those of one are named.
        one_kind = next((each.lower() for each in self._kinds_of(answered.name)), thing) if answered.depth else thing
        holes = tuple(self._holes({name: types[name] for name in (str(each["name"]) for each in sendable)}, one_kind))
        if kind == "query":
            holes += tuple(self._asked_by(answered, types, thing))
            holes += tuple(self._filters(sendable) if self._is_list(answered) else ())
        spare = self._message(kind, field, needed, types, only) if len(needed) < len(sendable) else None
        message = self._message(kind, field, sendable, types, only)
        draft = Draft(
            request=self._request(message),
            drafted=True,
            operation=True,
            holes=tuple(map(in_form, holes)) if written(message) is not None else holes,
            spare=self._request(spare) if spare is not None else None,
            thing=thing,
        )
        return with_callers(draft, made_up=True)

    def _holes(self, types: Mapping[str, _Type], thing: str, above: tuple[str, ...] = _VARIABLES) -> Iterator[Hole]:
        """Where what is sent names something: an argument, or a field of one that is an object."""
        for name, one in types.items():
            where = (*above, name, *("json_array", "0") * one.depth)
            if one.depth <= 1 and (one.name == "ID" or names_a_thing(name)) and name != CLIENTS_OWN:
                called = name.removesuffix("s")
                yield Hole(f"{thing}_id" if called == "id" else called, Point(where), counted=one.name in _COUNTED)
            elif one.depth <= 1 and one.kind == "INPUT_OBJECT" and len(where) <= _DEEPEST_HOLE:
                yield from self._holes(self._inputs(one.name), thing, (*where, "json_obj"))

    def _inputs(self, name: str) -> dict[str, _Type]:
        fields = map(as_object, as_list(self._types[name].get("inputFields")))
        return {str(each["name"]): _type_of(each["type"]) for each in fields}

    def _filters(self, taken: Iterable[Mapping[str, Any]]) -> Iterator[Hole]:
        """What a list is asked by and need not be: texts, also of an object that is a filter, and of what compares there."""
        types = {str(each["name"]): _type_of(each["type"]) for each in taken if _default(each) is None}
        waiting: list[tuple[str, _Type, tuple[str, ...]]] = [
            (name, one, (*_VARIABLES, name)) for name, one in types.items() if not one.needed
        ]
        while waiting:
            name, one, where = waiting.pop(0)
            if one.depth or names_a_thing(name) or one.name == "ID":
                continue
            if one.kind == "SCALAR" and one.name == "String":
                yield Hole(name, Point(where), loose=True)
            elif one.kind == "INPUT_OBJECT" and len(where) <= _DEEPEST_HOLE:
                below = self._inputs(one.name)
                waiting += [
                    (name if compares(inner) else inner, below[inner], (*where, "json_obj", inner))
                    for inner in asked_by(below)
                ]

    def _asked_by(self, answered: _Type, types: Mapping[str, _Type], thing: str) -> Iterator[Hole]:
        """Where one thing is asked for by what it holds itself: `bill(number: "…")` of a `Bill` that has a number."""
        kinds = [answered.name, *self._possible(answered.name)]
        held = {str(each["name"]) for kind in kinds for each in self.fields_of(kind)}
        for name, one in types.items():
            plain = one.kind == "SCALAR" and one.name != "ID" and not one.depth
            if name in held and one.needed and plain and not answered.depth and not names_a_thing(name):
                yield Hole(f"{thing}_{name}" if name in _GENERAL else name, Point((*_VARIABLES, name)))

    def _possible(self, name: str) -> list[str]:
        """The types that an answer of an abstract one may be of."""
        told = as_list(self._types.get(name, {}).get("possibleTypes"))
        return [str(as_object(each).get("name")) for each in told[:_MOST_TYPES]]

    def _thing(self, field: Mapping[str, Any]) -> str:
        """What a field is about: the type that it answers with where that has a number, or the one such type in the payload
        that it answers with, else the words behind its verb.
        """
        answered = self._row_of(_type_of(field["type"]).name)
        held = {_type_of(each["type"]).name for each in self.fields_of(answered)}
        about = [each for each in ([answered] if self._has_id(answered) else held) if self._has_id(each)]
        if len(about) == 1:
            return about[0].lower()
        words = parted(str(field["name"])).lower().split("_")
        return "".join(words[1:] or words)

    def _message(
        self,
        kind: str,
        field: Mapping[str, Any],
        taken: list[dict[str, Any]],
        types: Mapping[str, _Type],
        only: str = "",
    ) -> dict[str, Any]:
        name = str(field["name"])
        names = [str(each["name"]) for each in taken]
        declared = ", ".join(f"${each}: {types[each].written}" for each in names)
        given = ", ".join(f"{each}: ${each}" for each in names)
        called = name[:1].upper() + name[1:]
        head = f"{kind} {called}({declared})" if names else f"{kind} {called}"
        asked = f"{name}({given})" if names else name
        answered = self._selected(_type_of(field["type"]), 2)
        if only:
            answered = f" {{ ... on {only}{self._selected(_Type(only, 'OBJECT', only, 0, needed=False), 2)} }}"
        values = {str(each["name"]): self._value(each, _DEEPEST_INPUT, kind) for each in taken}
        query = f"{head} {{ {asked}{answered} }}"
        return {"query": query, "variables": values} if values else {"query": query}

    def _request(self, message: Mapping[str, Any]) -> Any:
        form = written(message)
        content_type, body = (
            (form.content_type, form.data) if form else ("application/json", json.dumps(message).encode())
        )
        headers = (("Content-Type", content_type), ("Accept", "application/json"))
        return request_to(Server(), "POST", self._path, headers, body)

    def _selected(self, answered: _Type, levels: int, steps: int = 2) -> str:
        """What is asked for of an answer; nothing of a plain value. steps: from a page of a list to its rows, which are
        two further down (GraphQL Cursor Connections, section 3).
        """
        if answered.kind in ("SCALAR", "ENUM"):
            return ""
        plain: list[str] = []
        below: list[str] = []
        for field in self.fields_of(answered.name):
            one = _type_of(field["type"])
            needs_more = any(_type_of(as_object(each)["type"]).needed for each in as_list(field.get("args")))
            if needs_more or field["name"] == CLIENTS_OWN:
                continue
            if one.kind in ("SCALAR", "ENUM"):
                plain.append(str(field["name"]))
            elif steps and field["name"] in _PAGED:
                below.append(str(field["name"]) + self._selected(one, levels, steps - 1))
            elif levels > 1:
                below.append(str(field["name"]) + self._selected(one, levels - 1, steps))
        asked = [*plain[:_MOST_FIELDS], *below[:_MOST_OBJECTS], *self._fragments(answered)]
        return " { " + " ".join(asked or ["__typename"]) + " }"

    def _fragments(self, answered: _Type) -> Iterator[str]:
        """The plain fields that only some of the types have that the answer may be of; of a union all have their own.

        One name must be of one type throughout an answer (GraphQL section 5.3.2).
        """
        taken = {str(each["name"]): "" for each in self.fields_of(answered.name)}
        for name in self._possible(answered.name):
            own = [
                (str(field["name"]), _type_of(field["type"])) for field in self.fields_of(name) if not field.get("args")
            ]
            plain = [
                (field, one.written)
                for field, one in own
                if one.kind in ("SCALAR", "ENUM") and taken.get(field, one.written) == one.written
            ]
            taken |= dict(plain)
            if plain:
                yield f"... on {name} {{ {' '.join(field for field, _ in plain[:_MOST_FIELDS])} }}"

    def _value(self, given: Mapping[str, Any], levels: int, kind: str) -> Any:
        """A value for an argument or a field of an input of such an operation. Raises ValueError where none can be made."""
        shown = _default(given)
        if shown is not None:
            try:
                return json.loads(shown)
            except ValueError:
                pass  # a name or an object as GraphQL writes it
        wanted = _type_of(given["type"])
        if wanted.kind == "ENUM" and shown is not None and not wanted.depth:
            return shown
        value = self._plain(wanted, str(given["name"]), levels, kind)
        for _ in range(wanted.depth):
            value = [value]
        return value

    def _plain(self, wanted: _Type, name: str, levels: int, kind: str) -> Any:
        if wanted.kind == "ENUM":
            return next(each["name"] for each in self._types[wanted.name]["enumValues"])
        if wanted.kind == "INPUT_OBJECT":
            return self._object(wanted.name, levels, kind)
        if wanted.name in FILES:
            return A_FILE
        if wanted.name == "Int" and (asks_how_many(name) or name == FIRST):
            return ROWS
        if kind == "mutation" and wanted.name in _LOW and is_right(name) and not wanted.needed:
            return _LOW[wanted.name]
        if kind == "mutation" and wanted.name == "Boolean":
            return not shows_to_all(name)
        if wanted.name in _SCALARS:
            return _SCALARS[wanted.name]
        if wanted.name == "ID":
            return "1"
        known = _FORMAT_OF.get(wanted.name.lower())
        return FORMATS[known] if known is not None else text_for({}, name)

    def _object(self, name: str, levels: int, kind: str) -> dict[str, Any]:
        """All fields of an input, but rights that may be left out: who is to be nobody in particular asks for none; and but what
        only the client reads again. Where it is deep, what is needed.
        """
        found: dict[str, Any] = {}
        rights: set[str] = set()
        fields = [as_object(each) for each in as_list(self._types[name].get("inputFields"))]
        compared = asked_by([str(each["name"]) for each in fields])
        for each in (each for each in fields if str(each["name"]) in compared):
            wanted = _type_of(each["type"])
            if wanted.needed or (levels > 1 and wanted.name not in FILES and each["name"] != CLIENTS_OWN):
                if levels < -_DEEPEST_INPUT:
                    raise ValueError(f"the input {name} needs itself")
                found[str(each["name"])] = self._value(each, levels - 1, kind)
                rights |= {str(each["name"])} if is_right(str(each["name"])) and not wanted.needed else set()
        kept = {name: value for name, value in found.items() if name not in rights}
        return kept if len(kept) > 1 else found


def _takes_id(field: Mapping[str, Any]) -> bool:
    """Whether a thing is asked for by its identifier."""
    taken = map(as_object, as_list(field.get("args")))
    return any(each.get("name") == "id" and _type_of(each["type"]).needed for each in taken)


def _default(given: Mapping[str, Any]) -> str | None:
    """What is taken where nothing is given, as the schema writes it. Null says of no value what may stand there: servers made
    from functions tell it of every argument that need not be given.
    """
    shown = given.get("defaultValue")
    return shown if isinstance(shown, str) and shown != "null" else None


def _type_of(told: Any) -> _Type:
    """The named type at the bottom, and how it is written. Raises KeyError, TypeError."""
    kind, inner = told["kind"], told.get("ofType")
    if kind not in ("NON_NULL", "LIST"):
        return _Type(told["name"], kind, told["name"], 0, needed=False)
    below = _type_of(inner)
    if kind == "LIST":
        return below._replace(written=f"[{below.written}]", depth=below.depth + 1, needed=False)
    return below._replace(written=f"{below.written}!", needed=True)
