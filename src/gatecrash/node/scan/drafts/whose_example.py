"""Who a described thing is better asked for as, where the document shows one that is not its sender's.

An example (`/letters/303`) is somebody's, and the document does not say of which identity. The list right above does: where
the sender's has not got it and that of another of his rank has, it is the other's. Sent as him, its tests ask whether
others are given it; sent as who is a stranger himself, they would find nobody to whom it belongs.
"""

from collections.abc import Iterable

from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.owners.ownership import listed_apart
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand


class WhoseExample:
    """Asks for the lists of the run's identities, each list once an identity."""

    def __init__(self, traffic: Traffic) -> None:
        """Nothing was asked yet."""
        self._traffic = traffic
        self._lists: dict[tuple[bytes, str], Response | None] = {}

    async def sender_of(self, draft: Draft, drafts: Iterable[Draft], baseline_id: str) -> str:
        """The identity whose list shows the example of a draft that was answered well; empty where it may be its sender's.

        drafts: of the same run. baseline_id: what the lists are counted under.
        """
        shown = _example_of(draft)
        if shown is None:
            return ""
        value, above = (
            (read(draft.request, shown.point) or b"").decode("utf-8", "replace"),
            _above(draft.request, shown),
        )
        own = next(
            (each for each in drafts if each.sender == draft.sender and _lists(each, draft.request, above)), None
        )
        if own is None or own.response is None:
            return ""
        known = self._traffic.sessions.identities(draft.request, draft.sender)
        for other in (each for each in known[1:] if each.rank == known[0].rank):
            theirs = await self._asked(own.request, other.name, baseline_id)
            if theirs is not None and listed_apart(theirs, own.response, value, draft.request.path):
                return str(other.name)
        return ""

    async def _asked(self, request: Request, sender: str, baseline_id: str) -> Response | None:
        place = (request.target, sender)
        if place not in self._lists:
            try:
                answer = await Errand(self._traffic, baseline_id).own(request, sender)
            except LoginFailed:
                return None
            self._lists[place] = answer.exchange.response
        return self._lists[place]


def _example_of(draft: Draft) -> Hole | None:
    """The last part of its path, where the document shows that and it was answered well."""
    response, last = draft.response, draft.request.path.count(b"/") - 1
    if not is_safe(draft.request) or not isinstance(response, Response) or not is_good(response):
        return None
    return next((hole for hole in draft.holes if hole.given and tuple(hole.point) == ("path", str(last))), None)


def _above(request: Request, hole: Hole) -> bytes:
    """The path of what a value stands in."""
    return b"/".join(request.path.split(b"/")[: int(hole.point[1]) + 1])


def _lists(draft: Draft, beside: Request, path: bytes) -> bool:
    """Whether it is what a page of the same host at this path answered well."""
    response, asked = draft.response, draft.request
    same = (asked.host, asked.port, asked.path) == (beside.host, beside.port, path)
    return same and asked.method.upper() == "GET" and isinstance(response, Response) and is_good(response)
