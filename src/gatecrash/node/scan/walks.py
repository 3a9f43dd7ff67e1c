"""Walks through a site, by one caller after the other, and what comes of them together."""

import io
from collections.abc import Iterable, Iterator
from typing import cast
from urllib.parse import urlsplit

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_REDIRECT, UNAUTHORIZED
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.capture import address_of
from gatecrash.formats.draft import request_to, server_of
from gatecrash.formats.traffic.jsonl import line_of
from gatecrash.node.scan.crawl_visitors import open_to_all
from gatecrash.node.scan.crawling import Crawl
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand

BASELINE = "crawl"
"""What the requests are counted under: they belong to no baseline."""
HEADERS = (
    ("User-Agent", "Mozilla/5.0 (compatible; Gatecrash)"),
    ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"),
    ("Accept-Language", "en"),
    ("Sec-Fetch-Mode", "navigate"),
)


class Caller:
    """Whose requests a walk sends: of whoever the traffic is signed in as. failed: why he could not be; empty where he was."""

    def __init__(self, traffic: Traffic) -> None:
        self._errand = Errand(traffic, BASELINE)
        self.failed = ""

    async def send(self, request: Request) -> Answer:
        """The answer; a refusal where nobody can be signed in for it."""
        try:
            return await self._errand.own(request)
        except LoginFailed as error:
            self.failed = self.failed or str(error)
            return Answer(Exchange(request, Response(UNAUTHORIZED, (), b"")))


def front_of(url: str) -> Request:
    """The request for the page where a site begins, as a browser asks for it."""
    address = address_of(url)
    parts = urlsplit(url)
    server = server_of(f"{parts.scheme.lower()}://{parts.netloc.rpartition('@')[2]}")
    front: Request = msgspec.structs.replace(request_to(server, "GET", "/", HEADERS), target=address.target)
    return front


def together(walks: Iterable[Crawl]) -> list[Exchange]:
    """What the first caller was shown, with what of it is for everybody, and what else visitors were."""
    first, *_ = crawls = list(walks)
    own, *visitors = [list(crawl.found()) for crawl in crawls]
    others = [_not_replaced(walk, first) for walk in visitors]
    return list(joined([open_to_all(own, *visitors) if visitors else own, *others]))


def shown_again(crawl: Crawl, seen: Iterable[Exchange]) -> list[Exchange]:
    """What is shown to somebody who was signed in by the site's own forms. seen: what a visitor was shown before; the forms among it
    are whose he is signed in by.
    """
    visited = _not_replaced(seen, crawl)
    sent = {_place(each.request) for each in crawl.found() if not each.drafted}
    forms = [each for each in visited if each.drafted and _place(each.request) not in sent]
    return list(joined([forms, open_to_all(crawl.found(), visited), visited]))


def _not_replaced(found: Iterable[Exchange], crawl: Crawl) -> list[Exchange]:
    """Without the calls that whoever is signed in was seen to make about things that are there."""
    return [each for each in found if _place(each.request) not in crawl.replaced]


def joined(walks: Iterable[Iterable[Exchange]]) -> Iterator[Exchange]:
    """What each caller was shown; what the one before was shown as well is his."""
    known: set[tuple[str, bytes]] = set()
    for walk in walks:
        found = [(_place(each.request), each) for each in walk]
        yield from (each for place, each in found if place not in known)
        known.update(place for place, _ in found)


def _place(request: Request) -> tuple[str, bytes]:
    return request.method, request.target


def as_lines(found: Iterable[Exchange]) -> io.BufferedReader:
    """What was found, as a capture that can be read from its beginning again."""
    lines = b"".join(line_of(each) for each in found)
    return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(lines)))


def is_page(exchange: Exchange) -> bool:
    """Whether a page was shown."""
    response = exchange.response
    return response is not None and response.status < FIRST_REDIRECT and "html" in media_type(response)
