"""Pages beside a baseline: where what it keeps may be shown later.

A run's safe requests are gathered as they are met; for a request that changes something the nearest of its host are
read again, in its own name. Safe methods are tested first, so they are known by the time they are wanted.
"""

from collections import OrderedDict
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.oracles.landing import host_of
from gatecrash.core.testing.oracles.reflection import renders
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.ordering import destroys, is_safe

MOST_KEPT = 500
_OK = 400


class Page(NamedTuple):
    """A safe request without its body and its answer. rendered: whether a browser would read its answer as a page."""

    request: Request
    rendered: bool


class Pages:
    """The safe requests of one run, newest last, a bounded number; each address once."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: OrderedDict[tuple[str, int, bytes], Page] = OrderedDict()
        self._visited: OrderedDict[tuple[str, int, str, bytes], None] = OrderedDict()

    def add(self, exchange: Exchange) -> bool:
        """Keep the exchange's request where it may be read again and was answered well; whether it was not known before."""
        request, response = exchange.request, exchange.response
        if request.method.upper() != "GET" or response is None or response.status >= _OK or destroys(request):
            return False
        bare: Request = msgspec.structs.replace(request, headers=(), body=b"")
        place = (request.host, request.port, request.target)
        is_new = place not in self._known
        self._known[place] = Page(bare, renders(response))
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return is_new

    def visit(self, exchange: Exchange) -> None:
        """Somebody without credentials asked this, and was answered well."""
        response = exchange.response
        if response is not None and response.status < _OK and refusal(response) is None:
            self._visited[_address(exchange.request)] = None
            if len(self._visited) > MOST_KEPT:
                self._visited.popitem(last=False)

    def is_visited(self, request: Request) -> bool:
        """Whether somebody without credentials was answered well at this address, whatever he asked it for."""
        return _address(request) in self._visited

    def beside(self, request: Request) -> tuple[Page, ...]:
        """The pages of the request's own host, the nearest by path first; none for a request that changes nothing."""
        if is_safe(request):
            return ()
        own = [page for (host, port, _), page in self._known.items() if (host, port) == (request.host, request.port)]
        return tuple(sorted(own, key=lambda page: -_nearness(request.path, page.request.path)))


def _address(request: Request) -> tuple[str, int, str, bytes]:
    return request.host, request.port, request.method.upper(), request.path


def reading(request: Request, target: bytes) -> Request:
    """A plain question for a page, in the name of whoever sent the request."""
    headers: Headers = tuple(pair for pair in request.headers if not pair[0].lower().startswith(b"content-"))
    plain: Request = msgspec.structs.replace(request, method="GET", target=target, headers=headers, body=b"")
    return plain


def landing_of(request: Request, response: Response) -> bytes | None:
    """The page of its own host that an answer sends the browser to; None where there is none."""
    location = (response.first(b"Location") or b"").decode("latin-1")
    if not location or response.status not in (301, 302, 303, 307, 308):
        return None
    host = host_of(location)
    if host is not None and host != request.host.lower():
        return None
    path = location.split("//", 1)[1].partition("/")[2] if host is not None else location
    target = path if path.startswith("/") else "/" + path if host is not None else _beside(request, path)
    return target.partition("#")[0].encode("latin-1", "replace")


def _beside(request: Request, relative: str) -> str:
    """RFC 3986, section 5.2.3: in the place of what follows the last slash."""
    return request.path.decode("latin-1").rpartition("/")[0] + "/" + relative


def _nearness(path: bytes, other: bytes) -> int:
    """How many segments two paths begin with alike; the same path is nearer than any."""
    ones, others = path.strip(b"/").split(b"/"), other.strip(b"/").split(b"/")
    if ones == others:
        return len(ones) + 1
    alike = 0
    for one, another in zip(ones, others, strict=False):
        if one != another:
            break
        alike += 1
    return alike
