"""Pages beside a baseline: where what it keeps may be shown later, and which lists show the object that it asks for.

A run's safe requests, queries of GraphQL and calls that only read are gathered as they are met; for a request that changes
something the nearest of its host are read again, in its own name. What reads is tested first, so they are known by the time
they are wanted. For a request that reads an object they are the pages whose recorded answers hold its identifier.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

import msgspec

from gatecrash.core.auth.jwt import is_jwt
from gatecrash.core.message import Exchange, Headers, Request, Response, is_of_body
from gatecrash.core.point import Point
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.addresses.kinship import how_far
from gatecrash.core.testing.addresses.page_paths import Beginnings, nearness
from gatecrash.core.testing.addresses.sections import around, right_beside, section_of
from gatecrash.core.testing.addresses.versions import newer_versions
from gatecrash.core.testing.authorization.callers.recoveries import Recoveries
from gatecrash.core.testing.authorization.objects.makers import Makers
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.objects.renewals import Renewals
from gatecrash.core.testing.authorization.tokens.exchanges import Exchanges
from gatecrash.core.testing.authorization.tokens.handed_keys import HandedKeys
from gatecrash.core.testing.effects.destruction import deletes, destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.forms.values import addresses_of_forms, sent_to
from gatecrash.core.testing.known.objects import KeyUse, Made, Renewal
from gatecrash.core.testing.known.page import Bearing, Page, digest_of
from gatecrash.core.testing.known.page_words import Holders, bits_of, bits_of_text, identifiers_in, sketch_of
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.operations.questions import is_question, without_number
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.oracles.remembering import remembered
from gatecrash.core.testing.surroundings.barred import Barred
from gatecrash.core.testing.surroundings.same_site import SameSite
from gatecrash.core.testing.surroundings.sent_along import SentAlong

MOST_KEPT = 2_000
_MOST_LISTS = 3
# Of how many words a browser's name is made, that no other page says by chance.
_MOST_LOGS, _LEAST_WORDS = 2, 3
_LARGEST = 200_000


_Place = tuple[str, int, bytes, bytes]


class _OfHost:
    """The pages of one host. showing: which may show an identifier; saying: which may say some words; paths: where they are."""

    def __init__(self) -> None:
        self.pages: dict[_Place, Page] = {}
        self.showing = Holders[_Place]()
        self.saying = Holders[_Place]()
        self.paths = Beginnings[_Place]()

    def put(self, place: _Place, said: "_Said") -> None:
        self.showing.put(place, said.shown_bits)
        self.saying.put(place, said.bits)

    def drop(self, place: _Place) -> None:
        del self.pages[place]
        self.showing.drop_oldest()
        self.saying.drop_oldest()
        self.paths.drop(place)


class Pages:
    """The safe requests of one run, newest last, a bounded number; each address once."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: OrderedDict[_Place, Page] = OrderedDict()
        # The same by their hosts, in the same order: each baseline asks for those of its own.
        self._of_host: defaultdict[tuple[str, int], _OfHost] = defaultdict(_OfHost)
        self._visited: OrderedDict[tuple[str, int, str, bytes], None] = OrderedDict()
        self._sent_along = SentAlong()
        self._sections: dict[tuple[str, int, str], dict[bytes, None]] = {}
        self._makers = Makers()
        self._exchanges = Exchanges()
        self._recoveries = Recoveries()
        self._keys = HandedKeys()
        self._renewals = Renewals(self._makers)
        self._cookies = SameSite()
        self._barred = Barred()
        self._met: Exchange | None = None

    def add(self, exchange: Exchange) -> bool:
        """Keep the exchange's request where it may be read again and was answered well; whether it was not known before."""
        request, response = exchange.request, exchange.response
        if response is None or response.status >= FIRST_ERROR or destroys(request):
            return False
        if deletes(request) and b"<form" not in response.body:  # a link that does it, and does not ask first
            return False
        if request.method.upper() != "GET" and not only_queries(request) and not is_question(request):
            return False
        bare = _bare(request)
        place = _place(bare)
        before = self._known.get(place)
        said = _said(response)
        shown = said.shown | (before.shown if before is not None else frozenset())
        # Two users' answers at one address show more than one user's.
        is_new = before is None or not shown <= before.shown
        sketch = sketch_of(said.bits) | (before.sketch if before is not None else 0)
        page = Page(
            request=bare,
            rendered=renders(response),
            shown=shown,
            sketch=sketch,
            bearing=_bearing(request),
            digest=digest_of(response),
            started=exchange.started,
            visited=before is not None and before.visited,
            forms=_forms(request, said.actions) | (before.forms if before is not None else frozenset()),
        )
        self._keep(place, page)
        if before is None:
            self._of_host[place[:2]].paths.put(place, bare.path)
        if before is None or (shown, sketch) != (before.shown, before.sketch):
            self._of_host[place[:2]].put(place, said)
        if request.method.upper() == "GET":
            self._sections.setdefault(_section(request), {})[request.target] = None
        if len(self._known) > MOST_KEPT:
            place, page = self._known.popitem(last=False)
            self._of_host[place[:2]].drop(place)
            gone = page.request
            self._sections.get(_section(gone), {}).pop(gone.target, None)
        return is_new

    def _keep(self, place: _Place, page: Page) -> None:
        self._known[place] = self._of_host[place[:2]].pages[place] = page

    def meet(self, exchange: Exchange, *, visited: bool) -> bool:
        """Keep it as `add` does, as what makes an object, what it says of its cookies, where it was refused, and as
        `visit` does where somebody without credentials asked; whether any of it is new.
        """
        if exchange is self._met and not visited:
            return False  # a baseline is met as it is recorded and as its checks begin, which mostly is the same
        self._met = exchange
        is_new = self._cookies.see(exchange)
        is_new = self._barred.see(exchange, visited=visited) or is_new
        is_new = self._renewals.see(exchange) or is_new
        is_new = self._exchanges.see(exchange) or is_new
        is_new = self._recoveries.see(exchange) or is_new
        is_new = self._keys.see(exchange) or is_new
        is_new = self._makers.see(exchange) or self.add(exchange) or is_new
        is_new = self._sent_along.see(exchange, visited=visited) or is_new
        return (visited and self.visit(exchange)) or is_new

    def foresee(self, described: Iterable[Exchange]) -> None:
        """Keep of requests that may be sent last of all, whatever they were answered, those that set a forgotten password."""
        for exchange in described:
            self._recoveries.see(exchange)

    def visit(self, exchange: Exchange) -> bool:
        """Somebody without credentials asked this; where he was answered well it counts. Whether it was not known before."""
        response = exchange.response
        if response is None or not is_taken(response):
            return False
        address = _address(exchange.request)
        is_new = address not in self._visited
        place = _place(_bare(exchange.request))
        if place in self._known:
            self._keep(place, self._known[place]._replace(visited=True))
        self._visited[address] = None
        if len(self._visited) > MOST_KEPT:
            self._visited.popitem(last=False)
        return is_new

    def is_visited(self, request: Request) -> bool:
        """Whether somebody without credentials was answered well at this address, whatever he asked it for."""
        return _address(request) in self._visited

    def is_dressed_everywhere(self, request: Request) -> bool:
        """Whether credentials in headers as this request's are sent with what is for everybody, too."""
        return self._sent_along.everywhere(request)

    def kept_home(self, request: Request, credentials: Iterable[Point]) -> tuple[Point, ...]:
        """The credentials that a browser leaves out where a page of another site makes the request."""
        return self._cookies.kept_home(request, credentials)

    def makers_of(self, request: Request) -> tuple[Made, ...]:
        """What made the object that a request deletes, confirms or acts on, or one of its kind; the logins of what
        registers somebody; the exchange of tokens of what signs out; what sets the password that a request says is forgotten;
        of others what sets something off with what they keep, or what made one's own below `/me`. Of what sets a password
        by a name how accounts are made and let in.
        """
        entrances = self._makers.entrances(request)
        if entrances:
            return entrances
        if destroys(request):
            return self._exchanges.of(request) or self._recoveries.of(request) or self._makers.of(request)
        of_others = self._makers.logins(request) or self._recoveries.of(request) or self._makers.setting_off(request)
        done_to = self._makers.confirmed(request) or self._makers.acted_on(request)
        return of_others or done_to or self._makers.below_oneself(request)

    def uses_of(self, request: Request) -> tuple[KeyUse, ...]:
        """What was let in by a key of the kind that a request deletes, as the likeliest of its makers hands out."""
        return self._keys.used_with(self._makers.of(request)[:1]) if deletes(request) else ()

    def renewal_of(self, request: Request) -> Renewal:
        """What made an object of the kind that a request changes, and what deletes such ones."""
        return self._renewals.of(request)

    def around(self, request: Request) -> tuple[bytes, ...]:
        """Addresses of the request's own host that stand at its own, above it, or beside it in a part of the site for some."""
        targets = self._sections.get(_section(request), {})
        return around(request.path, (target for target in targets if target != request.target))

    def alongside(self, request: Request) -> tuple[bytes, ...]:
        """Addresses of a few other pages in the folder of the request's own."""
        return right_beside(request.path, self._sections.get(_section(request), {}))

    def newer(self, request: Request) -> tuple[bytes, ...]:
        """Its own address in newer versions of the API, where it was answered well, or refused to somebody who was signed in."""
        known = self._sections.get(_section(request), {})
        newer = newer_versions(request.target) if request.method.upper() == "GET" else ()
        refused = self._barred.newer(request) if newer else ()
        return tuple(each for each in newer if each in known or each in refused)

    def barred(self, request: Request) -> tuple[bytes, ...]:
        """Addresses right beside the request's own that were refused to somebody who was signed in."""
        return self._barred.beside(request)

    def beside(self, request: Request) -> tuple[Page, ...]:
        """The pages of the request's own host, the nearest by path first; for one that reads, and signs nobody out,
        those that show its object, and those that show which browser it was sent by.
        """
        own = self._of_host.get((request.host, request.port))
        if own is None:
            return ()
        if (is_safe(request) or only_queries(request) or is_question(request)) and not signs_out(request):
            return _showing(own, request) + _writing_down(own, request)
        return tuple(map(own.pages.__getitem__, own.paths.nearest(request.path)))


def _place(bare: Request) -> _Place:
    return bare.host, bare.port, bare.target, without_number(bare)


def _section(request: Request) -> tuple[str, int, str]:
    return request.host, request.port, section_of(request.path)


def _showing(own: _OfHost, request: Request) -> tuple[Page, ...]:
    """Of a host's pages the ones whose answers hold an identifier that the request names, while their own addresses do not."""
    named = _named(request.target) | {each.value for each in named_objects(request)}
    found: list[tuple[int, int, int, Page]] = []
    for page in map(own.pages.__getitem__, own.showing.with_any(bits_of(named))):
        held = (page.shown & named) - _named(page.request.target)
        if page.request.body:
            held -= identifiers_in(page.request.body.decode("utf-8", "replace"))
        if held:
            # Small numbers stand on many pages: the list of such things goes first, then some of them (`myInvoices`).
            far = how_far(page.request, request)
            found.append((-len(held), far, -nearness(request.path, page.request.path), page))
    return tuple(page for *_, page in sorted(found, key=lambda each: each[:3]))[:_MOST_LISTS]


def _writing_down(own: _OfHost, request: Request) -> tuple[Page, ...]:
    """Of a host's pages the first that seem to show the request's browser, as logs of visits do."""
    wanted = bits_of_text((request.first(b"User-Agent") or b"").decode("utf-8", "replace"))
    if len(wanted) < _LEAST_WORDS:
        return ()
    saying = map(own.pages.__getitem__, own.saying.with_all(wanted))
    return tuple(
        islice((page for page in saying if page.rendered and page.request.target != request.target), _MOST_LOGS)
    )


@lru_cache(2 * MOST_KEPT)
def _named(target: bytes) -> frozenset[str]:
    """The identifiers that an address holds; each page's is asked for once for every other."""
    return identifiers_in(unquote_to_bytes(target).decode("utf-8", "replace"))


class _Said(NamedTuple):
    """Of one answer what a page keeps of all of its own. shown_bits: those of what may be identifiers; bits: of all words."""

    shown: frozenset[str]
    shown_bits: frozenset[int]
    bits: frozenset[int]
    actions: frozenset[str]


@remembered
def _said(response: Response) -> _Said:
    """An answer is met several times: as it was recorded, and as its baseline begins and is signed in."""
    text = text_of(response)[:_LARGEST]
    shown = identifiers_in(text)
    return _Said(shown, bits_of(shown), bits_of_text(text), addresses_of_forms(text))


def _forms(request: Request, actions: Iterable[str]) -> frozenset[bytes]:
    """The paths that forms of its page are posted to."""
    page = request.path.decode("latin-1")
    return frozenset(sent_to(each, page).encode("latin-1", "replace") for each in actions)


def _address(request: Request) -> tuple[str, int, str, bytes]:
    return request.host, request.port, request.method.upper(), request.path


def _bearing(request: Request) -> Bearing | None:
    """The header with a bearer's token, or with a JSON Web Token in whatever header."""
    for name, value in request.headers:
        word, space, last = value.rpartition(b" ")
        if (word.lower() == b"bearer" or is_jwt(last)) and name.lower() != b"cookie":
            return name, word + space
    return None


def _bare(request: Request) -> Request:
    """The question without what says who asked it; of a body the headers that say how it is read."""
    body = b"" if request.method.upper() == "GET" else request.body
    headers: Headers = tuple(pair for pair in request.headers if body and is_of_body(pair[0]))
    bare: Request = msgspec.structs.replace(request, headers=headers, body=body)
    return bare
