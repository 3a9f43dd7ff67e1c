"""`gatecrash scan` of a site: its pages are read first, as whoever is signed in by an auth profile and
as a visitor, and become a capture of their own.
"""

import asyncio
import io
from collections.abc import Iterable, Iterator
from typing import cast
from urllib.parse import urlsplit

import msgspec
import uvloop

from gatecrash.cli.interruption import term_interrupts
from gatecrash.cli.outcome import plural
from gatecrash.cli.output import say, warn
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_REDIRECT, UNAUTHORIZED
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.formats.capture import address_of
from gatecrash.formats.draft import request_to, server_of
from gatecrash.formats.traffic.jsonl import line_of
from gatecrash.node.scan.crawl_visitors import open_to_all
from gatecrash.node.scan.crawling import Crawl
from gatecrash.node.scan.outgoing import Way, traffic_of
from gatecrash.node.test.connections.traffic import Tally
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand
from gatecrash.wire.session import RunOrder

BASELINE = "crawl"
"""What the requests are counted under: they belong to no baseline."""
HEADERS = (
    ("User-Agent", "Mozilla/5.0 (compatible; Gatecrash)"),
    ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"),
    ("Accept-Language", "en"),
    ("Sec-Fetch-Mode", "navigate"),
)
_MOST_TOLD = 5


def crawled(
    url: str, order: RunOrder, way: Way, profile: AuthProfile | None, most: int, *, submits: bool
) -> io.BufferedReader | None:
    """What the site's pages offer, as JSON lines; None where its front page is none. most: pages read by each caller.
    submits: whether forms are sent to see what is behind them, by the first of the callers.

    Raises KeyboardInterrupt.
    """
    callers = [profile, None] if profile is not None else [None]
    crawls = [
        _walked(url, msgspec.structs.replace(order, profile=one), way, most, submits=submits and one is profile)[0]
        for one in callers
    ]
    own, *visitors = [list(crawl.found()) for crawl in crawls]
    others = [_not_replaced(walk, crawls[0]) for walk in visitors]
    found = list(_joined([open_to_all(own, *visitors) if visitors else own, *others]))
    if not any(_is_page(each) for each in found):
        return None
    _tell(f"A site begins at {url}, so its pages were read", found, crawls, most)
    return _as_lines(found)


def crawled_signed_in(
    url: str, order: RunOrder, way: Way, profile: AuthProfile, most: int, seen: Iterable[Exchange]
) -> io.BufferedReader:
    """The same again, now that somebody is signed in by the site's own forms. seen: what a visitor was shown; the forms among it
    are whose he is signed in by.
    """
    crawl, let_in = _walked(url, msgspec.structs.replace(order, profile=profile), way, most, submits=True)
    visited = _not_replaced(seen, crawl)
    sent = {_place(each.request) for each in crawl.found() if not each.drafted}
    forms = [each for each in visited if each.drafted and _place(each.request) not in sent]
    found = list(_joined([forms, open_to_all(crawl.found(), visited), visited]))
    _tell("Signed in, its pages were read again" if let_in else "Its pages were read again", found, [crawl], most)
    return _as_lines(found)


def _not_replaced(found: Iterable[Exchange], crawl: Crawl) -> list[Exchange]:
    """Without the calls that whoever is signed in was seen to make about things that are there."""
    return [each for each in found if _place(each.request) not in crawl.replaced]


def _as_lines(found: Iterable[Exchange]) -> io.BufferedReader:
    lines = b"".join(line_of(each) for each in found)
    return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(lines)))


def _front(url: str) -> Request:
    address = address_of(url)
    parts = urlsplit(url)
    server = server_of(f"{parts.scheme.lower()}://{parts.netloc.rpartition('@')[2]}")
    return msgspec.structs.replace(request_to(server, "GET", "/", HEADERS), target=address.target)


def _walked(url: str, order: RunOrder, way: Way, most: int, *, submits: bool) -> tuple[Crawl, bool]:
    """The walk, and whether its caller was let in wherever he had to sign in; says why where he was not."""
    front, failed = _front(url), dict[str, None]()

    async def run() -> Crawl:
        async with traffic_of(order, way, Tally(order.generation)) as traffic:
            errand = Errand(traffic, BASELINE)

            async def send(request: Request) -> Answer:
                try:
                    return await errand.own(request)
                except LoginFailed as error:
                    failed[str(error)] = None
                    return Answer(Exchange(request, Response(UNAUTHORIZED, (), b"")))

            crawl = Crawl(send, most=most, submits=submits)
            await crawl.run(front)
            return crawl

    with term_interrupts(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        crawl = runner.run(run())
    if failed:
        warn(f"nobody is signed in, so the site's pages are read as a visitor's: {next(iter(failed))}.")
    return crawl, not failed


def _joined(walks: Iterable[Iterable[Exchange]]) -> Iterator[Exchange]:
    """What each caller was shown; what the one before was shown as well is his."""
    known: set[tuple[str, bytes]] = set()
    for walk in walks:
        found = [(_place(each.request), each) for each in walk]
        yield from (each for place, each in found if place not in known)
        known.update(place for place, _ in found)


def _place(request: Request) -> tuple[str, bytes]:
    return request.method, request.target


def _is_page(exchange: Exchange) -> bool:
    response = exchange.response
    return response is not None and response.status < FIRST_REDIRECT and "html" in media_type(response)


def _tell(how: str, found: list[Exchange], crawls: list[Crawl], most: int) -> None:
    forms = sum(each.drafted or not is_safe(each.request) for each in found)
    read = len(found) - forms
    say(
        f"{how}: {plural(read, 'page')}, and {plural(forms, 'form')} that "
        "may change something, which are each sent once."
    )
    if not all(crawl.has_time() for crawl in crawls):
        warn(f"only the first {most} pages were read; --crawl-pages N reads more.")
    left = list(dict.fromkeys(each for crawl in crawls for each in crawl.left_alone))
    if left:
        more = f", and {len(left) - _MOST_TOLD} more" if len(left) > _MOST_TOLD else ""
        say(f"Left alone, as they sign out, delete or change something: {', '.join(left[:_MOST_TOLD])}{more}.")
    _tell_of_set_up(found, left)


def _tell_of_set_up(found: list[Exchange], left: list[str]) -> None:
    """An application that was never set up leads everybody to the page with the form for it, and shows nothing else."""
    pages = {each.request.path.decode("latin-1") for each in found if _is_page(each)}
    forms = [each for each in left if not each.startswith("GET ")]
    if forms and len(pages) == 1:
        warn(
            f"nothing but {pages.pop()} was shown, and {forms[0]} was left alone: where that sets the application up, "
            "send it in a browser, and scan again."
        )
