"""Addresses of a section that were refused to somebody who was signed in: what he is given beside them may have been forgotten.

Only pages are kept, by the folder that they stand in; what all of a site stands below is no section. Those of a version
(`/v2/members`) are kept wherever they stand, for the old version of the same may have been forgotten.
"""

from collections import OrderedDict

from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import UNAUTHORIZED
from gatecrash.core.testing.addresses.sections import folder_of
from gatecrash.core.testing.addresses.versions import names_version, newer_versions
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.oracles.outcomes.refused import refusal

_MOST_KEPT = 500
_MOST_TOLD = 2

_Folder = tuple[str, int, bytes]


class Barred:
    """One run's; a bounded number."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: OrderedDict[_Folder, dict[bytes, None]] = OrderedDict()
        self._versioned: set[_Folder] = set()

    def see(self, exchange: Exchange, *, visited: bool) -> bool:
        """Keep the address where it was refused to its sender. visited: he had no credentials. Whether it was not known before."""
        request, response = exchange.request, exchange.response
        if visited or response is None or request.method.upper() != "GET" or destroys(request):
            return False
        folder = _folder(request)
        if response.status == UNAUTHORIZED or refusal(response) is None:
            return False
        if names_version(request.target) and len(self._versioned) < _MOST_KEPT:
            self._versioned.add((request.host, request.port, request.target))
        if folder is None:
            return False
        kept = self._known.setdefault(folder, {})
        if request.target in kept or len(kept) >= _MOST_TOLD:
            return False
        kept[request.target] = None
        if len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)
        return True

    def newer(self, request: Request) -> frozenset[bytes]:
        """Of the next versions of a request's own address those that were refused."""
        places = ((request.host, request.port, each) for each in newer_versions(request.target))
        return frozenset(place[-1] for place in places if place in self._versioned)

    def beside(self, request: Request) -> tuple[bytes, ...]:
        """Those that stand right beside a request's own address."""
        folder = _folder(request)
        return () if folder is None else tuple(each for each in self._known.get(folder, {}) if each != request.target)


def _folder(request: Request) -> _Folder | None:
    """What a path stands below; None where that is all of a site."""
    folder = folder_of(request.path)
    return None if folder is None else (request.host, request.port, folder)
