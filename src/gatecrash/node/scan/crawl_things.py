"""What the calls of a site's scripts are about, where the scripts do not say: things that the site's own answers named.

things = Things()
things.learn(exchange)      an answer in JSON
things.called(request)      the call about things that are there; None where nothing better is known than what was made up

`/orders/${id}` is read as `/orders/1`, and `{orderId: id}` as an order "1". Few applications count so, and where one does, the first
order is seldom one's own: asked for by what a list or another answer calls it, there is something behind the address.
"""

from collections.abc import Iterator
from itertools import pairwise

from gatecrash.core.inventory.identifiers import parameter_name
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.authorization.fields.authored import says_who_made
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.names import plain, words_in
from gatecrash.formats.descriptions.sample_text import text_for
from gatecrash.formats.draft import Draft, Hole, names_a_thing
from gatecrash.formats.scripts.literals import UNKNOWN
from gatecrash.node.scan.accounts.oneself import Oneself
from gatecrash.node.scan.drafts.known_values import KnownValues, segments

_LONGEST, _MOST_SHOWN = 60, 2_000


class Things:
    """Of one caller."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._oneself = Oneself()
        self._known = KnownValues(oneself=self._oneself)
        self._signed: dict[str, str] = {}
        self._shown: dict[str, str] = {}

    def learn(self, exchange: Exchange) -> None:
        """Take what a good answer names."""
        response = exchange.response
        if response is not None and response.status < FIRST_REDIRECT and "json" in media_type(response):
            self._known.learn(exchange.request, response)
            for leaf in leaves(response):
                if leaf.path and says_who_made(leaf.path[-1]):
                    self._signed.setdefault(plain(leaf.path[-1]), leaf.value)
                if leaf.path and 0 < len(leaf.value) <= _LONGEST and len(self._shown) < _MOST_SHOWN:
                    self._shown.setdefault(plain(leaf.path[-1]), leaf.value)

    def called(self, request: Request) -> Request | None:
        """The same call, of a known thing wherever a script left open which."""
        holes = (*_in_path(request), *_in_body(request))
        # Of what was made here one's own is known to be so: a list may show everybody's.
        filled = self._known.filled(Draft(request, drafted=True, holes=holes), own=True).request if holes else request
        for signature in _signatures(request):
            name = signature[-1]
            called = self._oneself.signing(self._signed.get(plain(name), ""))
            filled = rewrite(filled, signature, called.encode()) if called else filled
        for name, point in _looked_for(request):
            mine = self._oneself.filters([hole := Hole(name, point)]).get(hole)
            shown = mine or self._shown.get(plain(name))
            filled = rewrite(filled, point, shown.encode()) if shown else filled
        return None if filled == request else filled


def _in_path(request: Request) -> list[Hole]:
    """Behind a word, which says what is counted there."""
    return [
        Hole(parameter_name("id", before), Point(("path", str(place))))
        for place, (before, segment) in enumerate(pairwise(segments(request)), 1)
        if segment == UNKNOWN
    ]


def _looked_for(request: Request) -> Iterator[tuple[str, Point]]:
    """What a script fills in to look for something, where its address says what that is, and what it left open."""
    for place, (before, segment) in enumerate(pairwise(segments(request)), 1):
        words = words_in(before)
        by = words.index("by") + 1 if "by" in words else len(words)
        if segment == UNKNOWN and words[by:]:
            yield "".join(words[by:]), Point(("path", str(place)))
    for each in walked(request):
        if each.point[0] == "get" and each.value in (UNKNOWN.encode(), str(text_for({}, each.point[-1])).encode()):
            yield each.point[-1], each.point


def _in_body(request: Request) -> list[Hole]:
    return [
        Hole(each.point[-1], each.point)
        for each in walked(request)
        if each.point[0] == "post" and each.value == UNKNOWN.encode() and names_a_thing(each.point[-1])
    ]


def _signatures(request: Request) -> list[Point]:
    """Where a body says who wrote it, and the script did not say who that is."""
    return [
        each.point
        for each in walked(request)
        if each.point[0] == "post"
        and says_who_made(each.point[-1])
        and each.value == text_for({}, each.point[-1]).encode()
    ]
