"""One page of a list: which rows, and the links to the others."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

ROWS = 50
LAST = 20_000


@dataclass(frozen=True, slots=True)
class Listing:
    """A part of a list. number: from 1."""

    rows: Any
    total: int
    number: int
    size: int = ROWS

    @property
    def pages(self) -> int:
        """How many pages there are, one at least."""
        return max(1, -(-self.total // self.size))

    @property
    def first(self) -> int:
        """The number of the first row shown."""
        return (self.number - 1) * self.size + 1 if self.total else 0

    @property
    def last(self) -> int:
        """The number of the last row shown."""
        return min(self.total, self.number * self.size)

    @property
    def previous(self) -> int | None:
        """The page before."""
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        """The page behind."""
        return self.number + 1 if self.number < self.pages else None


def page_number(request: HttpRequest) -> int:
    """The page asked for; whatever cannot be one is the first."""
    text = request.GET.get("page", "")
    return min(LAST, max(1, int(text))) if text.isascii() and text.isdigit() and len(text) < 9 else 1


def listing(request: HttpRequest, rows: Any, size: int = ROWS) -> Listing:
    """The part of a queryset that is asked for; behind the last page there is the last page."""
    total = rows.count()
    return part(request, lambda limit, offset: (list(rows[offset : offset + limit]), total), size)


def part(request: HttpRequest, read: Callable[[int, int], tuple[Any, int]], size: int = ROWS) -> Listing:
    """The part that is asked for of what `read(limit, offset)` gives with the total; behind the last page, the last.

    An address stays while rows are deleted and filters change; an empty page would say that there is nothing.
    """
    number = page_number(request)
    rows, total = read(size, (number - 1) * size)
    found = Listing(rows, total, number, size)
    if number <= found.pages:
        return found
    rows, total = read(size, (found.pages - 1) * size)
    return Listing(rows, total, found.pages, size)


def chosen(request: HttpRequest, name: str, allowed: Any) -> str | None:
    """A filter of the address; what is not among the allowed values filters nothing."""
    value = request.GET.get(name, "")
    return value if value in allowed else None


def searched(request: HttpRequest, name: str = "q") -> str:
    """A text that is searched for, without what no database takes."""
    return request.GET.get(name, "").replace("\x00", "").strip()[:255]
