"""What a site's pages showed beside a description of its API, less what the description has: one operation is tested once.

Of GraphQL, all of which stands at one address, the description has what it asks for by the same field, with all its arguments: a
schema that was put together from suggestions lacks some.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.operations.graphql import argument_names, document_of, operation_of
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.known_values import segments

_Place = tuple[str, tuple[str | None, ...]]
_Field = tuple[str, str]
_MEMBER: Final = re.compile(rb'"(\w{1,100})"\s{0,9}:')


def undescribed(pages: Iterable[Exchange], described: Iterable[Draft]) -> Iterator[Exchange]:
    """The pages, forms and calls whose method and path no described request has; where a description leaves a part of a path open,
    any value is meant.
    """
    drafts = list(described)
    known = {_place_of(each) for each in drafts}
    fields = _fields(drafts)
    longest = max((len(path) for _, path in known), default=0)
    for page in pages:
        is_there = len(segments(page.request)) <= longest and any(_is_at(page.request, place) for place in known)
        if not is_there or not _is_whole(page.request, fields):
            yield page


def _is_whole(request: Request, fields: Mapping[_Field, set[str]]) -> bool:
    """Whether the description of its address has all of it: of GraphQL the field, with its arguments."""
    field = _field_of(request)
    return field is None or _names(request) <= fields.get(field, set())


def _fields(drafts: Iterable[Draft]) -> dict[_Field, set[str]]:
    """What is described of GraphQL: each field, and what is named in its arguments and in the values of these."""
    told: dict[_Field, set[str]] = {}
    for request in (each.request for each in drafts):
        field = _field_of(request)
        if field is not None:
            members = (name.decode() for name in _MEMBER.findall(request.body))
            told.setdefault(field, set()).update(_names(request), members)
    return told


def _field_of(request: Request) -> _Field | None:
    operation = operation_of(request)
    return (operation.type, operation.field) if operation is not None else None


def _names(request: Request) -> set[str]:
    """The names before a colon; one that nobody has as well, so that a field without arguments is described by that field alone."""
    return {"", *argument_names(document_of(request))}


def _place_of(draft: Draft) -> _Place:
    open_at = {int(hole.point[1]) for hole in draft.holes if hole.point[0] == "path" and hole.point[1].isdigit()}
    path = (None if at in open_at else part for at, part in enumerate(segments(draft.request)))
    return draft.request.method.upper(), tuple(path)


def _is_at(request: Request, place: _Place) -> bool:
    method, path = place
    parts = segments(request)
    if request.method.upper() != method or len(parts) != len(path):
        return False
    return all(part in (None, own) for part, own in zip(path, parts, strict=True))
