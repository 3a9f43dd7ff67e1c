"""What the identities of a profile are called by the application: each is asked, signed in, who he is, before anything is tested.

A record tells that of who was recorded. With a description and a profile nobody was, and a recording by one of them
tells nothing of the others; whose objects are whose is seen by such names, numbers and tenants all the same, and whom a
section is for by their roles. Tenants are told by a list that shows each his own (`/orgs`), too.
"""

from collections.abc import Iterable, Iterator

from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself, self_values
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE, role_word
from gatecrash.core.testing.authorization.ranks.roles import fields
from gatecrash.core.testing.effects.destruction import destroys, names_a_change
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.profiles.belonging import going_to
from gatecrash.core.testing.profiles.own_data import OwnData, lists_tenants
from gatecrash.core.testing.profiles.profile import ProfileIdentity
from gatecrash.core.testing.profiles.step_request import check_request
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand

MOST_IDENTITIES = 6
"""Who is signed in for it, in the profile's order."""
MOST_PAGES = 2
"""Where one host tells who somebody is, and where it lists tenants: so many of each."""


class Introductions:
    """One run's. counted: what the requests are counted under.

    await introductions.make(requests)     for recorded requests, aimed as they are tested
    """

    def __init__(self, traffic: Traffic, recogniser: Recognises, counted: str) -> None:
        """Nobody was asked yet. recogniser: tells the recorded sender's credentials, which no identity is asked with."""
        self._traffic = traffic
        self._recogniser = recogniser
        self._errand = Errand(traffic, counted)
        self._asked: dict[tuple[str, str, bool], set[bytes]] = {}
        self._shown: dict[tuple[str, str], OwnData] = {}

    async def make(self, requests: Iterable[Request]) -> None:
        """Ask what of it tells each who he is, or the identity's check address; what was asked once is not asked again."""
        profile = self._traffic.sessions.profile
        if profile is None or profile.recorded or len(profile.identities) < 2:
            return
        for request in requests:
            for identity in going_to(profile, request)[:MOST_IDENTITIES]:
                for asked in self._questions(identity, request):
                    await self._ask(identity, asked)

    def _questions(self, identity: ProfileIdentity, request: Request) -> Iterator[Request]:
        own = check_request(identity.check, self._traffic.sessions.origin(request)) if identity.check else None
        for asked in (request, own):
            if asked is None or destroys(asked) or names_a_change(asked):
                continue
            if not asks_about_oneself(asked) and not lists_tenants(asked):
                continue
            met = self._asked.setdefault((identity.name, asked.host, lists_tenants(asked)), set())
            if asked.target + asked.body not in met and len(met) < MOST_PAGES:
                met.add(asked.target + asked.body)
                yield without_credentials(asked, [one.point for one in self._recogniser.recognise(asked)])

    async def _ask(self, identity: ProfileIdentity, request: Request) -> None:
        session = self._traffic.sessions.named(identity.name, request)
        if session is None:
            return
        try:
            response = (await self._errand.plain(session, request)).exchange.response
        except LoginFailed:  # whoever needs the session is told why
            return
        if response is None or not is_good(response):
            return
        if lists_tenants(request):
            self._compare(identity.name, Exchange(request, response))
        else:
            role = role_word(fields(response))
            self._traffic.sessions.tell(identity.name, self_values(response) | ({HAS_ROLE + role} if role else set()))

    def _compare(self, name: str, exchange: Exchange) -> None:
        """Tell each of two identities which tenants a list shows to him and not to the other."""
        host = exchange.request.host
        own = self._shown.setdefault((name, host), OwnData())
        own.see(exchange)
        for (another, there), other in self._shown.items():
            if there == host and another != name:
                self._traffic.sessions.tell(name, own.tenants_beside(other))
                self._traffic.sessions.tell(another, other.tenants_beside(own))
