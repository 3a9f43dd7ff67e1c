"""What there is at an address, read for a record: a description, or the pages of a site, as a visitor and as whoever an auth profile
or the site's own forms sign in, and what describes an API beside them.

found = await exploring.run()       what the record is to hold. Raises UserError, TargetError
exploring.read                      pages that were answered until now
exploring.notes                     what the record's reader must know; while the site is waited for, that as well
exploring.end()                     asks for no more: what was read by then is what was found
"""

import asyncio
import io
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

import msgspec

from gatecrash.core.errors import TargetError, UserError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.reports.notes import of_nobody
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.profile import AuthProfile, ProfileIdentity
from gatecrash.formats.capture import Malformed
from gatecrash.formats.draft import Draft
from gatecrash.formats.opening import opened
from gatecrash.node.scan.at_home import at_home
from gatecrash.node.scan.browsed import browsing
from gatecrash.node.scan.crawling import Crawl
from gatecrash.node.scan.described_pages import undescribed
from gatecrash.node.scan.drafts.token_headers import Guarded
from gatecrash.node.scan.fetching import Seen, fetched, origin_of, seen_at
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.scan.signed_up import SignedUp
from gatecrash.node.scan.starts import Source, Sources, begun_at
from gatecrash.node.scan.walks import Caller, as_lines, front_of, is_page, shown_again, together, unanswered
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.wording import GONE
from gatecrash.wire.session import Start

Opened = Callable[[AuthProfile | None], AbstractAsyncContextManager[Traffic]]
"""Traffic to the site in the name of whom a profile signs in, or of a visitor."""
MOST_NAMED = 5


class Exploring:
    """One address. profile: who is signed in; None for whoever the site's forms let in. may_ask: cleared while nothing may be sent."""

    def __init__(self, start: Start, way: Way, profile: AuthProfile | None, traffic: Opened) -> None:
        """Nothing is asked before `run`."""
        self.may_ask = asyncio.Event()
        self._start = start
        self._way = way
        self._profile = profile
        self._traffic = traffic
        self._notes: list[str] = []
        self._crawls: list[Crawl] = []
        self._callers: list[Caller] = []
        self._walking: asyncio.Task[io.BufferedReader | None] | None = None
        self._over = False

    @property
    def read(self) -> int:
        """Pages that were answered."""
        return sum(crawl.asked - crawl.told - len(crawl.unanswered) for crawl in self._crawls)

    @property
    def notes(self) -> list[str]:
        """What was not read and why, and what is waited for now."""
        awaited = next((caller.awaited for caller in self._callers if caller.awaited), "")
        return [*self._notes, *([f"Waiting for {origin_of(self._start.url)}: {GONE[awaited]}."] if awaited else ())]

    @property
    def _gone(self) -> str:
        """How the site fails that was waited for in vain; "" while nobody has."""
        return next((caller.gone for caller in self._callers if caller.gone), "")

    def end(self) -> None:
        """Ask for no more."""
        self._over = True
        self.may_ask.set()
        for crawl in self._crawls:
            crawl.over = True
        for caller in self._callers:
            caller.hurry()

    async def run(self) -> list[Exchange]:
        """What may be tested there, requests of a description before pages."""
        await self.may_ask.wait()
        loop = asyncio.get_running_loop()
        try:
            sources = await asyncio.to_thread(self._sources, loop)
        except UserError:
            if self._over:  # before anything was read
                return []
            if self._gone:
                self._notes.clear()  # there is nothing that they would be about, and the trouble says the same
                raise TargetError(unanswered(self._start.url, self._crawls, self._gone)) from None
            raise
        finally:
            if self._walking is not None:
                self._walking.cancel()
        return list(self._joined(sources))

    def _sources(self, loop: asyncio.AbstractEventLoop) -> Sources:
        """In a thread of its own: descriptions are fetched one request after the other."""

        def walk(site: str) -> io.BufferedReader | None:
            return asyncio.run_coroutine_threadsafe(self._walk(site), loop).result()

        url, way = self._start.url, self._way
        return begun_at(url, seen_at(url, way.allowed, verify_tls=way.verify_tls, proxy=way.proxy), self._fetch, walk)

    def _fetch(self, url: str, seen: Seen | None) -> io.BufferedReader:
        if self._over or self._gone:
            raise UserError(f"{url} was not asked any more.")
        way = self._way
        return fetched(url, way.allowed, verify_tls=way.verify_tls, proxy=way.proxy, seen=seen)

    async def _walk(self, site: str) -> io.BufferedReader | None:
        """Cancelled with `run`, for whose thread nobody else would end it."""
        self._walking = asyncio.ensure_future(self._walked(site))
        return await self._walking

    async def _walked(self, site: str) -> io.BufferedReader | None:
        for profile in (self._profile, None) if self._profile is not None else (None,):
            if not self._gone:
                await self._walk_as(profile, site, submits=profile is self._profile)
        found = together(self._crawls)
        if self._profile is None and not self._over and not self._gone:
            found = await self._as_users(site, found)
        self._note()
        return as_lines(found) if any(is_page(each) for each in found) else None

    async def _walk_as(self, profile: AuthProfile | None, site: str, *, submits: bool) -> Crawl:
        async with self._traffic(profile) as traffic:
            caller = self._caller(traffic)
            browse = browsing(self._way, profile) if submits else None
            crawl = Crawl(self._asking(caller), most=self._start.most, submits=submits, browse=browse)
            crawl.over = self._over or bool(self._gone)
            self._crawls.append(crawl)
            await crawl.run(front_of(site))
            if caller.failed:
                self._notes.append(f"Nobody is signed in, so pages are read as a visitor's: {caller.failed}.")
        return crawl

    async def _as_users(self, site: str, visited: list[Exchange]) -> list[Exchange]:
        """What a visitor was shown, and what those are who the site's own forms let in."""
        signing = SignedUp(each for each in _read(("", as_lines(visited))) if isinstance(each, Draft))
        async with self._traffic(None) as traffic:
            await signing.run(self._asking(self._caller(traffic)))
        if signing.trouble and not self._gone:
            self._notes.append(of_nobody(signing.trouble))
        if signing.profile is None:
            return visited
        first, *others = signing.profile.identities
        found = shown_again(await self._walk_as(alone(signing.profile, first), site, submits=True), visited)
        for other in others:
            crawl = await self._walk_as(alone(signing.profile, other), site, submits=False)
            found += [each for each in crawl.found() if not each.drafted]
        return [*signing.logins, *found]

    def _caller(self, traffic: Traffic) -> Caller:
        caller = Caller(traffic)
        self._callers.append(caller)
        return caller

    def _asking(self, caller: Caller) -> Callable[[Request], Awaitable[Answer]]:
        async def ask(request: Request) -> Answer:
            await self.may_ask.wait()
            answer = await caller.send(request)
            if caller.gone:
                for crawl in self._crawls:
                    crawl.over = True
            return answer

        return ask

    def _note(self) -> None:
        """What was not read, and why."""
        if not self._over and any(crawl.is_full() for crawl in self._crawls):
            self._notes.append(f"Only the first {self._start.most} pages were read; there are more.")
        if told := unanswered(self._start.url, self._crawls, self._gone):
            self._notes.append(told)
        left = list(dict.fromkeys(each for crawl in self._crawls for each in crawl.left_alone))
        if left:
            more = f", and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
            named = ", ".join(left[:MOST_NAMED])
            self._notes.append(f"Left alone, as they sign out, delete or change something: {named}{more}.")

    def _joined(self, sources: Sources) -> list[Exchange]:
        """A description's requests where they are, and of pages what it does not have."""
        home = origin_of(self._start.url)
        told = [at_home(each, home) for source in (sources.first, *sources.further) for each in _read(source)]
        pages = _read(sources.pages) if sources.pages is not None else []
        guarded = Guarded(pages)
        described = [each for each in told if isinstance(each, Draft)]
        sent = (guarded.draft(each) if isinstance(each, Draft) else each for each in told)
        return [*sent, *undescribed(pages, described)]


def alone(profile: AuthProfile, identity: ProfileIdentity) -> AuthProfile:
    """The profile with one of its identities."""
    one: AuthProfile = msgspec.structs.replace(profile, identities=(identity,))
    return one


def _read(source: Source) -> list[Exchange]:
    source[1].seek(0)
    return [each for each in opened(source[1]).items if not isinstance(each, Malformed)]
