"""Ranks of users by which addresses they may read: a user who may read all that another may, and more, has a higher rank. Only addresses
that name nobody count.

A clerk reads what is any customer's, and that is no flaw. Where each of two reaches something that the other does not, they are the
sides of a market, and neither may read what is the other's.
"""

import re
from collections.abc import Set as AbstractSet

import msgspec

from gatecrash.core.message import Exchange
from gatecrash.core.testing.oracles.refused import refusal

_MOST = 100
_FIRST_NOT_GOOD = 300
_REFUSED = (401, 403)
_NAMES_ONE = re.compile(rb"/(?:\d+|[^/]*\d[^/]{5,})(?=/|$)")


def names_nobody(path: bytes) -> bool:
    """Whether no part of a path looks like the identifier of one of many."""
    return _NAMES_ONE.search(path) is None


class Reach(msgspec.Struct):
    """Of one user. entered, barred: the paths."""

    entered: set[bytes] = msgspec.field(default_factory=set)
    barred: set[bytes] = msgspec.field(default_factory=set)

    def see(self, exchange: Exchange) -> None:
        """One more request of his, with its answer."""
        request, response = exchange.request, exchange.response
        if response is None or request.method.upper() != "GET" or request.query is not None:
            return
        if not names_nobody(request.path):
            return
        if response.status < _FIRST_NOT_GOOD and refusal(response) is None:
            kept = self.entered
        elif response.status in _REFUSED:
            kept = self.barred
        else:
            return
        if len(kept) < _MOST:
            kept.add(request.path)

    def is_above(self, other: "Reach", names: AbstractSet[str]) -> bool:
        """Whether he is let in where the other is refused, though signed in, and the other nowhere where he is refused.

        names: what he is called; an address with his name in it is his own. Where he was refused himself, with another token of
        his, that address asks for a kind of token that the other may have as well.
        """
        more = any(names.isdisjoint(_words(path)) for path in (self.entered & other.barred) - self.barred)
        return more and not self.entered.isdisjoint(other.entered) and self.barred.isdisjoint(other.entered)


def _words(path: bytes) -> set[str]:
    return {word.lower() for word in path.decode("latin-1").split("/")}
