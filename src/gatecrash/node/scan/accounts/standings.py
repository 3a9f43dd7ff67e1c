"""Which identities of a profile stand above others, where it gives none of them a rank and only a description is at hand.

Each is asked for the description's own pages that name nobody: who is let in wherever another is, and where that one is
refused, stands above him, as of users that a record shows. Ranks that somebody wrote down are his to say.
"""

from collections.abc import Iterable, Iterator

from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE
from gatecrash.core.testing.effects.destruction import destroys, names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.profiles.belonging import going_to
from gatecrash.core.testing.profiles.reach import Reach, names_nobody
from gatecrash.formats.draft import Draft
from gatecrash.node.test.beforehand.admission import MOST_OTHERS
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand

MOST_OWN = 10
"""Pages that the first identity is let in at; and as many that another one is sent for."""
_LEAST = 2
"""One that both are let in at, and one that is refused to somebody."""
_LOW = frozenset(HAS_ROLE + role for role in LOW_ROLES)


class Standings:
    """One run's. counted: what the requests are counted under.

    await standings.learn(drafts)     once the answers of the drafts are known
    """

    def __init__(self, traffic: Traffic, counted: str) -> None:
        """Nobody was asked yet."""
        self._traffic = traffic
        self._errand = Errand(traffic, counted)

    async def learn(self, drafts: Iterable[Exchange]) -> None:
        """Ask who may read what, and promote who stands above others: the more of them, the higher."""
        profile = self._traffic.sessions.profile
        if profile is None or not profile.leaves_ranks_open:
            return
        pages = list(_wanted(drafts))
        if len(pages) < _LEAST:
            return
        reaches: dict[str, Reach] = {each.name: Reach() for each in profile.identities[: MOST_OTHERS + 1]}
        for request in pages:
            for identity in going_to(profile, request):
                if identity.name in reaches:
                    await self._ask(identity.name, request, reaches[identity.name])
        for name, reach in reaches.items():
            known = frozenset(self._traffic.sessions.known(name))
            if _LOW.isdisjoint(known):
                below = sum(reach.is_above(other, known) for each, other in reaches.items() if each != name)
                if below:
                    self._traffic.sessions.promote(name, below)

    async def _ask(self, name: str, request: Request, reach: Reach) -> None:
        session = self._traffic.sessions.named(name, request)
        if session is None:
            return
        try:
            response = (await self._errand.plain(session, request)).exchange.response
        except LoginFailed:  # whoever needs the session is told why
            return
        reach.see(Exchange(request, response))


def _wanted(drafts: Iterable[Exchange]) -> Iterator[Request]:
    """What somebody read and names nobody, without anything optional; of what each is sent for, a few."""
    taken: dict[str, int] = {}
    for draft in drafts:
        if not isinstance(draft, Draft) or draft.public or draft.response is None:
            continue
        request = draft.spare or draft.request
        if draft.response.status < FIRST_REDIRECT and _is_page(request):
            taken[draft.sender] = taken.get(draft.sender, 0) + 1
            if taken[draft.sender] <= MOST_OWN:
                yield request


def _is_page(request: Request) -> bool:
    if request.method.upper() != "GET" or request.query is not None or not names_nobody(request.path):
        return False
    return is_safe(request) and not destroys(request) and not names_a_change(request)
