"""`gatecrash scan` of a site: its pages are read first, as whoever is signed in by an auth profile and
as a visitor, and become a capture of their own.
"""

import asyncio
import io
from collections.abc import Iterable
from time import monotonic

import msgspec
import uvloop

from gatecrash.cli.interruption import term_interrupts
from gatecrash.cli.output import say, warn
from gatecrash.core.message import Exchange, Request
from gatecrash.core.reports.plural import plural
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.node.scan.browsed import browsing
from gatecrash.node.scan.crawling import Crawl
from gatecrash.node.scan.outgoing import Way, traffic_of
from gatecrash.node.scan.walks import Caller, as_lines, front_of, is_page, shown_again, together, unanswered
from gatecrash.node.test.connections.traffic import Tally
from gatecrash.wire.session import RunOrder

_MOST_TOLD = 5
TOLD_EVERY = 15.0
"""Seconds of reading after which is said how far it is: a site that is slow, or seen by a browser, takes minutes."""


def crawled(
    url: str, order: RunOrder, way: Way, profile: AuthProfile | None, most: int, *, submits: bool
) -> io.BufferedReader | None:
    """What the site's pages offer, as JSON lines; None where its front page is none. most: pages read by each caller.
    submits: whether forms are sent to see what is behind them, by the first of the callers.

    Raises KeyboardInterrupt.
    """
    callers = [profile, None] if profile is not None else [None]
    crawls = [
        _walked(
            url,
            msgspec.structs.replace(order, profile=one),
            way if one is profile else msgspec.structs.replace(way, browser=None),
            most,
            submits=submits and one is profile,
        )[0]
        for one in callers
    ]
    found = together(crawls)
    if not any(is_page(each) for each in found):
        return None
    _tell(f"A site begins at {url}, so its pages were read", found, crawls, most)
    return as_lines(found)


def crawled_signed_in(
    url: str, order: RunOrder, way: Way, profile: AuthProfile, most: int, seen: Iterable[Exchange]
) -> io.BufferedReader:
    """The same again, now that somebody is signed in by the site's own forms. seen: what a visitor was shown; the forms among it
    are whose he is signed in by.
    """
    crawl, let_in = _walked(url, msgspec.structs.replace(order, profile=profile), way, most, submits=True)
    found = shown_again(crawl, seen)
    _tell("Signed in, its pages were read again" if let_in else "Its pages were read again", found, [crawl], most)
    return as_lines(found)


def _walked(url: str, order: RunOrder, way: Way, most: int, *, submits: bool) -> tuple[Crawl, bool]:
    """The walk, and whether its caller was let in wherever he had to sign in; says why where he was not."""

    async def run() -> tuple[Crawl, Caller]:
        told = monotonic()

        async def ask(request: Request) -> Answer:
            nonlocal told
            answer = await caller.send(request)
            crawl.over = bool(caller.gone)
            if monotonic() - told >= TOLD_EVERY:
                told = monotonic()
                say(f"reading · {plural(crawl.asked, 'page')} asked for, {crawl.left} more known")
            return answer

        async with traffic_of(order, way, Tally(order.generation)) as traffic:
            caller = Caller(traffic)
            crawl = Crawl(ask, most=most, submits=submits, browse=browsing(way, order.profile))
            await crawl.run(front_of(url))
            return crawl, caller

    with term_interrupts(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        crawl, caller = runner.run(run())
    if told := unanswered(url, [crawl], caller.gone):
        warn(told)
    failed = caller.failed
    if failed:
        warn(f"nobody is signed in, so the site's pages are read as a visitor's: {failed}.")
    return crawl, not failed


def _tell(how: str, found: list[Exchange], crawls: list[Crawl], most: int) -> None:
    forms = sum(each.drafted or not is_safe(each.request) for each in found)
    read = len(found) - forms
    say(
        f"{how}: {plural(read, 'page')}, and {plural(forms, 'form')} that "
        "may change something, which are each sent once."
    )
    if calls := sum(crawl.run_calls for crawl in crawls):
        say(
            f"A browser ran its scripts, which made {plural(calls, 'call')}; those that change something were held back."
        )
    if any(crawl.is_full() for crawl in crawls):
        warn(f"only the first {most} pages were read; --crawl-pages N reads more.")
    left = list(dict.fromkeys(each for crawl in crawls for each in crawl.left_alone))
    if left:
        more = f", and {len(left) - _MOST_TOLD} more" if len(left) > _MOST_TOLD else ""
        say(f"Left alone, as they sign out, delete or change something: {', '.join(left[:_MOST_TOLD])}{more}.")
    _tell_of_set_up(found, left)


def _tell_of_set_up(found: list[Exchange], left: list[str]) -> None:
    """An application that was never set up leads everybody to the page with the form for it, and shows nothing else. One that lives in
    the browser has one page as well, and answers its scripts.
    """
    if any(each.response is not None and "json" in media_type(each.response) and not each.drafted for each in found):
        return
    pages = {each.request.path.decode("latin-1") for each in found if is_page(each)}
    forms = [each for each in left if not each.startswith("GET ")]
    if forms and len(pages) == 1:
        warn(
            f"nothing but {pages.pop()} was shown, and {forms[0]} was left alone: where that sets the application up, "
            "send it in a browser, and scan again."
        )
