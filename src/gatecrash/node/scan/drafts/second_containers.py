"""What stands above other things, made for the second account of a scan as well: `/projects` where `/projects/7/documents/9`
is described.

Whether somebody gets what is another's below something of his own can be asked only of who has such a thing, and an
account that was just made has nothing.
"""

from collections.abc import Iterable, Iterator, Sequence

from gatecrash.core.testing.profiles.profile import ENROLLED
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.answered import is_good
from gatecrash.node.scan.drafts.known_values import Path, segments
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand

MOST_MADE = 3


class SecondContainers:
    """One run's. counted: what the requests are counted under.

    await containers.make(drafts)     once the answers of the drafts are known
    """

    def __init__(self, traffic: Traffic, counted: str) -> None:
        """Nothing was made yet."""
        self._traffic = traffic
        self._errand = Errand(traffic, counted)

    async def make(self, drafts: Sequence[Draft]) -> None:
        """Send what made them once more as the second account, where the scan has made both accounts itself."""
        profile = self._traffic.sessions.profile
        if profile is None or profile.id != ENROLLED or len(profile.identities) < 2:
            return
        for draft in _makers(drafts):
            session = self._traffic.sessions.named(profile.identities[1].name, draft.request)
            try:
                if session is not None:
                    await self._errand.plain(session, draft.request)
            except LoginFailed:  # whoever needs the session is told why
                return


def _makers(drafts: Sequence[Draft]) -> Iterator[Draft]:
    above = set(_containers(drafts))
    made = (one for one in drafts if one.request.method == "POST" and not one.public and is_good(one.response))
    for one, _ in zip((each for each in made if segments(each.request) in above), range(MOST_MADE), strict=False):
        yield one


def _containers(drafts: Iterable[Draft]) -> Iterator[Path]:
    """The lists of what stands above another thing in the address of something that was read."""
    for one in drafts:
        if one.request.method == "GET" and is_good(one.response):
            places = sorted(int(hole.point[1]) for hole in one.holes if hole.point[0] == "path")
            yield from (segments(one.request)[:place] for place in places[:-1])
