"""The inventory as CSV (RFC 4180): one row an endpoint, for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gatecrash.core.reports.csv import cell

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


def rows(endpoints: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of the file, its head first; each ends with CRLF. endpoints: as the API shows them."""
    yield _line(COLUMNS)
    for one in endpoints:
        yield _line([_cell(one, name) for name in COLUMNS])


def _cell(one: Mapping[str, Any], name: str) -> str:
    value = one[name]
    if name == "parameters":
        shown = (f"{item['type']} {item['context']} {item['key']} {item['coverage']}%" for item in value)
        return cell("; ".join(shown))
    if isinstance(value, list):
        return cell("; ".join(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else cell(value)


def _line(cells: Iterable[str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow(cells)
    return written.getvalue()
