"""A GraphQL schema out of an endpoint's complaints, where it tells none: `Did you mean "parcels"?`

walk = schema_suggested()
document = next(walk)               what to ask
document = walk.send(errors)        the errors of the answer, as they are
StopIteration.value                 the schema as introspection tells it; empty where nothing was suggested

Every document holds a name that nobody has, so that none is valid, and nothing is ever carried out (GraphQL, October 2021,
section 6.1: only what is valid is executed). Mutations are guessed at only where a query was suggested. The number of
documents is bounded; what is not suggested by then is left out, and what answers with something of an unknown kind counts
as a text.
"""

import re
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from typing import Any, Final

from gatecrash.core.words.names import parted
from gatecrash.formats.descriptions.graphql_complaints import Complaints
from gatecrash.formats.descriptions.graphql_names import (
    ARGUMENTS,
    CHANGES,
    FIELDS,
    QUESTIONS,
    THINGS,
    VALUES,
    of_mutations,
    of_queries,
    plural,
)

MOST_DOCUMENTS: Final = 90
NOBODYS: Final = "qzxvwkjq"
"""A name of no schema, and near to none."""

_A_DOCUMENT, _MOST_ROOTS, _MOST_TYPES, _MOST_THINGS = 45, 30, 12, 12
_SCALARS = frozenset({"Int", "Float", "String", "Boolean", "ID"})
_VERBS = re.compile(r"^(?:create|add|update|edit|delete|remove|set|get|all|my|search|list|find)_|_list$")
_DEEPEST = 2

_Walking = Generator[str, list[Any], None]


def schema_suggested() -> Generator[str, list[Any], dict[str, Any]]:
    """Ask, and give the schema."""
    walk = _Walk()
    yield from walk.roots("query", [*THINGS, *map(plural, THINGS), "me"])
    if not walk.suggested:
        return {}
    yield from walk.roots("query", [*QUESTIONS, *of_queries(walk.things())])
    yield from walk.roots("mutation", [*CHANGES, *of_mutations(walk.things())])
    yield from walk.roots("mutation", of_mutations(walk.things()))
    yield from walk.arguments()
    yield from walk.objects()
    return walk.schema()


class _Walk:
    """What is known so far. objects: the fields of types, with their types as documents write them."""

    def __init__(self) -> None:
        self.suggested = False
        self._asked = 0
        self._roots: dict[str, str] = {}
        self._objects: dict[str, dict[str, str]] = {}
        self._arguments: dict[tuple[str, str], dict[str, str]] = {}
        self._inputs: dict[str, dict[str, str]] = {}
        self._enums: dict[str, list[str]] = {}
        self._tried: dict[str, set[str]] = {}

    def things(self) -> list[str]:
        """What the known names and types are about."""
        told: list[str] = []
        for root in self._roots.values():
            for name, written in self._objects.get(root, {}).items():
                kind = _bare(written)
                words = _VERBS.sub("", parted(name).lower().partition("_by_")[0])
                told.append(kind[:1].lower() + kind[1:] if kind not in _SCALARS else _camel(words.removesuffix("s")))
        return list(dict.fromkeys(filter(None, told)))[:_MOST_THINGS]

    def roots(self, kind: str, guesses: Iterable[str]) -> _Walking:
        """The fields of the type that queries, or mutations, are of."""
        yield from self._fields(kind, "", "", guesses)

    def arguments(self) -> _Walking:
        """What the fields of roots take, and what stands in inputs."""
        for kind, root in self._roots.items():
            names = list(self._objects.get(root, {}))[:_MOST_ROOTS]
            guesses = [(name, each) for name in names for each in ARGUMENTS]
            while guesses:
                further: list[tuple[str, str]] = []
                for chunk in _chunks(guesses):
                    further += yield from self._takes(kind, root, chunk)
                guesses = [each for each in dict.fromkeys(further) if each[1] not in self._arguments[root, each[0]]]
            for name in names:
                for argument, written in list(self._arguments.get((root, name), {}).items()):
                    yield from self._kind_of(f"{kind} {{ a: {name}({argument}: ", ") }", written)

    def objects(self) -> _Walking:
        """The fields of what is answered with, reached through the roots and through each other."""
        waiting = [
            (kind, f"{name} {{ ", " }", written)
            for kind, root in self._roots.items()
            for name, written in self._objects.get(root, {}).items()
        ]
        # What is given and what is answered with is mostly called the same.
        given = [name for held in (*self._arguments.values(), *self._inputs.values()) for name in held]
        things = self.things()
        guesses = list(dict.fromkeys((*FIELDS, *given, *things, *map(plural, things))))
        for kind, opening, closing, written in waiting:
            type_ = _bare(written)
            if type_ in _SCALARS or type_ in self._objects or len(self._objects) >= _MOST_TYPES + len(self._roots):
                continue
            yield from self._fields(kind, opening, closing, guesses)
            below = self._objects.get(type_, {})
            if opening.count("{") < _DEEPEST:
                waiting += [(kind, f"{opening}{name} {{ ", f" }}{closing}", each) for name, each in below.items()]

    def schema(self) -> dict[str, Any]:
        """As an introspection query is answered."""
        if not any(self._objects.get(root) for root in self._roots.values()):
            return {}
        types: list[dict[str, Any]] = [
            {"kind": "OBJECT", "name": name, "fields": [self._field(name, *each) for each in fields.items()]}
            for name, fields in self._objects.items()
        ]
        types += [
            {
                "kind": "INPUT_OBJECT",
                "name": name,
                "inputFields": list(map(self._given, *zip(*fields.items(), strict=True))),
            }
            for name, fields in self._inputs.items()
            if fields
        ]
        types += [
            {"kind": "ENUM", "name": name, "enumValues": [{"name": each} for each in values]}
            for name, values in self._enums.items()
        ]
        roots = {f"{kind}Type": {"name": root} for kind, root in self._roots.items() if self._objects.get(root)}
        return {"__schema": {**roots, "types": types}}

    def _field(self, above: str, name: str, written: str) -> dict[str, Any]:
        taken = self._arguments.get((above, name), {})
        can = [each for each in taken.items() if each[1].endswith("!") or self._can_be_given(_bare(each[1]))]
        return {"name": name, "args": [self._given(*each) for each in can], "type": self._type(written)}

    def _given(self, name: str, written: str) -> dict[str, Any]:
        return {"name": name, "defaultValue": None, "type": self._type(written)}

    def _can_be_given(self, name: str) -> bool:
        return bool(self._enums.get(name, True)) and bool(self._inputs.get(name, True))

    def _type(self, written: str) -> dict[str, Any]:
        if written.endswith("!"):
            return {"kind": "NON_NULL", "ofType": self._type(written[:-1])}
        if written.startswith("["):
            return {"kind": "LIST", "ofType": self._type(written[1:-1])}
        known: dict[str, Collection[str]] = {
            "OBJECT": self._objects,
            "INPUT_OBJECT": self._inputs,
            "ENUM": self._enums,
        }
        return {"kind": next((kind for kind, held in known.items() if written in held), "SCALAR"), "name": written}

    def _ask(self, document: str) -> Generator[str, list[Any], Complaints]:
        if self._asked >= MOST_DOCUMENTS:
            return Complaints(())
        self._asked += 1
        return Complaints((yield document))

    def _fields(self, kind: str, opening: str, closing: str, guesses: Iterable[str]) -> _Walking:
        """The fields of the type that an opening leads to: what is suggested is asked for its kind in its turn."""
        waiting = list(guesses)
        while waiting:
            suggested: list[str] = []
            for chunk in _chunks(waiting):
                told = yield from self._ask(f"{kind} {{ {opening}{' '.join(chunk)} {NOBODYS}{closing} }}")
                type_ = told.types.get(NOBODYS)
                if type_ is None or not told.whole:
                    continue
                if not opening:
                    self._roots[kind] = type_
                self._tried.setdefault(type_, set()).update(chunk)
                held = self._objects.setdefault(type_, {})
                held.update({name: told.fields.get(name, "String") for name in chunk if name not in told.unknown})
                for (name, argument), written in told.arguments.items():
                    self._arguments.setdefault((type_, name), {})[argument] = written
                self.suggested |= bool(told.suggested)
                suggested += [each for each in told.suggested if each not in self._tried[type_]]
            waiting = list(dict.fromkeys(suggested))

    def _takes(
        self, kind: str, root: str, chunk: Sequence[tuple[str, str]]
    ) -> Generator[str, list[Any], list[tuple[str, str]]]:
        """Which of these arguments fields take, one a line; those that are suggested instead."""
        lines = [f"a{place}: {name}({argument}: {NOBODYS})" for place, (name, argument) in enumerate(chunk)]
        told = yield from self._ask("\n".join((f"{kind} {{ {NOBODYS}", *lines, "}")))
        if NOBODYS not in told.types:
            return []
        if not told.whole and len(chunk) > 1:
            half = len(chunk) // 2
            first = yield from self._takes(kind, root, chunk[:half])
            return first + (yield from self._takes(kind, root, chunk[half:]))
        further: list[tuple[str, str]] = []
        for line, (name, argument) in enumerate(chunk, 2):
            held = self._arguments.setdefault((root, name), {})
            if line in told.unknown_lines:
                further += [(name, each) for each in told.unknown_lines[line]]
            elif argument not in held:
                held[argument] = told.lines.get(line, "String")
        for enum in told.enums:
            self._enums.setdefault(enum, [])
        return further

    def _kind_of(self, before: str, behind: str, written: str, deep: int = 0) -> _Walking:
        """Of what is taken there: the values of an enumeration, the members of an input."""
        name = _bare(written)
        if name in self._enums and not self._enums[name]:
            lines = [
                f"a{place}: {before.partition('a: ')[2]}{value}{behind.rstrip('} ')}"
                for place, value in enumerate(VALUES)
            ]
            told = yield from self._ask("\n".join((f"{before.partition('{')[0]}{{ {NOBODYS}", *lines, "}")))
            valid = [value for line, value in enumerate(VALUES, 2) if NOBODYS in told.types and line not in told.lines]
            self._enums[name] = list(dict.fromkeys((*valid, *told.suggested)))
        elif name not in _SCALARS and name not in self._inputs and name not in self._enums and deep < _DEEPEST:
            yield from self._members(before, behind, name, deep)

    def _members(self, before: str, behind: str, name: str, deep: int) -> _Walking:
        told = yield from self._ask(f"{before}{{ {NOBODYS}: 1 }}{behind}")
        if name in told.enums:
            self._enums.setdefault(name, [])
            yield from self._kind_of(before, behind, name, deep)
        if told.types.get(NOBODYS) != name:
            return  # a scalar of the application's own
        held = self._inputs.setdefault(name, {})
        held.update({member: written for (above, member), written in told.members.items() if above == name})
        waiting: list[str] = [*held, *(each for each in dict.fromkeys((*FIELDS, *ARGUMENTS)) if each not in held)]
        tried: set[str] = set()
        while waiting:
            suggested: list[str] = []
            for chunk in _chunks(waiting):
                lines = "\n".join(f"{each}: {NOBODYS}" for each in chunk)
                told = yield from self._ask(f"{before}{{ {NOBODYS}: 1\n{lines}\n}}{behind}")
                tried.update(chunk)
                if told.types.get(NOBODYS) != name or not told.whole:
                    continue
                for line, each in enumerate(chunk, 2):
                    if not held.get(each) and each not in told.unknown:
                        held[each] = _bare(told.lines.get(line, "String")) + "!" * (each in held)
                for enum in told.enums:
                    self._enums.setdefault(enum, [])
                suggested += told.suggested
            waiting = [each for each in dict.fromkeys(suggested) if each not in tried]
        for member, written in list(held.items()):
            yield from self._kind_of(f"{before}{{ {member}: ", f" }}{behind}", written, deep + 1)


def _bare(written: str) -> str:
    return written.strip("[]!")


def _camel(words: str) -> str:
    first, *rest = words.split("_")
    return first + "".join(each[:1].upper() + each[1:] for each in rest)


def _chunks(items: Iterable[Any]) -> Iterator[list[Any]]:
    listed = list(items)
    for begin in range(0, len(listed), _A_DOCUMENT):
        yield listed[begin : begin + _A_DOCUMENT]
