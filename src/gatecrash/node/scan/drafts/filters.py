"""Values for what a request asks by: filters, words to search for, columns to sort by, out of what a list has shown.

A filter made up finds nothing, and nothing is what it then finds whatever a test makes of it. Several filters are filled
from one and the same row, so that together they find it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Hole, names_a_thing

_SEARCHES = frozenset({"q", "query", "search", "searchterm", "term", "keyword", "keywords", "text", "s", "needle"})
_SORTS = frozenset({"sort", "sortby", "sortfield", "sortcolumn", "order", "orderby", "ordering"})
_SELECTS = frozenset({"fields", "columns", "select"})
_LEAST_WORD, _MOST_WORD = 3, 30

Row = Mapping[str, Any]


def asked_at(path: tuple[str, ...], request: Request) -> tuple[str, ...]:
    """Where a request asks for rows: its path, and the field of a GraphQL operation, which has one path for all."""
    operation = operation_of(request)
    return (*path, operation.field) if operation is not None else path


def asked_for(holes: Iterable[Hole], rows: Sequence[Any], values: Mapping[str, str]) -> dict[Hole, str]:
    """Better values for the loose ones of these holes. rows: of the nearest list. values: what the request has, by name."""
    loose = [hole for hole in holes if hole.loose]
    shown = [members_of(row) for row in rows if isinstance(row, dict)]
    given = {plain(hole.name): values.get(hole.name) for hole in loose if hole.given}
    if not loose or not shown:
        return {}
    row = max(shown, key=lambda one: _fits(one, given))
    found: dict[Hole, str] = {}
    for hole in loose:
        value = None if hole.given else _value(plain(hole.name), row)
        if value is not None:
            found[hole] = value
    return found


def members_of(row: Row) -> dict[str, Any]:
    """The members of a row that have a plain value, by their names without case and signs; of several values the first, by
    what one of them is called: `tag` of `tags`.
    """
    told = {plain(str(name)): one for name, one in row.items()}
    first = {singular(name): one[0] for name, one in told.items() if isinstance(one, list) and one}
    return {name: one for name, one in (told | (first | told)).items() if isinstance(one, str | int | float)}


def _fits(row: Row, given: Mapping[str, str | None]) -> int:
    """How many of the values that stay as they are the row has itself."""
    return sum(str(row[name]) == value for name, value in given.items() if name in row)


def _value(name: str, row: Row) -> str | None:
    if name in row:
        one = row[name]
        return _text(one) if one != "" else None
    if name in _SEARCHES:
        return next((one for called, one in row.items() if not names_a_thing(called) and _is_word(one)), None)
    if name in _SORTS | _SELECTS:
        return next(iter(row), None)
    return None


def _text(value: str | float) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and value.isalpha() and _LEAST_WORD <= len(value) <= _MOST_WORD
