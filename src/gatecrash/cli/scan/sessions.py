"""`gatecrash scan` of a capture: what is asked before anything is tested.

What lets its users in where the capture does not say so, the answers that it does not hold, things in the place of those that
it asks for in vain or has deleted, and whether its sessions are alive.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial

import msgspec
import uvloop

from gatecrash.cli.interruption import term_interrupts
from gatecrash.cli.output import say, warn
from gatecrash.cli.scan.capture import ScanCapture
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.reports import notes
from gatecrash.core.reports.notes import of_credentials
from gatecrash.core.statuses import UNAUTHORIZED
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.recorded_session import LoginAddress
from gatecrash.node.scan.captures.absent_things import AbsentThings
from gatecrash.node.scan.captures.deleted_things import DeletedThings
from gatecrash.node.scan.captures.liveness import Unopened, dead_logins, open_sessions
from gatecrash.node.scan.captures.missing_answers import MissingAnswers
from gatecrash.node.scan.captures.things_anew import ThingsAnew
from gatecrash.node.scan.captures.unknown_credentials import UnknownCredentials
from gatecrash.node.scan.outgoing import Way, traffic_of
from gatecrash.node.test.beforehand.as_own import own_name
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.sessions.living import LoginFailed, SignedIn
from gatecrash.node.test.sessions.of_run import Place
from gatecrash.node.test.sessions.request import Errand
from gatecrash.wire.session import RunOrder

ENDED, OVER = "The file ends its users' sessions itself", "The file's sessions are over"
GONE = (
    "what let the file's users in is refused now, and the file holds no login, masks its password, or shows one that is good for once (a"
    " passkey, a signature, a link by mail, another site's sign-in): what they may see is not tested."
    " Record again, from the login on, or give an auth profile (--auth-profile FILE)."
)
BASELINE = "session"
"""Stands in the place of a baseline, to which the questions do not belong."""

Send = Callable[[Request], Awaitable[Answer]]


class Found(msgspec.Struct):
    """What came of it. dead: logins whose sessions are over at the target. missing: answers that the capture
    lacked. absent: what it asked for in vain. deleted: what it made and deleted. letting_in: names of headers and
    cookies that the target was found to want. over: whether sessions are over whose logins the capture does not
    hold. there: how many things were found in the place of absent ones. anew: what has other names since it was
    recorded. renamed: how much that is. signed_in: what logins gave, to ask that.
    """

    dead: frozenset[LoginAddress] = frozenset()
    missing: MissingAnswers = msgspec.field(default_factory=MissingAnswers)
    absent: AbsentThings | None = None
    deleted: DeletedThings | None = None
    letting_in: tuple[str, ...] = ()
    over: bool = False
    there: int = 0
    anew: ThingsAnew | None = None
    renamed: int = 0
    signed_in: dict[Place, SignedIn] = msgspec.field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """What a run keeps of the same for its reader."""
        told = [of_credentials(name) for name in self.letting_in]
        told += [notes.OVER] if self.over else []
        told += self.deleted.notes if self.deleted is not None else ()
        told += [notes.OBJECTS] if self.there else []
        return [*told, notes.RENAMED] if self.renamed else told

    def completed(self, exchanges: Iterable[Exchange]) -> Iterator[Exchange]:
        """The capture's exchanges, with what came of it."""
        given: set[Request] = set()
        for exchange in exchanges:
            filled = self.missing.filled(exchange)
            made = self.deleted.in_place_of(filled) if self.deleted is not None else None
            yield made or (self.anew.in_place_of(filled) if self.anew is not None else None) or filled
            if self.absent is not None and exchange.request not in given:
                given.add(exchange.request)
                yield from self.absent.beside(exchange)


def ask_first(capture: ScanCapture, order: RunOrder, way: Way) -> Found:
    """Ask all of it; the capture knows what lets in."""
    found = Found()
    if capture.drafts:
        return found
    unknown, unopened = UnknownCredentials(capture.learned), Unopened(capture.learned)
    found.absent = absent = AbsentThings(capture.learned)
    found.deleted = deleted = DeletedThings(order.policy.methods_excluded)

    def seen() -> Iterable[Exchange]:
        for exchange in capture.exchanges():
            unknown.see(exchange)
            unopened.see(exchange)
            found.missing.see(exchange)
            absent.see(exchange)
            deleted.see(exchange)
            yield exchange

    sessions = open_sessions(seen())

    async def run(send: Send) -> None:
        letting_in = await unknown.ask(send)
        if letting_in:
            capture.know(letting_in)
            found.letting_in = tuple(dict.fromkeys(point[-1] for _, point in letting_in))
            say(of_credentials(", ".join(found.letting_in)))
        found.dead = await dead_logins(sessions, send)
        found.over = not found.dead and await unopened.are_over(send)
        if found.over:
            warn(GONE)
            capture.know(unopened.letting_in)  # what is tested with them is tested as nobody, and must not pass
        if not found.dead:  # by those who are signed in again, then
            await deleted.make(send)
            for note in deleted.notes:
                say(note)
            await _look(found, send)

    _sending(order, way, lambda traffic: run(_as_recorded(traffic)))
    return found


def ask_signed_in(capture: ScanCapture, found: Found, order: RunOrder, way: Way) -> bool:
    """Ask, signed in by the order's profile, what was left because sessions are over, and by what names things go now; whether
    that changes what is to be tested.
    """

    async def run(traffic: Traffic) -> None:
        found.anew = anew = ThingsAnew(lambda request: own_name(traffic, request, capture.learned))
        for exchange in capture.exchanges():
            anew.see(exchange)
        send = partial(_signed_in, Errand(traffic, BASELINE))
        found.renamed = await anew.ask(send)
        if found.renamed:
            say(f"Things of the file have other identifiers at the target now: {found.renamed} are tested by those.")
        if found.dead:
            await _look(found, send)
        found.signed_in = traffic.sessions.signed_in

    _sending(order, way, run)
    return bool(found.dead or found.renamed)


async def _look(found: Found, send: Send) -> None:
    """Fill in, and look for what is there."""
    assert found.absent is not None
    await found.missing.ask(send)
    for answered in found.missing.answered():
        found.absent.learn(answered)
    found.there = await found.absent.ask(send)
    if found.there:
        say(f"The file asks for things that the target does not have: {found.there} that it has are tested as well.")


async def _signed_in(errand: Errand, request: Request) -> Answer:
    """Whoever cannot be signed in is refused; the tests say why."""
    try:
        return await errand.own(request)
    except LoginFailed:
        return Answer(Exchange(request, Response(UNAUTHORIZED, (), b"")))


def _as_recorded(traffic: Traffic) -> Send:
    return lambda request: traffic.send(request, BASELINE)


def who_is_who(requests: Iterable[Request], order: RunOrder, way: Way) -> list[Exchange]:
    """What each of these was answered."""
    asked = list(requests)
    answered: list[Exchange] = []

    async def run(send: Send) -> None:
        answered.extend([(await send(request)).exchange for request in asked])

    if asked:
        _sending(order, way, lambda traffic: run(_as_recorded(traffic)))
    return answered


def _sending(order: RunOrder, way: Way, ask: Callable[[Traffic], Awaitable[None]]) -> None:
    """These are no tests, and none of a run's counts is theirs."""

    async def run() -> None:
        async with traffic_of(order, way, Tally(order.generation)) as traffic:
            await ask(traffic)

    with term_interrupts(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())
