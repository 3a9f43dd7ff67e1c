"""Where a request's one-time values come from: the pages of a run whose answers hand them out, and what leads to these pages.

A token is one by its name, or a long random value that an answer had in a hidden field. It comes from the page that handed
out this very value, from the one that the request's Referer names, from pages with a field of its name, or from its own
address. A page of a flow of several steps is reached by the request whose answer led there.
"""

from collections import Counter, OrderedDict
from typing import Any, Final, NamedTuple

import msgspec

from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.message import Exchange, Request, reading, with_header
from gatecrash.core.point import Point
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.forms.pages import sent_from
from gatecrash.core.testing.forms.tokens import cookies_of, is_called_token, is_random
from gatecrash.core.testing.forms.values import handed_out, sent_to
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.names import plain

MOST_VALUES: Final = 5000
MOST_PAGES: Final = 500
MOST_SOURCES: Final = 4
MOST_TOKENS: Final = 4
_LEAST: Final = 6
_PLACES: Final = ("get", "post", "header")

Host = tuple[str, int]


class Token(NamedTuple):
    """One value of a request that is to be made anew. names: what answers may call it, the likeliest first. place: which of
    several of the first name it was.
    """

    point: Point
    value: bytes
    names: tuple[str, ...]
    place: int = 0


class FormSources:
    """What the exchanges of a run hand to each other.

    sources.see(exchange)              for each that is met
    sources.tokens(request)            its values that others have handed out
    sources.pages(request, tokens)     targets of the pages to read them from, the likeliest first
    sources.reading(request, target)   the question for one of them
    sources.before(request, target)    what leads to a page of its host; None where nothing does
    sources.step_before(request, tokens)  what leads to the page of its form; None where nothing does
    """

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._values: OrderedDict[tuple[Host, str], tuple[bytes, str, int]] = OrderedDict()
        self._names: OrderedDict[tuple[Host, str], list[bytes]] = OrderedDict()
        self._leads: OrderedDict[tuple[Host, bytes], Exchange] = OrderedDict()
        self._forms: OrderedDict[tuple[Host, str], list[bytes]] = OrderedDict()
        self._asked: OrderedDict[tuple[Host, bytes], Request] = OrderedDict()

    def see(self, exchange: Exchange) -> bool:
        """One more exchange; whether any of it is new."""
        request, response = exchange.request, exchange.response
        if response is None or response.status >= FIRST_ERROR:
            return False
        is_new = False
        host = (request.host, request.port)
        if not is_safe(request) and not destroys(request) and not signs_in(request):
            landing = landing_of(request, response)
            if landing is not None and _path(landing) != request.path:
                is_new = (host, _path(landing)) not in self._leads
                self._leads[host, _path(landing)] = exchange
            elif any(not each.in_address for each in handed_out(response)):  # the next step's form stands in the answer
                is_new = self._leads.setdefault((host, request.path), exchange) is exchange
            _bounded(self._leads, MOST_PAGES)
        places: Counter[str] = Counter()
        for field in handed_out(response):
            places[plain(field.name)] += 1
            if len(field.value) >= _LEAST:
                is_new = is_new or (host, field.value) not in self._values
                self._asked[host, request.target] = request
                self._values[host, field.value] = (request.target, field.name, places[plain(field.name)] - 1)
                if is_called_token(field.name):
                    pages = self._names.setdefault((host, field.name), [])
                    pages += [request.target] if request.target not in pages and len(pages) < MOST_SOURCES else []
        page = _path(request.target).decode("latin-1")
        # A link with a token may stand on every page: none of them is a step before what it leads to.
        for action in {each.action for each in handed_out(response) if each.action is not None and not each.in_address}:
            pages = self._forms.setdefault((host, sent_to(action, page)), [])
            if request.target not in pages and len(pages) < MOST_SOURCES:
                pages.append(request.target)
                is_new = True
        _bounded(self._values, MOST_VALUES)
        _bounded(self._asked, MOST_PAGES)
        _bounded(self._names, MOST_PAGES)
        _bounded(self._forms, MOST_PAGES)
        return is_new

    def tokens(self, request: Request) -> tuple[Token, ...]:
        """The request's tokens, but those in cookies and credentials: these are a session's matter."""
        found: list[Token] = []
        host = (request.host, request.port)
        for one in walked(request):
            if one.container or one.point[0] not in _PLACES or len(one.point) < 2 or one.point[1] == "COOKIE":
                continue
            value, name = one.value.decode("utf-8", "replace"), one.point[-1]
            is_token, known = is_called_token(name), self._values.get((host, value))
            if len(value) >= _LEAST and (is_token or (known is not None and is_random(value))):
                names = (*((known[1],) if known is not None else ()), name, *(self._called(host) if is_token else ()))
                place = known[2] if known is not None else 0
                found.append(Token(one.point, one.value, tuple(dict.fromkeys(names)), place))
        return tuple(found[:MOST_TOKENS])

    def pages(self, request: Request, tokens: tuple[Token, ...]) -> tuple[bytes, ...]:
        """Targets at the request's own host, which a GET may be sent to."""
        host = (request.host, request.port)
        found: list[bytes] = []
        for token in tokens:
            known = self._values.get((host, token.value.decode("utf-8", "replace")))
            found += [known[0]] if known is not None else []
        found += [each for each in (sent_from(request),) if each is not None]
        for token in tokens:
            found += [page for name in token.names for page in self._names.get((host, name), ())]
        # What is asked at its own address was perhaps never recorded there: not of what can destroy something.
        found += [request.target] if destroys(request) is None else []
        return tuple(page for page in dict.fromkeys(found) if _is_page(request, page))[:MOST_SOURCES]

    def reading(self, request: Request, target: bytes) -> Request:
        """The GET for a page in the request's session: with the cookies, too, that browsers send to a part of the site only, as
        they were recorded there.
        """
        asking = reading(request, target)
        asked = self._asked.get(((request.host, request.port), target))
        own, there = cookies_of(request), cookies_of(asked) if asked is not None else {}
        sessions = [name for name in own.keys() & there.keys() if looks_random(own[name])]
        if asked is None or not sessions or any(own[name] != there[name] for name in sessions):
            return asking
        further = [
            crumb.strip()
            for crumb in (asked.first(b"Cookie") or b"").split(b";")
            if crumb.partition(b"=")[0].strip().decode("latin-1") not in own
        ]
        return _with_cookie(asking, b"; ".join([request.first(b"Cookie") or b"", *further])) if further else asking

    def before(self, request: Request, target: bytes) -> Exchange | None:
        """The recorded request whose answer led to this page."""
        led = self._leads.get(((request.host, request.port), _path(target)))
        return led if led is not None and led.request.path != request.path else None

    def step_before(self, request: Request, tokens: tuple[Token, ...]) -> Exchange | None:
        """The recorded request whose answer led to the page of the form: a page whose form sends to this address, else the one
        that the request says it was sent from, else any that hands out its tokens, which all pages of a session may do.
        """
        known = self._forms.get(((request.host, request.port), request.path.decode("latin-1")))
        referer = sent_from(request)
        pages = known or ((referer,) if referer is not None else self.pages(request, tokens))
        return next((led for page in pages if (led := self.before(request, page))), None)

    def _called(self, host: Host) -> tuple[str, ...]:
        return tuple(name for where, name in self._names if where == host)


def _with_cookie(request: Request, value: bytes) -> Request:
    changed: Request = msgspec.structs.replace(request, headers=with_header(request.headers, b"Cookie", value))
    return changed


def _is_page(request: Request, target: bytes) -> bool:
    return destroys(reading(request, target)) is None


def _path(target: bytes) -> bytes:
    return target.partition(b"?")[0]


def _bounded(kept: OrderedDict[Any, Any], most: int) -> None:
    while len(kept) > most:
        kept.popitem(last=False)
