"""Who of the record's users may do more than others, where their recorded sessions are over, or a profile says how they
sign in and nothing of their ranks: the users that sign in again are asked for pages that only one of them was recorded
at.

Who is let in wherever another is, and where that other is refused, stands above him. A record alone shows no refusals,
and what is asked before the plan is asked in the recorded sessions.
"""

from collections.abc import Iterable, Iterator

import msgspec

from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE
from gatecrash.core.testing.effects.destruction import destroys, names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.outcomes.refused import shows_a_way_out
from gatecrash.core.testing.profiles.belonging import going_to, sender_of
from gatecrash.core.testing.profiles.profile import RECORDED, AuthProfile, ProfileIdentity
from gatecrash.core.testing.profiles.reach import Reach, names_nobody
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand

MOST_IDENTITIES = 5
MOST_OWN = 5
"""Pages that one identity alone was recorded at."""
MOST_COMMON = 2
MOST_KEPT = 200
_LOW = frozenset(HAS_ROLE + role for role in LOW_ROLES)


class _Page(msgspec.Struct):
    """One page that names nobody. senders: who was recorded at it. asked: who was asked for it."""

    request: Request
    senders: set[str] = msgspec.field(default_factory=set)
    asked: set[str] = msgspec.field(default_factory=set)


class Entrances:
    """One run's. counted: what the requests are counted under.

    await entrances.compare(requests)     for recorded requests, aimed as they are tested
    """

    def __init__(self, traffic: Traffic, recogniser: Recognises, counted: str) -> None:
        """Nobody was asked yet. recogniser: tells the recorded sender's credentials, which no identity is asked with."""
        self._traffic = traffic
        self._recogniser = recogniser
        self._errand = Errand(traffic, counted)
        self._pages: dict[tuple[str, bytes], _Page] = {}
        self._reaches: dict[str, Reach] = {}

    async def compare(self, requests: Iterable[Request]) -> None:
        """Ask who may read what, and promote who stands above another. Ranks that somebody wrote down are his to say."""
        profile = self._traffic.sessions.profile
        if profile is None or not _is_open(profile):
            return
        for request in requests:
            self._see(profile, request)
        for page in list(self._wanted()):
            for identity in going_to(profile, page.request)[:MOST_IDENTITIES]:
                if identity.name not in page.asked:
                    page.asked.add(identity.name)
                    await self._ask(identity, page)
        for identity in profile.identities:
            if self._is_above(identity, profile):
                self._traffic.sessions.promote(identity.name)

    def _see(self, profile: AuthProfile, request: Request) -> None:
        if request.method.upper() != "GET" or request.query is not None or not names_nobody(request.path):
            return
        name = sender_of(request, profile.holders) or self._first(profile, request)
        if not name or not is_safe(request) or destroys(request) or names_a_change(request):
            return
        key = (request.origin, request.path)
        if key in self._pages or len(self._pages) < MOST_KEPT:
            self._pages.setdefault(key, _Page(self._bare(request))).senders.add(name)

    def _first(self, profile: AuthProfile, request: Request) -> str:
        """Who sends for lack of another what came with credentials of nobody that a written profile is known to have."""
        if profile.id == RECORDED or not (
            profile.bare or any(one.valid for one in self._recogniser.recognise(request))
        ):
            return ""
        return profile.identities[0].name

    def _bare(self, request: Request) -> Request:
        return without_credentials(request, [one.point for one in self._recogniser.recognise(request)])

    def _wanted(self) -> Iterator[_Page]:
        """Of each identity's own pages some, and some that several were recorded at: who is refused everywhere is not signed in."""
        taken: dict[str, int] = {}
        for page in self._pages.values():
            name = next(iter(page.senders)) if len(page.senders) == 1 else ""
            taken[name] = taken.get(name, 0) + 1
            if taken[name] <= (MOST_OWN if name else MOST_COMMON):
                yield page

    async def _ask(self, identity: ProfileIdentity, page: _Page) -> None:
        request = page.request
        session = self._traffic.sessions.named(identity.name, request)
        if session is None:
            return
        try:
            response = (await self._errand.plain(session, request)).exchange.response
        except LoginFailed:  # whoever needs the session is told why
            return
        reach, asked = self._reaches.setdefault(identity.name, Reach()), identity.name not in page.senders
        reach.see(Exchange(request, response), asked=asked)
        reach.is_in = reach.is_in or (response is not None and shows_a_way_out(response))

    def _is_above(self, identity: ProfileIdentity, profile: AuthProfile) -> bool:
        own = self._reaches.get(identity.name)
        others = [each for each in profile.identities if each.hosts == identity.hosts and each.name != identity.name]
        reaches = [self._reaches[each.name] for each in others if each.name in self._reaches]
        if own is None or not _LOW.isdisjoint(identity.known):
            return False
        return any(own.is_above(other, frozenset(identity.known)) for other in reaches)


def _is_open(profile: AuthProfile) -> bool:
    """Whether its identities live, and nobody wrote their ranks down."""
    again = profile.id == RECORDED and not profile.recorded and len(profile.identities) > 1
    return again or profile.leaves_ranks_open
