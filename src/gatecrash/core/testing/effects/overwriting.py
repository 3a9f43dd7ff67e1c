"""Which baselines overwrite what each other writes: those that change something at the same address.

A test that keeps a value and reads it back afterwards finds it only where no other test has written there in between.
"""

from collections.abc import Iterable
from itertools import islice

from gatecrash.core.message import Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.graphql import address_of, only_queries

MOST_WRITERS = 12
"""Where a record holds more different requests that write at one address, it serves many purposes (one script for all forms)
or takes new things (orders, messages): they do not overwrite each other, and one after the other would take too long."""

MOST_LOOKED_AT = 100
"""So many of those that wait are looked at for one that can begin."""

Address = tuple[str, bytes]


def written_at(request: Request) -> Address | None:
    """The path with the operation that is called there, and the query; None where the request changes nothing.

    The method does not count: PUT and PATCH write the same thing.
    """
    if is_safe(request) or only_queries(request):
        return None
    return address_of(request), request.query or b""


class Apart:
    """The baselines under test, to begin others beside them that write elsewhere: a worker that waits for its turn is lost."""

    def __init__(self) -> None:
        """None is under test."""
        self._addresses: dict[str, Address] = {}

    def began(self, baseline: Baseline) -> None:
        """Its tests began."""
        address = written_at(baseline.request)
        if address is not None:
            self._addresses[baseline.id] = address

    def ended(self, name: str) -> None:
        """Its tests are over."""
        self._addresses.pop(name, None)

    def first(self, waiting: Iterable[Baseline]) -> Baseline | None:
        """The first of those that wait which writes where no other does; where there is none, the first of all."""
        busy = set(self._addresses.values())
        near = tuple(islice(waiting, MOST_LOOKED_AT))
        return next((each for each in near if not busy or written_at(each.request) not in busy), next(iter(near), None))
