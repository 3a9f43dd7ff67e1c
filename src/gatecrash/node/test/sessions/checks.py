"""Keeps one baseline's tests honest about their session: asked before and after them, and whenever one is refused.

A session that died is signed in again, and what was refused is sent again, so that no probe judges by a dead session's
answers. Where it cannot be had back the tests end, as a baseline nobody was signed in for must never pass.
"""

import asyncio
import re
from collections import Counter

from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Response
from gatecrash.core.statuses import FORBIDDEN
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.health.nobody import face_of
from gatecrash.core.testing.health.refused_sessions import ALL_REFUSED, NO_LOGIN, NOBODY_TO_ASK, REFUSED_ALONE
from gatecrash.core.testing.oracles.outcomes.refused import refusal, was_let_in
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.words.named import ByteWords
from gatecrash.formats.draft import Draft
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.health.lethal import SPARED
from gatecrash.node.test.health.silence import Silence
from gatecrash.node.test.sessions.control import Control
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.principal import SIGNED_OUT, Principal

MOST_RESENDS = 3
"""Times that one refused request is sent again under a new session."""

MOST_REVIVALS = 20
"""New logins for one baseline: what it tests might be what ends them."""

MOST_FALSE_ALARMS = 3
"""After so many refusals under a living session they are taken for the application's opinion of payloads."""

MOST_BANS = 3
"""So often the control is asked again because of a ban; who is banned that often is told nothing of a session."""

MOST_QUESTIONS = 6
"""Whether a session lives, in a row; others sign it in again, and it dies again, meanwhile."""

MOST_VAIN_LOGINS = 2
FRESH_SECONDS = 0.5
"""What is refused so soon after a login is not refused because of the session; on a stalled machine one more is tried."""

MOST_BLIND = 2
"""New logins for one baseline where nothing safe could be asked before."""

MOST_REMEMBERED = 4
"""Answers to one baseline's tests that refuse nothing."""

REFUSED_IN_A_ROW = 2
# A login form refuses what is no login; that says nothing of a session.
_LOGIN = ByteWords(rb"log[-_]?in|sign[-_]?in|/auth|/token|/session", re.IGNORECASE)


class SessionLost(Exception):
    """The session is over and cannot be had back; the text says why."""


class Attendance:
    """One baseline's session through its tests."""

    def __init__(self, baseline: Baseline, traffic: Traffic, recogniser: Recognises) -> None:
        self._recogniser = recogniser
        self._sessions = traffic.sessions
        self._traffic = traffic
        self._send = traffic.send
        self._come(baseline)
        self._lock = asyncio.Lock()
        self._revivals = 0
        self._blind = 0
        self._false_alarms = 0
        self._in_a_row = 0
        self._let_in = False
        self._silence = Silence(traffic.sessions.faces)
        self._others: Counter[str] = Counter()
        # The latest answers that refuse nothing, each held, so that no other has its identity: they come again and again.
        self._no_refusals: dict[int, Response] = {}
        self._deaths = 0
        # Whether this baseline, asked in a dead session, says so.
        self._refuses = False
        # Whether refusals were no longer looked into.
        self._unheard = False
        self._heeds = True

    def _come(self, baseline: Baseline) -> None:
        self.principal = Principal(baseline, self._traffic, self._recogniser)
        self.control = Control(self.principal, self._sessions)
        self._recorded = self._bare = baseline

    async def stand_in(self, draft: Draft) -> Baseline:
        """The described request, which has another sender now, in that one's credentials. Raises SessionLost."""
        self._come(Baseline(self._bare.id, draft))
        return await self.dress()

    @property
    def bare(self) -> Exchange:
        """What is tested, without the credentials of any session."""
        return self._bare.exchange

    async def dress(self) -> Baseline:
        """The baseline in its session's credentials. Raises SessionLost."""
        try:
            return await self.principal.dress()
        except LoginFailed as error:
            raise SessionLost(str(error)) from error

    def learn(self, exchange: Exchange) -> None:
        """The baseline's own answer came only now."""
        self._recorded = Baseline(self._recorded.id, exchange)
        self._no_refusals.clear()
        self.control.learn(exchange.response)

    async def begin(self, *, again: bool = False) -> None:
        """The control before the tests. again: they go on; the one behind them tells enough. Raises SessionLost."""
        if self.control.possible and not again:
            await self._settled()
        self._deaths = self.principal.deaths
        # A safe request without credentials has no session that could die, and its repetition tells the rest.
        self._heeds = (self.control.needed or not self.control.repeats) and not self._signs_in

    async def end(self) -> bool:
        """The control after the tests: whether they count; else the session lives again, and they are to be repeated.

        Raises SessionLost.
        """
        if self._signs_in:
            return True
        counts = not self.control.possible or await self._lived_through()
        self._silence.begin()
        if not counts:
            return False
        if not self.control.needed or (self._lets_in and _LOGIN.search(self._recorded.request.path)):
            return True
        if self._in_a_row and not self._let_in and not self.control.repeats:
            raise SessionLost(ALL_REFUSED)
        if self._in_a_row >= REFUSED_IN_A_ROW and not self.control.possible:
            raise SessionLost(NOBODY_TO_ASK)
        return True

    @property
    def _lets_in(self) -> bool:
        """Whether the recorded answer refused nothing, and shows no form to sign in by."""
        good = self._recorded.exchange.response
        return good is None or refusal(good) is None

    @property
    def _signs_in(self) -> bool:
        """Whether the baseline is the login itself: it needs no session, refuses whoever is not let in, and may end the session
        that its sender had.
        """
        return self._lets_in and signs_in(self._recorded.request)

    async def send(self, asked: TestRequest) -> Answer:
        """One test request, sent again where it was refused because the session had died. Raises SessionLost."""
        if asked.purpose != "control" and self._traffic.patience.lethal.spares(asked.request):
            return Answer(Exchange(asked.request), SPARED)
        left = MOST_RESENDS
        principal = self.principal
        while True:
            seen = self._generation(asked) if asked.identity else principal.generation
            try:
                if principal.session is None and asked.identity is None and not principal.forms:  # as it would send it
                    answer = await self._send(asked.request, self._recorded.id)
                else:
                    answer = await principal.send(asked)
            except LoginFailed as error:
                raise SessionLost(str(error)) from error
            if not asked.identity and not self._suspicious(asked, answer):  # the common way
                return answer
            if not asked.identity and not left:
                self._unheard = True  # sessions that end faster than they begin
                return answer
            again = await self._other_again(asked, answer, seen) if asked.identity else await self._again(seen, answer)
            if again is None:
                return Answer(Exchange(asked.request), SIGNED_OUT)
            if not again or not left:
                return answer
            left -= 1

    def _generation(self, asked: TestRequest) -> int:
        other = self._sessions.named(asked.identity or "", self._recorded.request)
        return other.generation if other is not None else self.principal.generation

    def _suspicious(self, asked: TestRequest, answer: Answer) -> bool:
        """Whether the answer refuses, as the recorded one did not, what carries all of the session's credentials."""
        response, recorded = answer.exchange.response, self._recorded.exchange
        good = recorded.response
        if not self._heeds or response is None or asked.identity is not None or asked.raw:
            return False
        # A probe may ask for another page, to see what it left there; that says nothing of this request.
        own = asked.request.method == recorded.request.method
        is_known = id(response) in self._no_refusals
        if is_known or refusal(response, good) is None:
            if own and self.principal.intact(asked.request) and self._silence.hears(good, asked.request, response):
                return self.control.needed
            if not is_known:
                if len(self._no_refusals) >= MOST_REMEMBERED:
                    self._no_refusals.clear()
                self._no_refusals[id(response)] = response
            if own:
                self._in_a_row = 0
                self._let_in = self._let_in or self.principal.intact(asked.request)
            return False
        if (good is not None and not was_let_in(good)) or not self.principal.intact(asked.request):
            return False
        self._in_a_row += own and response.status != FORBIDDEN
        return self.control.needed

    async def _again(self, seen: int, answer: Answer) -> bool:
        """Whether to send again what was refused under generation `seen`."""
        response = answer.exchange.response
        silently = response is not None and refusal(response, self._recorded.response) is None
        async with self._lock:
            if self.principal.generation != seen:
                self._refuses = True
                return True
            if silently:
                return await self._again_in_silence(seen)
            if self._false_alarms >= MOST_FALSE_ALARMS:
                self._unheard = True
                return False
            if not self.control.possible:
                return await self._blindly(seen)
            # Another baseline may have had the session back while the control waited for its turn.
            if await self._settled() and self.principal.generation == seen:
                if not self.control.by_baseline and self._is_doubtful and await self._blindly(seen):
                    return True  # the request that answered may answer everybody
                self._false_alarms += 1
                return False
            self._refuses, self._false_alarms = True, 0
            return True

    async def _again_in_silence(self, seen: int) -> bool:
        """The same of what was answered as nobody is, perhaps."""
        if not self.control.possible or (await self._settled(doubting=True) and self.principal.generation == seen):
            self._silence.was_alive()
            return False
        self._refuses = True
        self._silence.was_dead(self._recorded.request)
        return True

    async def _lived_through(self) -> bool:
        """Whether the tests count as far as the session goes: it lived all the time, or whatever it missed was refused.

        A baseline that refuses when the session is dead had its refused tests sent again. Another may have been answered
        as for nobody, in silence, while some other baseline's control found the session dead and had it back.
        """
        alive = await self._settled(doubting=self._silence.suspects)
        if not alive:
            self._silence.was_dead(self._recorded.request)
        deaths, self._deaths = self._deaths, self.principal.deaths
        unheard, self._unheard = self._unheard, False
        heard = self._refuses and not unheard and not self._silence.missed
        return heard or (alive and deaths == self._deaths)

    async def _settled(self, *, doubting: bool = False) -> bool:
        """Whether the session lives, as far as can be told; false: it was dead, and lives again. Raises SessionLost."""
        dead: int | None = None
        logins = 0
        for _ in range(MOST_QUESTIONS):
            seen = self.principal.generation
            if await self._alive(doubting=doubting) is not False:
                self._note_death(dead)
                return dead is None
            silent = self.control.silent is not None
            if silent and await self._is_gone(logins) and self.principal.generation == seen:
                self.control.distrust()
                return dead is None
            dead = seen if dead is None else dead
            self._refuses = self._refuses or self.control.by_baseline
            # What answers elsewhere may answer everybody, so a new login is tried before it is believed.
            believed = (logins > 0 or not self._is_doubtful) and not silent
            if (
                self.control.by_baseline
                and believed
                and await self._alive_elsewhere()
                and self.principal.generation == seen
            ):
                raise SessionLost(REFUSED_ALONE)
            if self.principal.generation != seen:
                continue  # another baseline had it back meanwhile
            if logins == MOST_VAIN_LOGINS or (logins and self._just_signed_in() and not silent):
                break
            await self._revive(seen)
            logins += 1
        raise SessionLost("it is refused right after a new login too")

    async def _is_gone(self, logins: int) -> bool:
        """Whether what is answered as nobody is says nothing of the session: the thing that is asked for is gone. logins: since then."""
        try:
            lives = await self.control.lives_elsewhere()
        except LoginFailed as error:
            raise SessionLost(str(error)) from error
        silent = self.control.silent
        weak = lives is None and silent is not None and silent.weak and not self._can_revive
        return bool(lives) or weak or logins >= MOST_VAIN_LOGINS

    async def _alive(self, *, doubting: bool = False) -> bool | None:
        """Whether it lives as far as the control tells. A ban's refusal says nothing of that, and the control is asked again behind it."""
        request = self._recorded.request
        try:
            for _ in range(MOST_BANS):
                bans = self._traffic.ban_of(request).count
                alive = await self.control.alive(doubting=doubting)
                # Who can sign in learns of a ban when he does.
                if alive is not False or self._can_revive:
                    return alive
                if not await self._traffic.banned_since(bans, request, self._recorded.id):
                    return False
        except LoginFailed as error:
            raise SessionLost(str(error)) from error
        return None

    async def _alive_elsewhere(self) -> bool:
        """Whether another baseline's request is still let in: one that this identity may not send is no dead session."""
        try:
            return bool(await self.control.known_alive())
        except LoginFailed as error:
            raise SessionLost(str(error)) from error

    def _note_death(self, generation: int | None) -> None:
        if self.principal.session is not None and generation is not None:
            self.principal.session.found_dead(generation)

    @property
    def _is_doubtful(self) -> bool:
        """Whether a new login may be tried, and the last one is some time ago."""
        session = self.principal.session
        return session is not None and session.doubtful and session.can_sign_in

    def _just_signed_in(self) -> bool:
        session = self.principal.session
        return session is None or session.age < FRESH_SECONDS

    async def _blindly(self, seen: int) -> bool:
        """A new login where nothing can be asked, for the refused request's sake."""
        session = self.principal.session
        if session is None or not session.can_sign_in or self._blind >= MOST_BLIND:
            return False
        self._blind += 1
        await self._revive(seen)
        return True

    @property
    def _can_revive(self) -> bool:
        session = self.principal.session
        return session is not None and bool(session.identity.login)

    async def _revive(self, seen: int) -> None:
        session = self.principal.session
        if session is None or not self._can_revive:
            raise SessionLost(NO_LOGIN)
        self._revivals += 1
        if self._revivals > MOST_REVIVALS:
            raise SessionLost("the session ends again and again while this is tested")
        try:
            await session.revive(seen, self._recorded.id)
        except LoginFailed as error:
            raise SessionLost(str(error)) from error

    async def _other_again(self, asked: TestRequest, answer: Answer, seen: int) -> bool | None:
        """Whether another identity was refused because its session had died; a new one is there then, or None: none can be."""
        response = answer.exchange.response
        session = self._sessions.named(asked.identity or "", self._recorded.request)
        if response is None or session is None:
            return False
        silently = refusal(response, self._recorded.response) is None
        if silently and not self._is_others_turn(asked, response):
            return False
        async with self._lock:
            if session.generation != seen:
                return True
            try:
                lives = await self.control.other_alive(session)
                if lives or (lives is None and (silently or not (session.doubtful and session.can_sign_in))):
                    return False
                self._others.pop(session.identity.name, None)
                if not session.can_sign_in:
                    return None
                await session.revive(seen, self._recorded.id)
            except LoginFailed:
                return None
            return True

    def _is_others_turn(self, asked: TestRequest, response: Response) -> bool:
        """Whether another identity is answered as nobody is, and it is time to ask whether it is signed in: less and
        less often, as that is how many an application hides what is not its caller's.
        """
        if face_of(asked.request, response) not in self._sessions.faces.of(asked.request):
            return False
        self._others[asked.identity or ""] += 1
        return self._others[asked.identity or ""].bit_count() == 1
