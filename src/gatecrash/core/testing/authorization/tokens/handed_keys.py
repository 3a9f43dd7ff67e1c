"""Keys that an answer handed out, and recorded requests that were let in by one.

keys = HandedKeys()
keys.see(exchange)                 for each exchange of the run
keys.used_with(makers)             where what these requests hand out was brought along
"""

from collections import OrderedDict
from collections.abc import Iterable

from gatecrash.core.message import Exchange, Request, is_of_body, unsigned
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.forms.tokens import is_random
from gatecrash.core.testing.known.objects import KeyUse, Made
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.places.walked_points import walked

_MOST_GIVEN, _MOST_USES, _LARGEST = 500, 50, 8_000

_Place = tuple[str, int, bytes]


class HandedKeys:
    """Those of one run, a bounded number of them."""

    def __init__(self) -> None:
        """None was handed out yet."""
        self._given: OrderedDict[str, tuple[_Place, tuple[str, ...]]] = OrderedDict()
        self._uses: OrderedDict[tuple[_Place, bytes], KeyUse] = OrderedDict()

    def see(self, exchange: Exchange) -> bool:
        """Keep what an answer hands out, or where that is brought along; whether the latter was not known before."""
        request, response = exchange.request, exchange.response
        if response is None or not is_taken(response):
            return False
        if is_safe(request):
            return self._see_use(request)
        if request.method.upper() != "POST" or signs_in(request) or len(response.body) > _LARGEST:
            return False
        sent = request.body.decode("utf-8", "replace")
        for leaf in leaves(response):
            if leaf.path and is_random(leaf.value) and leaf.value not in sent and len(self._given) < _MOST_GIVEN:
                self._given[leaf.value] = (place_of(request), leaf.path)
        return False

    def _see_use(self, request: Request) -> bool:
        ways = (self._in_a_header, self._in_the_query, self._in_the_path) if self._given else ()
        use = next((found for way in ways if (found := way(request)) is not None), None)
        if use is None or (use.made_by, request.path) in self._uses or len(self._uses) >= _MOST_USES:
            return False
        self._uses[use.made_by, request.path] = use
        return True

    def _in_a_header(self, request: Request) -> KeyUse | None:
        for name, value in request.headers:
            word, space, last = value.rpartition(b" ")
            given = self._given.get(last.decode("latin-1"))
            if given is not None and name.lower() != b"cookie" and not is_of_body(name):
                return KeyUse(unsigned(request), *given, last.decode("latin-1"), None, name, word + space)
        return None

    def _in_the_query(self, request: Request) -> KeyUse | None:
        for each in walked(request) if request.query else ():
            value = each.value.decode("latin-1")
            given = self._given.get(value) if each.point[0] == "get" and not each.container else None
            if given is not None:
                return KeyUse(unsigned(request), *given, value, each.point)
        return None

    def _in_the_path(self, request: Request) -> KeyUse | None:
        """A link for whoever has it (`/shared/4fQ…`), which somebody followed without any credentials; no identifier of an object."""
        if any(request.first(name) for name in (b"Authorization", b"Cookie")):
            return None
        for each in walked(request):
            given = self._given.get(each.value.decode("latin-1")) if each.point[0] == "path" else None
            if given is not None and not each.container and given[1][-1].lower() not in IDENTIFIERS:
                return KeyUse(unsigned(request), *given, each.value.decode("latin-1"), each.point)
        return None

    def used_with(self, makers: Iterable[Made]) -> tuple[KeyUse, ...]:
        """The requests that brought what these hand out."""
        places = {place_of(made.request) for made in makers}
        return tuple(use for use in self._uses.values() if use.made_by in places)


def place_of(request: Request) -> _Place:
    """Where a request goes, whatever it asks for there."""
    return request.host, request.port, request.path
