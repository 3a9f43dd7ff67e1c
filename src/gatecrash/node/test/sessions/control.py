"""Control requests: questions whose answers tell whether the session behind a baseline's tests still lives.

Asked at the identity's check address; else with the baseline itself, where it changes nothing and ends no session; else
with a safe request of the same credentials that answered well before. Where there is none of these, nobody can tell.
A session is over, too, where it is answered in another form than before, and nobody is answered so.
"""

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_SERVER_ERROR
from gatecrash.core.testing.authorization.callers.own_headers import own_headers
from gatecrash.core.testing.authorization.openness.access import may_be_repeated
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.health.nobody import Face, face_of, has_changed, is_alike
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import refusal, was_let_in
from gatecrash.core.testing.payloads.auth_bypass import CALLERS, METHODS
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.profiles.profile import CheckAddress
from gatecrash.core.testing.profiles.step_request import check_request
from gatecrash.node.test.sessions.known_good import Known
from gatecrash.node.test.sessions.living import LiveSession
from gatecrash.node.test.sessions.of_run import Sessions
from gatecrash.node.test.sessions.principal import Principal

# What is done, where, and for whom: with them a question would be another one, and might change something.
_OF_THE_REQUEST = frozenset(name.lower() for name in (*METHODS, *CALLERS, b"X-Original-URL", b"X-Rewrite-URL"))


class Silent(msgspec.Struct, frozen=True):
    """A session that is over by nobody's answer alone. known: what was asked. weak: it has its form still, and holds nothing."""

    known: Known
    weak: bool


class Control:
    """The control requests of one baseline. asked, good: how many had an answer, and in how many the session lived.

    refused: whether a probe's last repetition of the baseline was refused, though the recorded request was not.
    silent: whether nothing but nobody's answer told that the session is over.
    """

    def __init__(self, principal: Principal, sessions: Sessions) -> None:
        self.asked = 0
        self.good = 0
        self.refused = False
        self.silent: Silent | None = None
        self._trusting = True
        self._principal = principal
        self._sessions = sessions
        # As it was recorded: what the session sets is put on when it is sent.
        self._recorded = principal.baseline.exchange

    @property
    def needed(self) -> bool:
        """Whether there is a session at all that could die."""
        return self._principal.session is not None or bool(self._principal.credentials)

    @property
    def repeats(self) -> bool:
        """Whether the baseline itself may be asked again."""
        return self._repeatable()

    @property
    def by_baseline(self) -> bool:
        """Whether it is the baseline itself that is asked."""
        return self.needed and self._check() is None and self._repeatable()

    @property
    def possible(self) -> bool:
        """Whether there is anything safe to ask."""
        return self.needed and (self._check() is not None or self._repeatable() or bool(self._known()))

    async def alive(self, *, doubting: bool = False) -> bool | None:
        """Whether the session lives; None where nothing can be asked or no answer came. Raises LoginFailed.

        doubting: whether a request that answers everybody so is not believed.
        """
        self.silent = None
        session, check = self._principal.session, self._check()
        if not self.needed:
            return None
        if session is not None and check is not None:
            return self._count(await self._ask_check(session, check))
        if self._repeatable():
            lives = await self._ask(self._own, repeats=True)
            if lives:
                self._remember()
            return self._count(lives)
        return self._count(await self._by_known(doubting=doubting))

    def _remember(self) -> None:
        """For who asks with the same credentials, and for who asks whether this user is signed in. Not what holds a token: sent in
        another session, it is refused however alive that is.
        """
        if self._principal.guarded:
            return
        for whose in {self._key(), self._principal.session} - {None}:
            self._sessions.known_good.remember(whose, self._recorded, self._principal.credentials)

    async def _by_known(self, *, doubting: bool) -> bool | None:
        """By the requests that answered before, the first that tells."""
        lives: bool | None = None
        for known in self._known():
            lives = await self._ask(known, repeats=False)
            if lives is False or not doubting or (lives and await self._tells(known)):
                return lives
        return lives

    async def known_alive(self) -> bool | None:
        """Whether another baseline's request of the same session is still let in; None where there is none."""
        known = next((one for one in self._known() if one.exchange is not self._recorded), None)
        return await self._ask(known, repeats=False) if known is not None else None

    async def lives_elsewhere(self) -> bool | None:
        """Whether other requests of the session are still answered as before, and not as nobody's are; None where that
        shows nothing.

        Raises LoginFailed.
        """
        silent, self.silent = self.silent, None
        asked = None if silent is None else silent.known.exchange
        told: bool | None = None
        for known in self._known():
            if known.exchange is self._recorded or known.exchange is asked:
                continue
            lives = await self._ask(known, repeats=False)
            if lives and await self._tells(known):
                told = True
                break
            told = False if lives is False else told
        self.silent = silent
        return told

    def distrust(self) -> None:
        """What was answered as nobody's is, is answered so in a living session, too: a thing that is gone, perhaps."""
        if self.silent is None:
            return
        if self.silent.known.exchange is self._recorded:
            self._trusting = False
        else:
            self._sessions.known_good.forget(self._key(), self.silent.known)
        self.silent = None

    async def other_alive(self, session: LiveSession) -> bool | None:
        """Whether another identity's session lives; None where nothing tells. Raises LoginFailed."""
        check, answered = session.identity.check, self._sessions.known_good.of(session)
        if check is not None and not (self._sessions.recorded and answered):
            return await self._ask_check(session, check)
        silent, told = self.silent, None
        for known in answered:
            lives = await self._ask(known, repeats=False, session=session)
            if lives is False or (lives and await self._tells(known, session)):
                told = lives
                break
        self.silent = silent
        return told

    def learn(self, response: Response | None) -> None:
        """What the baseline is answered, where nobody knew before."""
        self._recorded = msgspec.structs.replace(self._recorded, response=response)

    def watch(self, response: Response) -> None:
        """Counts a probe's own repetition of the baseline, and notes a refusal also where nobody knows what let it in:
        a session's cookie that visitors have, too, before they sign in is no credential by itself.
        """
        good = self._recorded.response
        lives = refusal(response, good) is None
        self.refused = not lives and good is not None and was_let_in(good)
        if self.needed:
            self._count(lives)

    async def _ask_check(self, session: LiveSession, check: CheckAddress) -> bool | None:
        request = self._as_clients_ask(check_request(check, self._sessions.origin(self._recorded.request)))
        answer = await self._principal.send_plain(session, request)
        response = answer.exchange.response
        return None if response is None else _passes(check, response)

    def _as_clients_ask(self, request: Request) -> Request:
        """With the headers of the application's own that the recorded client sent and that are no credentials: some APIs refuse
        whoever does not name his program or tenant. And as the recorded browser: some sessions are good for it alone, and end
        when another one asks.
        """
        recorded = self._recorded.request
        if recorded.origin != request.origin:
            return request
        secret = {point[1].lower().encode() for point in self._principal.credentials if point[0] == "header"}
        left_out = secret | _OF_THE_REQUEST
        own = (
            (name, value)
            for name, value in own_headers(recorded)
            if name.lower().startswith(b"x-") and name.lower() not in left_out
        )
        browser = (pair for pair in recorded.headers if pair[0].lower() == b"user-agent")
        return msgspec.structs.replace(request, headers=(*request.headers, *browser, *own))

    async def _ask(self, known: Known, *, repeats: bool, session: LiveSession | None = None) -> bool | None:
        """Repeats an exchange; refused where it was not before. None where it was refused already when it was recorded.

        session: another identity's.
        """
        exchange, as_recorded = known.exchange, session is None and self._sessions.recorded
        session = session or self._principal.session
        if repeats or as_recorded or session is None:
            request: Request = self._principal.baseline.request if repeats else exchange.request
            answer = await self._principal.send(TestRequest(request, "control"))
        else:
            request = exchange.request
            answer = await self._principal.send_plain(session, request)
        response = answer.exchange.response
        if response is None:
            return None
        if await self._is_nobodys(known, request, response):
            return False
        if response.status >= FIRST_SERVER_ERROR:
            return None
        if refusal(response, exchange.response) is None:
            return True
        # What was refused to a living session, too, says nothing about it.
        return None if exchange.response is not None and not was_let_in(exchange.response) else False

    async def _is_nobodys(self, known: Known, request: Request, response: Response) -> bool:
        """Whether an answer that refuses nothing has another form than it had, and is nobody's."""
        recorded = known.exchange.response
        if not self._trusting or not has_changed(recorded, response) or refusal(response, recorded) is not None:
            return False
        face, faces = face_of(request, response), self._sessions.faces
        if face not in faces.of(request) and face != await self._face_of_nobody(known, request):
            return False
        faces.learn(request, face)
        self.silent = Silent(known, is_alike(recorded, response))
        return True

    async def _tells(self, known: Known, whose: object = None) -> bool:
        """Whether nobody is answered in another form than a request was that let its sender in."""
        if known.tells:
            return True
        recorded, request = known.exchange.response, known.exchange.request
        response = await self._as_nobody(known, request)
        tells = response is not None and (has_changed(recorded, response) or refusal(response, recorded) is not None)
        if tells:
            self._sessions.known_good.note(whose or self._key(), known)
        return tells

    async def _face_of_nobody(self, known: Known, request: Request) -> Face | None:
        response = await self._as_nobody(known, request)
        return None if response is None else face_of(request, response)

    async def _as_nobody(self, known: Known, request: Request) -> Response | None:
        """What a request is answered without credentials; None where it has none, or no answer came."""
        credentials = known.credentials or self._principal.credentials
        return (await self._principal.send_bare(request, credentials)).exchange.response

    def _check(self) -> CheckAddress | None:
        """That of its session; that of a recorded user, whose answer nobody wrote down, where nothing else can
        be asked: a dead session may be answered there, too, and refused nothing.
        """
        session = self._principal.session
        if session is None or (self._sessions.recorded and (self._repeatable() or self._known())):
            return None
        return session.identity.check

    def _repeatable(self) -> bool:
        request, response = self._recorded.request, self._recorded.response
        refused = response is not None and refusal(response) is not None
        return (
            may_be_repeated(request) and destroys(request) is None and not (refused and self._principal.session is None)
        )

    @property
    def _own(self) -> Known:
        return Known(self._recorded, self._principal.credentials)

    def _known(self) -> tuple[Known, ...]:
        return self._sessions.known_good.of(self._key())

    def _key(self) -> object:
        """Whose session it is: one that was signed in to, or the recorded credentials at one origin: a user may have come in by
        several ways, each for itself.
        """
        if self._principal.session is not None and not self._sessions.recorded:
            return self._principal.session
        request = self._recorded.request
        return (request.origin, frozenset((point, read(request, point)) for point in self._principal.credentials))

    def _count(self, lives: bool | None) -> bool | None:
        if lives is not None:
            self.asked += 1
            self.good += lives
        return lives


def _passes(check: CheckAddress, response: Response) -> bool | None:
    if check.status is None and response.status >= FIRST_SERVER_ERROR:
        return None
    right = response.status == check.status if check.status is not None else refusal(response) is None
    return right and check.contains in text_of(response)
