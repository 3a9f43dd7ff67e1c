"""What a run asks its target about what was recorded, before it tests it, as `scan` asks about a capture.

Which cookies, headers and parameters of the application's own let a sender in, where no recorded login says so; answers
that the recorded client had in its cache; and an object that is there, where one was recorded that is not, or was made
and deleted. While the record grows, each part of it is asked about when it comes. Each recorded sender is asked what
only others of them asked, which tells who is who.
With an auth profile the tests do not use what was recorded: its identities are asked who they are, and make anew what the record
deleted, each what was his; and they are asked what things are called now that a target set up anew calls otherwise.
"""

import secrets
from collections.abc import Callable, Sequence

import msgspec

from gatecrash.core.auth.parameters import COOKIE_STEPS
from gatecrash.core.auth.recogniser import Recognised, Recogniser, compile_recogniser
from gatecrash.core.auth.sessions import LearnedCookie, State
from gatecrash.core.errors import UserError
from gatecrash.core.inventory.endpoint import host_of
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.reports.notes import OBJECTS, RENAMED, of_credentials
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.operations.graphql import words_of
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.profile import RECORDED
from gatecrash.core.testing.selection.duplicates import Fullest
from gatecrash.core.testing.selection.replay import why_not
from gatecrash.formats.draft import is_kept
from gatecrash.node.scan.captures.absent_things import AbsentThings
from gatecrash.node.scan.captures.deleted_things import DeletedThings
from gatecrash.node.scan.captures.missing_answers import MissingAnswers
from gatecrash.node.scan.captures.strangers import Strangers
from gatecrash.node.scan.captures.things_anew import ThingsAnew
from gatecrash.node.scan.captures.unknown_credentials import UnknownCredentials
from gatecrash.node.test.beforehand.as_own import as_own, is_own, own_name
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.retargeting import retargeted
from gatecrash.node.test.sessions.entrances import Entrances
from gatecrash.node.test.sessions.introductions import Introductions
from gatecrash.wire.session import RunOrder

QUESTIONS = "questions"
"""What these requests are counted under: they belong to no baseline."""
MOST_ASKED = 500
"""Requests of one run. Each process of a node asks for itself."""
_OF_HEADER = 2
MOST_BYTES = 256 * 1024
"""Of the answers that are compared: the control plane keeps them with the run."""


class FirstQuestions:
    """One run's. recogniser: what detection knows by now.

    aimed = await questions.ask(exchanges)     the exchanges as they will be tested, with the answers that they lacked
    questions.recognise(request)               with what was found to let in
    questions.let_in, questions.headers        the cookies among it, as they were recorded, and the headers
    questions.as_tested(baseline)              with the cookies of an identical one, and an object that is there
    answered = await questions.compare()       what senders of the record are answered by now, as if it were recorded
    questions.notes                            what the reader of the run must know of what was found
    """

    def __init__(self, order: RunOrder, traffic: Traffic, recogniser: Callable[[], Recognises]) -> None:
        """Nothing is asked before `ask`."""
        self._order = order
        self._traffic = traffic
        self._recogniser = recogniser
        self._asks = order.profile is None or order.profile.recorded
        self._left = MOST_ASKED
        self._points: dict[str, set[Point]] = {}
        # Found under an earlier lease: whoever signs in again by now is not asked with what was recorded.
        self._known = frozenset(Point(("header", name)) for name in order.credential_headers)
        self._further: Recogniser = compile_recogniser(self._known)
        self._recorded: dict[str, set[str]] = {}
        self._met: set[tuple[str, str, bytes, tuple[str, ...]]] = set()
        self._given: set[bytes] = set()
        self._absent = AbsentThings(self)
        self._deleted = DeletedThings(order.policy.methods_excluded)
        self._anew = ThingsAnew(lambda request: own_name(traffic, request, self))
        self._strangers = Strangers(self)
        self._introductions = Introductions(traffic, self, QUESTIONS)
        self._entrances = Entrances(traffic, self, QUESTIONS)
        self._compared: set[Request] = set()
        self._room = MOST_BYTES
        self._fullest = Fullest(secrets.token_bytes(32))
        self.let_in: tuple[LearnedCookie, ...] = ()

    def recognise(self, request: Request) -> tuple[Recognised, ...]:
        """Every credential of the request, one a point."""
        found = self._recogniser().recognise(request)
        points = self._known | self._points.get(host_of(request), set())
        if not points:
            return found
        valid = {one.point for one in found if one.valid}
        more = [one for one in self._further.recognise(request) if one.point in points and one.point not in valid]
        taken = {one.point for one in more}
        return (*(one for one in found if one.point not in taken), *more)

    async def ask(self, exchanges: Sequence[Exchange]) -> list[Exchange]:
        """Ask about them. What cannot be aimed at the run's target is left out: its trial says so."""
        both = [(one, there) for one in exchanges if (there := self._aimed(one)) is not None]
        aimed = [there for _, there in both]
        if not self._asks:
            if self._order.profile is not None and self._order.profile.id == RECORDED:
                await self._look_for_credentials(aimed)  # one session is over, and what else lets in may not be
            sent = [one.request for one in aimed if not is_kept(one)]
            await self._introductions.make(sent)
            await self._entrances.compare(sent)
            return await self._with_made(aimed)
        unknown, missing = UnknownCredentials(self, self._given), MissingAnswers()
        for exchange in aimed:
            if self._is_new(exchange):
                unknown.see(exchange)
                missing.see(exchange)
        self._know(await unknown.ask(self._send))
        await missing.ask(self._send)
        filled = [missing.filled(exchange) for exchange in aimed]
        for (recorded, _), exchange in zip(both, filled, strict=True):
            self._absent.see(exchange)
            self._deleted.see(exchange)
            self._fullest.see(exchange, self._credentials(exchange))
            if not why_not(recorded):
                self._strangers.see(msgspec.structs.replace(recorded, response=exchange.response))
        await self._deleted.make(self._send)
        await self._absent.ask(self._send)
        return [self._deleted.in_place_of(exchange) or exchange for exchange in filled]

    async def _look_for_credentials(self, aimed: Sequence[Exchange]) -> None:
        unknown = UnknownCredentials(self, self._given)
        for exchange in filter(self._is_new, aimed):
            unknown.see(exchange)
        self._know(await unknown.ask(self._send))

    async def _with_made(self, aimed: Sequence[Exchange]) -> list[Exchange]:
        """With what the profile's identities made in the place of what the record deleted, and by the names that things have now."""
        for exchange in aimed:
            self._traffic.forms.sources.see(exchange)  # the pages that hand out the tokens of what makes
            if is_own(exchange.request, self._order.profile, self):
                self._deleted.see(exchange)
            self._anew.see(exchange)
        await self._deleted.make(as_own(self._traffic, self, QUESTIONS))
        await self._anew.ask(as_own(self._traffic, self, QUESTIONS))
        return [self._of_now(exchange) or exchange for exchange in aimed]

    def _of_now(self, exchange: Exchange) -> Exchange | None:
        return self._deleted.in_place_of(exchange) or self._anew.in_place_of(exchange)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about credentials that nothing told of, and about objects that are not there."""
        names = dict.fromkeys(point[-1] for points in self._points.values() for point in sorted(points))
        objects = [*([OBJECTS] if self._absent.count else []), *([RENAMED] if self._anew.count else [])]
        return (*map(of_credentials, names), *self._deleted.notes, *objects)

    @property
    def headers(self) -> tuple[str, ...]:
        """Names of headers that were found to let in."""
        points = (point for points in self._points.values() for point in points)
        return tuple(sorted({point[-1] for point in points if point[0] == "header" and len(point) == _OF_HEADER}))

    def as_tested(self, baseline: Baseline) -> Baseline:
        """The baseline as an identical one was sent with more cookies, and with an object that is there where it was
        recorded with one that is not.
        """
        aimed = self._aimed(baseline.exchange)
        if aimed is None:
            return baseline
        if not self._asks:
            made = self._of_now(aimed)
            return baseline if made is None else Baseline(baseline.id, made)
        fuller = None if self._order.each_identical else self._fullest.same(aimed, self._credentials(aimed))
        asked = fuller or aimed
        found = self._absent.in_place_of(asked.request) or self._deleted.in_place_of(asked) or fuller
        return baseline if found is None else Baseline(baseline.id, found)

    def _credentials(self, exchange: Exchange) -> list[Point]:
        return [one.point for one in self.recognise(exchange.request)]

    async def compare(self) -> tuple[Exchange, ...]:
        """Ask each sender what only others asked, each once; what came of it now, of the hosts at which they were recorded."""
        answered: list[Exchange] = []
        for request in self._strangers.questions() if self._asks else ():
            aimed = self._aimed(Exchange(request))
            if aimed is None or request in self._compared:
                continue
            self._compared.add(request)
            response = (await self._send(aimed.request)).exchange.response
            if response is not None and len(response.body) <= self._room:
                self._room -= len(response.body)
                answered.append(Exchange(request, response))
        return tuple(answered)

    def _aimed(self, exchange: Exchange) -> Exchange | None:
        try:
            aimed = retargeted(Baseline("", exchange), self._order.target_url).exchange
        except UserError:
            return None
        self._recorded.setdefault(host_of(aimed.request), set()).add(host_of(exchange.request))
        return aimed

    def _is_new(self, exchange: Exchange) -> bool:
        request = exchange.request
        # GraphQL, and functions called by name, have one address for everything.
        key = (request.method, host_of(request), request.target, words_of(request))
        is_new = key not in self._met
        self._met.add(key)
        return is_new

    def _know(self, letting_in: Sequence[tuple[str, Point]]) -> None:
        for host, point in letting_in:
            for name in (host, *self._recorded[host]):
                self._points.setdefault(name, set()).add(point)
            if point[:-1] == COOKIE_STEPS:
                cookies = (LearnedCookie(name, point[-1], State.UNPROVEN, likely=True) for name in self._recorded[host])
                self.let_in = (*self.let_in, *cookies)
        if letting_in:
            points = (point for points in self._points.values() for point in points)
            self._further = compile_recogniser({*self._known, *points})

    async def _send(self, request: Request) -> Answer:
        """A target that does not answer, or was asked often enough, is asked no more."""
        if self._left <= 0:
            return Answer(Exchange(request), "not_asked")
        self._left -= 1
        answer = await self._traffic.send(request, QUESTIONS)
        if answer.exchange.response is None:
            self._left = 0
        return answer
