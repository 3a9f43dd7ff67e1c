"""Walks through a site, by one caller after the other, and what comes of them together."""

import asyncio
import io
from collections.abc import Iterable, Iterator
from typing import cast
from urllib.parse import urlsplit

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.reports.plural import plural
from gatecrash.core.statuses import FIRST_REDIRECT, UNAUTHORIZED
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.capture import address_of
from gatecrash.formats.draft import request_to, server_of
from gatecrash.formats.traffic.jsonl import line_of
from gatecrash.node.scan.crawl_visitors import open_to_all
from gatecrash.node.scan.crawling import Crawl
from gatecrash.node.scan.fetching import origin_of
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.health.hush import was_sent
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand
from gatecrash.node.test.wording import AWAY, COMES_BACK, GONE

BASELINE = "crawl"
"""What the requests are counted under: they belong to no baseline."""
HEADERS = (
    ("User-Agent", "Mozilla/5.0 (compatible; Gatecrash)"),
    ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"),
    ("Accept-Language", "en"),
    ("Sec-Fetch-Mode", "navigate"),
)


class Caller:
    """Whose requests a walk sends: of whoever the traffic is signed in as. failed: why he could not be; empty where he was.

    awaited: how the target fails that is waited for now; "" else. gone: how it fails that was waited for in vain.
    """

    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._errand = Errand(traffic, BASELINE)
        self._waiting: asyncio.Future[bool] | None = None
        self._is_patient = True
        self.failed = self.awaited = self.gone = ""

    async def send(self, request: Request) -> Answer:
        """The answer, also of a target that is away for a while; a refusal where nobody can be signed in for it."""
        try:
            return await self._answered(request)
        except LoginFailed as error:
            # The login has waited for its target already.
            if not self.failed and await self._traffic.patience.is_away(request):
                self.gone = self.gone or AWAY
                return Answer(Exchange(request), AWAY)
            self.failed = self.failed or str(error)
            return Answer(Exchange(request, Response(UNAUTHORIZED, (), b"")))

    def hurry(self) -> None:
        """Wait for no target any more."""
        self._is_patient = False
        if self._waiting is not None:
            self._waiting.cancel()

    async def _answered(self, request: Request) -> Answer:
        answer = await self._errand.own(request)
        failure = await self._traffic.patience.failure_of(answer)
        if failure not in COMES_BACK or not await self._comes_back(failure, request):
            return answer
        # What changes something is not sent twice: the target may have done it before it went away.
        is_lost = answer.failure == AWAY or not was_sent(answer.exchange)
        return await self._errand.own(request) if is_lost or is_safe(request) else answer

    async def _comes_back(self, failure: str, request: Request) -> bool:
        if self.gone or not self._is_patient:
            return False
        self.awaited = failure
        self._waiting = asyncio.ensure_future(self._traffic.patience.outlasts(failure, request))
        try:
            await asyncio.wait([self._waiting])
            if self._waiting.cancelled():
                return False
            self.gone = "" if self._waiting.result() else failure
            return not self.gone
        finally:
            self._waiting.cancel()
            self.awaited = ""


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
    """What the callers were shown, each place once: it counts as shown to the first caller who was shown it."""
    known: set[tuple[str, bytes]] = set()
    for walk in walks:
        found = [(_place(each.request), each) for each in walk]
        yield from (each for place, each in found if place not in known)
        known.update(place for place, _ in found)


def _place(request: Request) -> tuple[str, bytes]:
    return request.method, request.target


def unanswered(url: str, crawls: Iterable[Crawl], gone: str) -> str:
    """What got no answer, in a sentence; "" where all did. gone: how the site failed that stays away; "" where it did not."""
    crawls = list(crawls)
    count = len({each for crawl in crawls for each in crawl.unanswered})
    left = sum(crawl.left for crawl in crawls) if gone else 0
    told = [f"{plural(count, 'address', 'addresses')} got no answer"] if count else []
    told += [f"{left} more to which pages lead {'was' if left == 1 else 'were'} not asked"] if left else []
    if not gone:
        return f"{told[0]}." if told else ""
    first = f"{origin_of(url)} went away while it was read, and was waited for in vain: {GONE[gone]}."
    return f"{first} {', and '.join(told)}." if told else first


def as_lines(found: Iterable[Exchange]) -> io.BufferedReader:
    """What was found, as a capture that can be read from its beginning again."""
    lines = b"".join(line_of(each) for each in found)
    return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(lines)))


def is_page(exchange: Exchange) -> bool:
    """Whether a page was shown."""
    response = exchange.response
    return response is not None and response.status < FIRST_REDIRECT and "html" in media_type(response)
