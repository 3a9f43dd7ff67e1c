"""The requests of one run that exchanged a refresh token for a fresh access token.

exchanges.see(exchange)     for each exchange of the run
exchanges.of(request)       of what signs out, the nearest of them, with the token that is good since

A logout that was recorded with cookies, and no token among them, ends another session: that of a site's pages, say.
"""

from collections import OrderedDict

from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.addresses.page_paths import steps_in_common
from gatecrash.core.testing.authorization.tokens.exchanged import Exchanged, access_points, latest_of, refresh_point
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.known.objects import Made
from gatecrash.core.testing.oracles.outcomes.refused import refusal

_MOST_KEPT = 20
_WORD = b"refresh"
# A cookie goes along with a GET as well.
_METHODS = ("POST", "GET", "PUT")


class Exchanges:
    """A bounded number of them, each address once, the latest last."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: OrderedDict[tuple[str, int, bytes], Exchanged] = OrderedDict()
        # Logouts, each with whether it was recorded as one of tokens: the tests' own sessions may have both.
        self._logouts: dict[tuple[str, int, bytes], bool] = {}

    def see(self, exchange: Exchange) -> bool:
        """Keep what was answered with a token for a refresh token, and how a logout came. Whether it was not known before."""
        request, response = exchange.request, exchange.response
        place = (request.host, request.port, request.path)
        if signs_out(request):
            is_first = place not in self._logouts and len(self._logouts) < _MOST_KEPT
            self._logouts |= {place: _may_be_of_tokens(request)} if is_first else {}
            return is_first
        if response is None or request.method.upper() not in _METHODS or response.status >= FIRST_ERROR:
            return False
        sent = (request.target, request.body, request.first(b"Cookie") or b"")
        if not any(_WORD in each.lower() for each in sent) or refusal(response) is not None or destroys(request):
            return False
        found = latest_of(request, response)
        if found is None:
            return False
        is_new = self._known.pop(place, None) != found
        self._known[place] = found
        if len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)
        return is_new

    def of(self, request: Request) -> tuple[Made, ...]:
        """For a request that signs out: the nearest by path, the latest of these, its token and the place of that."""
        is_its = self._logouts.get((request.host, request.port, request.path), True)
        if not self._known or not is_its or not signs_out(request):
            return ()
        own = [each for place, each in self._known.items() if place[:2] == (request.host, request.port)]
        near = max(reversed(own), key=lambda each: steps_in_common(each.request.path, request.path), default=None)
        return (Made(near.request, (), near.now, near.point),) if near is not None else ()


def _may_be_of_tokens(request: Request) -> bool:
    tokens = refresh_point(request) is not None or bool(access_points(request))
    return tokens or request.first(b"Cookie") is None or request.first(b"Authorization") is not None
