"""What the addresses in an answer name: `"report_link": "/reports?report_id=7"` says which report there is now.

Answers lead on by links (`_links.self.href`, `url`, `Location` in a body). What stands at the end of a path is a thing
of what the path lists; what a query names is called so.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from gatecrash.core.inventory.identifiers import look_in_path

MOST = 20
_DEEPEST, _MOST_OF_A_LIST, _LONGEST = 5, 5, 500


class Told(NamedTuple):
    """One address. path: its decoded segments. above: those before its last, where that is an identifier. named: its parameters."""

    path: tuple[str, ...]
    above: tuple[str, ...]
    last: str
    named: tuple[tuple[str, str], ...]


def addresses_in(body: Any) -> Iterator[Told]:
    """Those in the texts of a document, in their order, a bounded number of them."""
    for count, text in enumerate(_texts(body, 0)):
        if count == MOST:
            return
        try:
            parts = urlsplit(text)
        except ValueError:
            continue
        path = tuple(unquote(segment) for segment in parts.path.strip("/").split("/"))
        is_one = len(path) > 1 and look_in_path(path[-1]) is not None
        named = tuple((name, value) for name, value in parse_qsl(parts.query) if value)
        if is_one or named:
            yield Told(path, path[:-1] if is_one else (), path[-1] if is_one else "", named)


def _texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) <= _LONGEST and value.startswith(("/", "http://", "https://")) and " " not in value:
            yield value
    elif isinstance(value, dict | list) and depth < _DEEPEST:
        for one in value[:_MOST_OF_A_LIST] if isinstance(value, list) else value.values():
            yield from _texts(one, depth + 1)
