"""What a run's record tells as a whole, known before any of it is tested, as a scan has all of its capture.

Which list shows whose object, what makes what is deleted, which page holds a form's token, who was let in without
credentials. What the record does not tell, the target is asked (`first_questions`). While the record grows, what came
meanwhile is asked for again and again.
"""

import asyncio
import logging

from gatecrash.core.errors import PeerError, ProtocolMismatch
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange
from gatecrash.core.testing.authorization.callers.credentials import worth_testing
from gatecrash.core.testing.profiles.profile import RECORDED
from gatecrash.node.journal import place_of
from gatecrash.node.test.beforehand.first_questions import FirstQuestions
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.lease import Lease
from gatecrash.node.uplink import ACQUAINT
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Acquaint, Acquainted

log = logging.getLogger(__name__)

AGAIN_SECONDS = 1.0
MOST_FAILURES = 3
"""A control plane that does not tell (one of an older version) is asked no more; tests go on without."""


class Acquaintance:
    """One run's. questions: what is asked of the target; also what recognises credentials from then on."""

    def __init__(self, order: RunOrder, lease: Lease, traffic: Traffic, questions: FirstQuestions) -> None:
        """Nothing is asked before `make`."""
        self._order = order
        self._lease = lease
        self._traffic = traffic
        self._questions = questions
        self._last = 0
        self._told = 0
        # Something came that nobody was asked about; whether it is this process that tells what senders are answered.
        self._is_new = False
        self._compares = False
        self._answered: tuple[Exchange, ...] = ()
        self._notes: tuple[str, ...] = ()
        self._noted: set[str] = set()
        self._headers: set[str] = set()
        self._again_at = 0.0
        self._failures = 0
        self._over = False

    async def make(self, *, now: bool = False) -> None:
        """Know all that is recorded by now. now: even if that was asked a moment ago. Nothing is raised: who cannot be
        told tests without.
        """
        try:
            await self._make(now=now)
        except Exception as error:  # noqa: BLE001 - a run whose first questions break would never be tested
            self._over, self._failures = True, MOST_FAILURES
            log.error("first questions broke", extra={"run": self._order.run_id, **place_of(error)})  # noqa: TRY400

    async def _make(self, *, now: bool) -> None:
        clock = asyncio.get_running_loop().time
        self._note(self._traffic.notes)
        while (not self._over or self._tells) and (now or clock() >= self._again_at):
            try:
                let_in, answered = self._questions.let_in, self._answered
                headers = self._questions.headers
                news = (let_in[self._told :], answered, self._notes, tuple(sorted({*headers} - self._headers)))
                told = await self._lease.ask(ACQUAINT, Acquaint, Acquainted, self._last, *news)
                self._told, self._answered, self._notes = len(let_in), (), ()
                self._headers |= {*headers}
            except (PeerError, ProtocolMismatch) as error:
                self._failures += 1
                self._over = self._failures == MOST_FAILURES
                self._again_at = clock() + AGAIN_SECONDS
                log.warning("record not told", extra={"run": self._order.run_id, "why": str(error)})
                return
            for exchange in await self._questions.ask(told.exchanges):
                introduce(exchange, self._traffic, self._questions)
            self._last = max(self._last, told.last)
            self._is_new = self._is_new or bool(told.exchanges)
            others_compare = told.compared and not self._compares
            if self._is_new and not (told.more or told.stale):
                self._is_new = False
                self._answered = () if others_compare else await self._questions.compare()
                self._compares = self._compares or bool(self._answered)
                self._note(self._questions.notes)
            if not told.more and not self._has_news():
                self._over = not told.open
                self._again_at = clock() + AGAIN_SECONDS
                return

    @property
    def _tells(self) -> bool:
        """Whether there is something to be told to who listens."""
        return bool(self._notes) and self._failures < MOST_FAILURES

    def _note(self, notes: tuple[str, ...]) -> None:
        """To be told, each once."""
        self._notes += tuple(note for note in notes if note not in self._noted)
        self._noted |= set(notes)

    def _has_news(self) -> bool:
        """Whether the control plane does not know yet what was found by asking."""
        found = self._told < len(self._questions.let_in) or not self._headers.issuperset(self._questions.headers)
        return found or bool(self._answered or self._notes)


def introduce(exchange: Exchange, traffic: Traffic, recogniser: Recognises) -> None:
    """The run knows what an exchange tells, aimed as it is tested, and whether its sender had credentials."""
    if exchange.response is not None:
        profile = traffic.sessions.profile
        # Of users who are written down a request without credentials may have been saved without them.
        dressed = profile is not None and (profile.id != RECORDED or profile.bare)
        found = worth_testing(recogniser.recognise(exchange.request), exchange.request)
        traffic.learn(exchange, visited=not found and not dressed)
