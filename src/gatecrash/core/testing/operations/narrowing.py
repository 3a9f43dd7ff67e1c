"""A GraphQL operation without the fields of its answer that were refused, as the errors of the answer tell.

An operation that asks for all there is asks for fields that its caller may not see: the inbox of the user that a registration
answers with. One refused field that must not be null makes the whole answer null (GraphQL specification, section 6.4.4).
"""

import re
from collections.abc import Collection, Iterator
from typing import Any

import orjson

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.operations.graphql import TOKEN, beyond, closing_of, document_of, operation_of
from gatecrash.core.testing.oracles.body import text_of

Path = tuple[str, ...]
Spans = list[re.Match[str]]
_QUERY = Point(("post", "json_doc", "json_obj", "query"))


def narrowed(request: Request, response: Response) -> Request | None:
    """The request without the fields that the answer refuses; None where it refuses none below the operation's own field, or the
    request is no operation that was posted as JSON.
    """
    refused = refused_in(response) if operation_of(request) is not None else frozenset()
    document = document_of(request) if refused else ""
    changed = without(document, refused)
    if changed == document:
        return None
    try:
        return rewrite(request, _QUERY, changed.encode())
    except GatecrashError:
        return None


def refused_in(response: Response) -> frozenset[Path]:
    """The paths of an answer's errors that lie below an operation's own field, without the places in lists (section 7.1.2)."""
    text = text_of(response)
    try:
        said = orjson.loads(text) if '"errors"' in text else None
    except orjson.JSONDecodeError:
        return frozenset()
    errors = said.get("errors") if isinstance(said, dict) else None
    told = [_names(one.get("path")) for one in errors if isinstance(one, dict)] if isinstance(errors, list) else []
    return frozenset(path for path in told if len(path) > 1)


def without(document: str, refused: Collection[Path]) -> str:
    """The document with `__typename`, which everybody may ask for, in the place of each refused field of its first operation."""
    spans = list(TOKEN.finditer(document)) if refused else []
    opening = beyond(spans, 0, "{")
    if opening is None:
        return document
    for start, end in sorted(_places(spans, opening, (), refused), reverse=True):
        document = f"{document[:start]}__typename{document[end:]}"
    return document


def _places(spans: Spans, opening: int, above: Path, refused: Collection[Path]) -> Iterator[tuple[int, int]]:
    """Where the refused fields of a selection stand, and of those within it. opening: the token of its brace."""
    closing, number = closing_of(spans, opening) or 0, opening + 1
    while number < closing:
        start, name = number, spans[number][0]
        number, inner = _behind(spans, number, closing)
        path = above if name == "..." else (*above, name)
        if name != "..." and path in refused:
            yield spans[start].start(), spans[number - 1].end()
        elif inner is not None:
            yield from _places(spans, inner, path, refused)


def _behind(spans: Spans, number: int, closing: int) -> tuple[int, int | None]:
    """The token behind a field or a fragment, and the brace of what is selected of it."""
    if spans[number][0] != "...":
        number += 3 if spans[number + 1][0] == ":" else 1
    else:
        number += 3 if spans[number + 1][0] == "on" else 2 if spans[number + 1][0] not in ("@", "{") else 1
    while number < closing and spans[number][0] in ("(", "@"):
        number = (closing_of(spans, number) or closing) + 1 if spans[number][0] == "(" else number + 2
    if number < closing and spans[number][0] == "{":
        return (closing_of(spans, number) or closing) + 1, number
    return number, None


def _names(path: Any) -> Path:
    return tuple(one for one in path if isinstance(one, str)) if isinstance(path, list) else ()
