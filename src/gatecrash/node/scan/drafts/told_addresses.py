"""What the addresses in an answer name: `"report_link": "/reports?report_id=7"` says which report there is now.

Answers lead on by links (`_links.self.href`, `url`, `Location` in a body). What stands at the end of a path is a thing
of what the path lists; what a query names is called so.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Hole

MOST = 20
_DEEPEST, _MOST_OF_A_LIST, _LONGEST = 5, 5, 500


class Told(NamedTuple):
    """One address. path: its decoded segments. above: those before its last, where that is an identifier. named: its parameters."""

    path: tuple[str, ...]
    above: tuple[str, ...]
    last: str
    named: tuple[tuple[str, str], ...]


class LedTo:
    """What answers lead to by the query of an address: what a parameter there is likely to name.

    What the answer to something new leads to is likelier its sender's than what a list does; an example of the document is
    likelier somebody else's.
    """

    def __init__(self) -> None:
        """No answer has led anywhere yet."""
        self._values: defaultdict[tuple[tuple[str, ...], str], list[tuple[bool, str]]] = defaultdict(list)

    def learn(self, told: Told, *, creating: bool) -> None:
        """Take what an address asks by. creating: it was told in answer to something new."""
        for name, value in told.named:
            known = self._values[told.path, plain(name)]
            known.insert(len(known) if creating else 0, (creating, value))

    def at(self, path: tuple[str, ...], hole: Hole, *, creating: bool = False) -> Iterator[str]:
        """What may stand in a hole of the query at this very path, the likeliest first; creating: of something new alone."""
        known = self._values.get((path, plain(hole.name)), ()) if hole.point[0] == "get" else ()
        return (value for by_new, value in reversed(known) if by_new or not creating)


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
