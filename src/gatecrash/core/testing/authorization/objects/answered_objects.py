"""The objects that answers show, and which of them is the one that a request is about.

objects_in(response)                   all of them, the outermost first
kept_as(response, body)                the one that a body was kept as
of_its_kind(response, body)            those with its properties
address_of(request, response, told)    where a new one is read
"""

import re
from typing import Any

import orjson

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.written_names import by_plain
from gatecrash.core.testing.oracles.body import content_of
from gatecrash.core.testing.oracles.leaves import Leaf, objects_in_document
from gatecrash.core.testing.oracles.own_links import identifier_by_link
from gatecrash.core.words.names import plain

Object = dict[str, Any]
IDENTIFIERS = ("id", "uuid", "_id")
"""What objects call the identifier that they are read by."""

_MOST_OBJECTS = 300
_LEAST_ALIKE = 2
_LONG_ENOUGH = 4
_NUMBER = re.compile(r"0|-?[1-9]\d{0,14}")
_TRUTH = {"true": True, "false": False}


def objects_in(response: Response) -> list[Object]:
    """Every object of a JSON answer, the outermost first; of an XML one what each element holds that holds values. One that has
    no identifier but a link to itself has that as its `id`.
    """
    try:
        document = orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        return [_object(told) for told in objects_in_document(response)[:_MOST_OBJECTS]]
    found: list[Object] = []
    todo: list[Any] = [document]
    while todo and len(found) < _MOST_OBJECTS:
        value = todo.pop(0)
        if isinstance(value, dict):
            identifier = identifier_by_link(value)
            found.append({**value, "id": identifier} if identifier else value)
            todo += [below for below in value.values() if isinstance(below, dict | list)]
        elif isinstance(value, list):
            todo += [below for below in value if isinstance(below, dict | list)]
    return found


def holds(response: Response, identifier: str, name: str, value: str) -> bool:
    """Whether the object with an identifier has a member of this name and value."""
    return any(str(each.get(name)) == value for each in _named(response, identifier))


def has_member(response: Response, identifier: str, name: str) -> bool:
    """Whether the object with an identifier has a member of this name."""
    return any(name in each for each in _named(response, identifier))


def _named(response: Response, identifier: str) -> list[Object]:
    return [each for each in objects_in(response) if identifier in (str(each.get(key)) for key in IDENTIFIERS)]


def _object(told: list[Leaf]) -> Object:
    """What an element holds as JSON would write it; of several of one name the first."""
    found: Object = {}
    for leaf in told:
        here = found
        for name in leaf.path[:-1]:
            below = here.setdefault(name, {})
            here = below if isinstance(below, dict) else {}
        if leaf.path:
            here.setdefault(leaf.path[-1], _value(leaf.value))
    return found


def _value(text: str) -> str | int | bool:
    if text in _TRUTH:
        return _TRUTH[text]
    return int(text) if _NUMBER.fullmatch(text) else text


def kept_as(response: Response, body: Object) -> Object | None:
    """The object of an answer that a body was kept as: of the same values, else the only one of the same properties.

    An older one may share a value, such as a password or a city: the one with the most of them is meant.
    """
    nearest = max(objects_in(response), key=lambda each: _same_values(each, body), default=None)
    if nearest is not None and _same_values(nearest, body):
        return nearest
    alike = of_its_kind(response, body)
    return alike[0] if len(alike) == 1 else None


def of_its_kind(response: Response, body: Object) -> list[Object]:
    """The objects of an answer with the properties that the body has: they show which others there are."""
    sent = {plain(name) for name in body}
    return [
        each
        for each in objects_in(response)
        if len(sent.intersection(map(plain, each))) >= min(_LEAST_ALIKE, len(sent))
    ]


def address_of(request: Request, response: Response, told: Object | None) -> bytes | None:
    """Where a new object is read, by its identifier below the address that made it."""
    shown = told or only_one(objects_in(response)) or {}
    identifier = next((shown[name] for name in IDENTIFIERS if isinstance(shown.get(name), str | int)), None)
    if identifier is None or request.method.upper() != "POST" or isinstance(identifier, bool):
        return None
    return request.path.rstrip(b"/") + b"/" + str(identifier).encode("ascii", "ignore")


def only_one(objects: list[Object]) -> Object | None:
    """The object that is alone; None where there are several."""
    return objects[0] if len(objects) == 1 else None


def _same_values(shown: Object, body: Object) -> int:
    """How many texts of the body's, long enough to be no chance, an object has under the same names; and those below."""
    told = by_plain(shown)
    texts = [name for name, value in body.items() if isinstance(value, str) and len(value) >= _LONG_ENOUGH]
    below = [(told.get(plain(name)), value) for name, value in body.items() if isinstance(value, dict)]
    nested: int = sum(_same_values(theirs, mine) for theirs, mine in below if isinstance(theirs, dict))
    return nested + sum(bool(str(told.get(plain(name))) == body[name]) for name in texts)
