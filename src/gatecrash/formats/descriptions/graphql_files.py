"""GraphQL operations that take files: a form whose `operations` have null where a file stands, whose `map` says which part goes
there, and behind both the files.

Reference: GraphQL multipart request specification (github.com/jaydenseric/graphql-multipart-request-spec).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import structs

from gatecrash.core.point import Point
from gatecrash.formats.descriptions.media import EXAMPLE_FILE, EXAMPLE_NAME, Body, Part, multipart_body, type_of
from gatecrash.formats.draft import Hole

FILES: Final = frozenset({"Upload", "File"})
"""What servers call the type of a file."""


class _File:
    """What stands in a message for a file."""


A_FILE: Final = _File()
"""One that `written` puts a file in the place of."""
_OPERATIONS: Final = ("post", "multipart", "operations")


def written(message: Mapping[str, Any]) -> Body | None:
    """The form that sends a message with files in it; None where it has none."""
    places = list(_files(message, ()))
    if not places:
        return None
    sent = {str(number): [".".join(place)] for number, place in enumerate(places)}
    parts = [
        Part("operations", json.dumps(message, default=_nothing)),
        Part("map", json.dumps(sent)),
        *(Part(number, EXAMPLE_FILE, EXAMPLE_NAME, type_of(EXAMPLE_NAME)) for number in sent),
    ]
    return multipart_body(parts)


def in_form(hole: Hole) -> Hole:
    """The hole of a message where a form has it."""
    return structs.replace(hole, point=Point((*_OPERATIONS, *hole.point[1:])))


def _files(value: object, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if value is A_FILE:
        yield above
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _files(one, (*above, str(name)))
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from _files(one, (*above, str(place)))


def _nothing(_: _File) -> None:
    """JSON's null, for a file."""
