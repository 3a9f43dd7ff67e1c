"""Links that only combine what was read before: lists that are sorted, filtered and narrowed down further and further.

combined = Combined()
combined.brings_more(request)    whether it says something that no other of its page did; it is remembered then

Each way to sort a list goes with each filter, each format and each number of rows: some few values make hundreds of addresses,
which are all read by one program in one way. What it does with a value shows where that value is first given, and what with two
parameters together where they first stand together. So an address brings more where one of its values is new to its page, or two
of its names were not given together. A few others are read as well, for a small site has no more of them.

What chooses the page (`?module=orders&action=edit`) counts as the page's address does. Sentences and statements are one value: what
somebody wrote chooses nothing.
"""

from collections import Counter
from itertools import combinations
from urllib.parse import unquote_to_bytes

from gatecrash.core.message import Request
from gatecrash.core.testing.operations.one_script import names_page

_MOST_NAMES = 20
"""Names of one query that are looked at in pairs."""
_MOST_COMBINED = 8
"""Addresses of one page that are read though they bring nothing more."""
_SHORTEST_WRITTEN, _FEWEST_WORDS = 24, 3


class Combined:
    """What the addresses of each page have said so far."""

    def __init__(self) -> None:
        self._said: set[tuple[bytes, ...]] = set()
        self._others: Counter[bytes] = Counter()

    def brings_more(self, request: Request) -> bool:
        """Whether it is worth reading; remembered where it is."""
        if not request.query:
            return True
        page, told = _told(request)
        said = {(page, *pair) for pair in told}
        said |= {(page, *two) for two in combinations(sorted({name for name, _ in told})[:_MOST_NAMES], 2)}
        if said <= self._said:
            self._others[page] += 1
            return self._others[page] <= _MOST_COMBINED
        self._said |= said
        return True


def _told(request: Request) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """The page, with what chooses it; names and values of the others."""
    pages, told = [request.method.encode(), request.path], []
    for part in (request.query or b"").split(b"&"):
        name, sign, value = part.partition(b"=")
        if names_page(name.decode("latin-1")):
            pages.append(part)
        else:
            text = unquote_to_bytes(value.replace(b"+", b" "))
            told.append((name, b"a text" if _is_written(text) else sign + text))
    return b" ".join(pages), told


def _is_written(text: bytes) -> bool:
    return len(text) >= _SHORTEST_WRITTEN and len(text.split()) >= _FEWEST_WORDS
