"""A recorded page: a safe request with what is known of its answer, how it is asked again, and where an answer leads to."""

from typing import NamedTuple
from urllib.parse import urljoin

import msgspec

from gatecrash.core.inventory.called_credentials import called_by_the_same
from gatecrash.core.message import Request, Response, reading
from gatecrash.core.points.percent import for_request_line
from gatecrash.core.testing.known.page_words import bits_of_text, sketch_of
from gatecrash.core.testing.oracles.difference import read
from gatecrash.core.testing.oracles.pages.landing import host_of

Bearing = tuple[bytes, bytes]
"""The header that a token stood in, and what stood before it there."""


class Page(NamedTuple):
    """A safe request without what says who sent it, and its answer; a GraphQL query with its document, a call that only
    reads with its parameters. rendered: whether a browser would read its answer as a page.

    shown: the words of its recorded answers that may be identifiers. sketch: which words of any kind they may hold, a bit
    for each (a Bloom filter), so that two thousand pages cost two megabytes. bearing: where a token stood in the request,
    never the token itself. digest: of what its latest recorded answer said, times left out; 0 where none is known.
    started: when that was recorded, in UNIX time. visited: somebody without credentials was answered well there. forms: the
    paths that its forms are posted to.
    """

    request: Request
    rendered: bool
    shown: frozenset[str] = frozenset()
    sketch: int = 0
    bearing: Bearing | None = None
    digest: int = 0
    started: float = 0.0
    visited: bool = False
    forms: frozenset[bytes] = frozenset()

    def may_say(self, value: str) -> bool:
        """Whether its recorded answers seem to hold all the words of a value; False for a value without any."""
        wanted = sketch_of(bits_of_text(value))
        return wanted != 0 and wanted & self.sketch == wanted


def digest_of(response: Response) -> int:
    """The same number for answers that say the same; of this process alone."""
    return hash(read(response).facts)


def asking(request: Request, page: Page) -> Request:
    """The page's own question, in the name of whoever sent the request."""
    plain = reading(request, page.request.target)
    asked: Request = msgspec.structs.replace(
        plain, method=page.request.method, headers=(*plain.headers, *page.request.headers), body=page.request.body
    )
    return called_by_the_same(request, asked)


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
    return for_request_line(target.partition("#")[0].encode("latin-1", "replace")) if target else None


def _beside(request: Request, relative: str) -> str:
    """RFC 3986, section 5.2: `./` that leads back must be the same page, else each step makes another of it."""
    front = "http://own.example"
    try:
        found = urljoin(front + request.path.decode("latin-1"), relative)
    except ValueError:
        found = ""
    return found.removeprefix(front) if found.startswith(front + "/") else ""
