"""What an answer tells, one scalar after the other, each with the names that lead to it.

Of a document of JSON:API (section 7.4, resource linkage) whom an object belongs to is told as in any other:
`owner.data.id` as `owner.id`. An object that has no identifier but a link to itself is told by that: as `id`.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import orjson

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import content_of, media_type, text_of
from gatecrash.core.testing.oracles.elements import elements, entries
from gatecrash.core.testing.oracles.own_links import identifier_by_link
from gatecrash.core.testing.oracles.pages.labelled import labelled
from gatecrash.core.testing.oracles.remembering import remembered

_MOST_LEAVES = 5000
_MOST_ROWS = 500
# By which a client knows the answer to its call (JSON-RPC 2.0, section 5): nobody and nothing is called so.
_OF_THE_CALL = ("jsonrpc", "id")
_LINKED = ("relationships",)
_SEPARATOR = re.compile(r"[\s-]+")
# Feeds are published by what they are, and pages and drawings are read otherwise.
_DOCUMENT = re.compile(r"(?<!rss\+)(?<!atom\+)(?<!svg\+)(?<!xhtml\+)xml")


class Leaf(NamedTuple):
    """A scalar of an answer. path: the names that lead to it, without the numbers of lists."""

    path: tuple[str, ...]
    value: str


@remembered
def leaves(response: Response) -> Sequence[Leaf]:
    """Every scalar of a JSON or an XML answer, every cell of a table, and every value that a page shows with its name."""
    content = content_of(response)
    try:
        document = orjson.loads(content or b"")
    except orjson.JSONDecodeError:
        kind = media_type(response)
        if "csv" in kind:
            return _cells(text_of(response))
        if _DOCUMENT.search(kind):
            return [Leaf(path, value) for path, value in elements(content or b"", _MOST_LEAVES)]
        shown = labelled(text_of(response)) if "html" in kind else []
        return [Leaf((_SEPARATOR.sub("_", name),), value) for name, value in shown]
    found: list[Leaf] = []
    todo: list[tuple[tuple[str, ...], object]] = [((), document)]
    while todo and len(found) < _MOST_LEAVES:
        path, value = todo.pop()
        if isinstance(value, dict):
            if not path and "jsonrpc" in value:
                value = {name: below for name, below in value.items() if name not in _OF_THE_CALL}
            linkage = "data" if path[-2:-1] == _LINKED else None
            identifier = identifier_by_link(value)
            found += [Leaf((*path, "id"), identifier)] if identifier else []
            todo += [(path if name == linkage else (*path, str(name)), below) for name, below in value.items()]
        elif isinstance(value, list):
            todo += [(path, below) for below in value]
        elif value is not None:
            found.append(Leaf(path, value if isinstance(value, str) else str(value)))
    return found


def objects_in_document(response: Response) -> list[list[Leaf]]:
    """What each element of an XML answer holds that holds values itself, named from it on; empty for any other answer."""
    if not _DOCUMENT.search(media_type(response)):
        return []
    found = entries(content_of(response) or b"", _MOST_LEAVES)
    return [[Leaf(path, value) for path, value in each] for each in found]


def _cells(text: str) -> list[Leaf]:
    """Every cell of a table (RFC 4180, or with another separator, as in countries with a decimal comma) under the name in its first row."""
    lines = text.splitlines()[:_MOST_ROWS] or [""]
    first, *rows = list(_rows(lines)) or [[]]
    return [Leaf((name.strip(),), cell) for row in rows for name, cell in zip(first, row, strict=False) if cell]


def _rows(lines: list[str]) -> Iterator[list[str]]:
    """As many as can be read: a quote that is never closed makes one cell of all the rest, which may be too long for one."""
    with suppress(csv.Error):
        yield from csv.reader(lines, delimiter=max(",;\t|", key=lines[0].count))
