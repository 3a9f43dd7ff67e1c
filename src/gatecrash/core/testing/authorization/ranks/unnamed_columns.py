"""Tables of people on pages that do not name their columns: which of them tells how to reach somebody, and which his role.

Numbers that begin as telephone numbers do, or addresses of mail, another one in each row, are ways to reach somebody;
single words, fewer than there are rows, are roles. All other columns keep their place for a name.
"""

import html
import re

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.owners.private_fields import MAIL
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.pages.markup import END, START, TEXT, tokens

_LEAST_ROWS = 3
_MOST_ROWS = 500
# What a cell holds beyond this is nobody's name, and its pieces would be put together again for each of many.
_LONG_CELL = 300
_PHONE = re.compile(r"[+0(][\d ()/-]{4,20}")
_WORD = re.compile(r"[a-z][a-z_-]{2,19}")
_Table = list[list[str]]


def unnamed_columns(response: Response) -> list[dict[str, list[str]]]:
    """The columns of each table of a page without names for them, by the names given here, in small letters."""
    if "html" not in media_type(response):
        return []
    return [_named(rows) for rows in _tables(text_of(response)) if _is_even(rows)]


def _named(rows: _Table) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for place, values in enumerate(zip(*rows, strict=True)):
        told = list(values)
        found[_name(told, place, is_first="role" not in found)] = told
    return found


def _name(values: list[str], place: int, *, is_first: bool) -> str:
    distinct = len(set(values))
    if distinct == len(values) and all(map(MAIL.fullmatch, values)):
        return f"email_{place}"
    if distinct == len(values) and all(map(_PHONE.fullmatch, values)):
        return f"phone_{place}"
    if is_first and 1 < distinct < len(values) and all(map(_WORD.fullmatch, values)):
        return "role"
    return f"column_{place}"


def _is_even(rows: _Table) -> bool:
    return len(rows) >= _LEAST_ROWS and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1


def _tables(text: str) -> list[_Table]:
    """The rows of each table that has no heading; a row begins with its tag, and so does a cell."""
    tables: list[_Table | None] = []
    within = False
    for token in tokens(text):
        rows = tables[-1] if tables else None
        if token.kind == START and token.name == "table":
            tables.append([])
        elif token.kind == START and token.name == "th" and tables:
            tables[-1] = None
        elif token.kind == START and token.name == "tr" and rows is not None and len(rows) < _MOST_ROWS:
            rows.append([])
        elif token.kind == START and token.name == "td" and rows:
            rows[-1].append("")
            within = True
        elif token.kind == END and token.name in ("td", "tr", "table"):
            within = False
        elif token.kind == TEXT and within and rows and rows[-1] and len(rows[-1][-1]) < _LONG_CELL:
            said = html.unescape(text[token.begin : token.end]).lower().split()
            rows[-1][-1] = " ".join((*rows[-1][-1].split(), *said))
    return [rows for rows in tables if rows is not None]
