"""The inventory as CSV (RFC 4180): one row an endpoint, for spreadsheets.

What a client called and what a document says are strangers' texts: a cell that begins as a formula does would be run by a
spreadsheet (CWE-1236), so such a cell gets an apostrophe before it.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

COLUMNS = (
    "id",
    "protocol",
    "method",
    "host",
    "path",
    "operation",
    "status",
    "coverage",
    "types",
    "parameters",
    "requests",
    "authenticated",
    "refused",
    "first_seen",
    "last_seen",
    "document",
    "public",
    "badges",
)
# What spreadsheets take for the beginning of a formula, full-width forms included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def rows(endpoints: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of the file, its head first; each ends with CRLF. endpoints: as the API shows them."""
    yield _line(COLUMNS)
    for one in endpoints:
        yield _line([_cell(one, name) for name in COLUMNS])


def safe(text: str) -> str:
    """The text as a cell that no spreadsheet runs."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def _cell(one: Mapping[str, Any], name: str) -> str:
    value = one[name]
    if name == "parameters":
        shown = (f"{item['type']} {item['context']} {item['key']} {item['coverage']}%" for item in value)
        return safe("; ".join(shown))
    if isinstance(value, list):
        return safe("; ".join(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else safe(value) if isinstance(value, str) else str(value)


def _line(cells: Iterable[str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow(cells)
    return written.getvalue()
