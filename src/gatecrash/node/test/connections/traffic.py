"""The way of a run's test requests to the wire: heard by the control plane, paced, marked, counted."""

import asyncio
import secrets
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from gatecrash.core.inventory.marker import MARKER_HEADER, Signer
from gatecrash.core.message import Exchange, Request
from gatecrash.core.reports.notes import of_ranks, of_spoilt
from gatecrash.core.testing.authorization.tokens.known_keys import keys_told, remember_key
from gatecrash.core.testing.authorization.tokens.known_words import learn_words
from gatecrash.core.testing.authorization.tokens.own_names import names_told, remember_name
from gatecrash.core.testing.dialogues.lockout import Tries
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.forms.onward import Onward
from gatecrash.core.testing.health.bans import CLOSED, face_of
from gatecrash.core.testing.pacing.windows import Gate, Pacer, Passing
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.formats.draft import Draft
from gatecrash.node.browser.showing import Showing
from gatecrash.node.oob.planting import Planting
from gatecrash.node.session import Lifeline
from gatecrash.node.test.beforehand.declarations import Declarations
from gatecrash.node.test.connections.departure import Departure
from gatecrash.node.test.connections.idempotency import renamed
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.health.bans import BANNED, MOST_CUT_AGAIN, MOST_RESENDS, Asks, Ban, Finding
from gatecrash.node.test.health.hiccups import LEAST_STATUS, Hiccups
from gatecrash.node.test.health.patience import Patience
from gatecrash.node.test.health.wellbeing import Spoilt
from gatecrash.node.test.pace.host_pace import HostPace, HostPaces
from gatecrash.node.test.pace.measuring import Measuring
from gatecrash.node.test.pace.queueing import Queue
from gatecrash.node.test.pace.slots import Places
from gatecrash.node.test.pace.waits import Waits
from gatecrash.node.test.pace.writers import Writers
from gatecrash.node.test.sessions.form_state import Forms
from gatecrash.node.test.sessions.of_run import Sessions
from gatecrash.node.test.wording import SILENT
from gatecrash.wire.session import RunOrder

RECENT_SECONDS = 15


class Tally:
    """What one generation of a run's lease has sent; a pause does not end it. by_baseline: sent for each. closed: how
    much of it was told with a part that is over.

    answered: how many of them the target answered at all. waits: of its checks.
    """

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.sent = 0
        self.answered = 0
        self.waits = Waits()
        self.by_baseline: Counter[str] = Counter()
        self.closed: Counter[str] = Counter()
        self._recent: deque[list[int]] = deque(maxlen=RECENT_SECONDS + 1)
        # The last of them: the present second and what was sent in it.
        self._present = [0, 0]

    def add(self, baseline_id: str, number: int = 1) -> None:
        """Requests were sent now; a negative number takes back what was not."""
        self.sent += number
        self.by_baseline[baseline_id] += number
        now, present = time.time(), self._present
        if not 0.0 <= now - present[0] < 1.0:
            present = self._present = [int(now), 0]
            self._recent.append(present)
        if number > 0:
            present[1] += number
        else:
            self._take_back(-number)

    def of(self, baseline_id: str) -> int:
        """What was sent for a baseline, or for that part of it which is open."""
        return self.by_baseline[baseline_id] - self.closed[baseline_id]

    def close(self, baseline_id: str) -> None:
        """A part of the baseline is over, and told."""
        self.closed[baseline_id] = self.by_baseline[baseline_id]

    def _take_back(self, number: int) -> None:
        """From the last seconds: what is taken back may have been noted in an earlier one."""
        for each in reversed(self._recent):
            taken = min(each[1], number)
            each[1] -= taken
            number -= taken

    def recent(self) -> tuple[tuple[int, int], ...]:
        """What was sent in each of the last 15 seconds in which something was."""
        oldest = int(time.time()) - RECENT_SECONDS
        return tuple((second, sent) for second, sent in self._recent if second > oldest)


class Traffic:
    """One run's requests under one generation of its lease. patience: with targets that take no connections. pages:
    that this run knows.

    sessions: who its requests are sent as. paces: of the hosts, shared by the runs of a node.
    """

    def __init__(
        self, order: RunOrder, sender: Sender, lifeline: Lifeline, tally: Tally, paces: HostPaces | None = None
    ) -> None:
        self.tally = tally
        self.patience = Patience(self._reaches)
        # Set where the node listens for targets that come to it.
        self.planting: Planting | None = None
        self.showing = Showing()
        # What extensions have seen of the run's baselines.
        self.collected: set[tuple[str, ...]] = set()
        self.pages = Pages()
        self.onward = Onward()
        self.forms = Forms()
        self.declarations = Declarations()
        self.writers = Writers()
        self.measuring = Measuring()
        self.spoilt = Spoilt()
        self.tries = Tries()
        # What was found already and any other request would show as well.
        self.told: set[tuple[str, ...]] = set()
        # What was asked at a few pages, of each later part: another process may have chosen other pages when it put that off.
        self.asked_again: defaultdict[int, set[tuple[str, ...]]] = defaultdict(set)
        # Nonces are told apart by their number, and those of two senders of a run by what they begin with.
        self._signer = Signer(order.marker_key, order.run_id, secrets.token_hex(8)) if order.marker_key else None
        self._sender = sender
        self._lifeline = lifeline
        self._pacer = Pacer(order.rps, order.rps_per_baseline)
        self._gate: Passing | None = Gate(order.rps) if order.rps else None
        self._per_baseline = order.rps_per_baseline
        self._limited = bool(order.rps or order.rps_per_baseline)
        self._gates: dict[str, Gate] = {}
        self._paces = paces or HostPaces()
        self._queue = Queue()
        self._hiccups = Hiccups()
        # Changed places could break the limit of a baseline.
        self._may_hurry = not order.rps_per_baseline
        self.sessions = Sessions(order.profile, self.send_urgently)

    def send(self, request: Request, baseline_id: str) -> Coroutine[Any, Any, Answer]:
        """Waits for its turn, sends, and gives what came of it."""
        return self._in_turn(request, baseline_id) if self._limited else self.transmit(request, baseline_id)

    async def _in_turn(self, request: Request, baseline_id: str) -> Answer:
        await self.turn(baseline_id)
        return await self.transmit(request, baseline_id)

    async def send_urgently(self, request: Request, baseline_id: str) -> Answer:
        """The same for a request that others wait for, as a login: it takes the place of the next of them.

        Sent once more where the target restarts: whose session was lost by that would have no other. And where a ban refused
        it, which is no word on anybody's password.
        """
        ban = self.ban_of(request)
        ban.spare(request)
        for _ in range(MOST_RESENDS):
            bans = ban.count
            answer = await self._outlasting(request, baseline_id)
            if face_of(answer.exchange.response, answer.failure) is None:
                return answer
            if not await self.banned_since(bans, request, baseline_id):
                return answer
        return await self._outlasting(request, baseline_id)

    async def _outlasting(self, request: Request, baseline_id: str) -> Answer:
        await self.turn(baseline_id, urgent=self._may_hurry)
        answer = await self.transmit(request, baseline_id)
        if await self.patience.outlasts(await self.patience.failure_of(answer), request):
            await self.turn(baseline_id, urgent=self._may_hurry)
            answer = await self.transmit(request, baseline_id)
        return answer

    async def turn(self, baseline_id: str, *, urgent: bool = False) -> None:
        """Returns when one request may be sent, at once; who then does not send leaves the time unused."""
        clock = asyncio.get_running_loop().time
        wait = self._pacer.reserve(clock(), baseline_id)
        if wait > 0:
            await self._queue.wait(clock() + wait, urgent=urgent)
        if not self._lifeline.alive:
            await self._lifeline.wait()

    async def transmit(self, request: Request, baseline_id: str, make: Callable[[], Request] | None = None) -> Answer:
        """Sends now, in the turn that was waited for; what a ban answered is sent again when it is over.

        make: gives the request as it is sent, each time it is: signed at that moment, in the session's values of then.
        """
        pace, cut = self._paces.of(request), False
        ban = pace.ban
        for _ in range(1 + MOST_RESENDS):
            if (ban.shut or ban.slowing.pacer is not None) and not await self._let_through(ban, baseline_id):
                break
            asked = ban.known
            answer = await self._transmit(pace, request, baseline_id, make)
            if cut and not answer.failure:
                ban.cut_again = 0
            if (face := ban.note(answer, baseline_id, asked)) is None:
                return answer
            finding = await ban.judged(face, self._asking(baseline_id))
            if finding is Finding.HOPELESS:
                break
            if answer.failure and not is_safe(request):
                return answer
            counts = finding is Finding.COUNTS
            if counts and (cut or not await self._was_restarted(answer, ban)):
                return answer
            cut = counts
            await self.turn(baseline_id)
        return Answer(Exchange(request), BANNED)

    async def _was_restarted(self, answer: Answer, ban: Ban) -> bool:
        """Whether what was cut off with others, by no ban, finds its target back: it restarted while the ban was looked into.

        A host that goes on closing connections does so over what it is sent.
        """
        if answer.failure != CLOSED or ban.cut_again >= MOST_CUT_AGAIN:
            return False
        ban.cut_again += 1
        return not await self.patience.is_away(answer.exchange.request)

    def _asking(self, baseline_id: str) -> Asks:
        """How questions about a ban are sent; they are the baseline's whose answer they are about."""
        return lambda request: self._transmit(self._paces.of(request), request, baseline_id)

    async def _let_through(self, ban: Ban, baseline_id: str) -> bool:
        """Returns when a host that bans who asks too much may be asked again; false where it is not to be."""
        if ban.shut and not await ban.opened(self._asking(baseline_id)):
            return False
        clock = asyncio.get_running_loop().time
        pacer = ban.slowing.pacer
        if pacer is not None and (wait := pacer.reserve(clock(), "")) > 0:
            await asyncio.sleep(wait)
        return True

    def ban_of(self, request: Request) -> Ban:
        """What the request's host has against us, as far as anybody knows."""
        return self._paces.of(request).ban

    def answers(self, request: Request, baseline_id: str) -> bool:
        """Whether the request's host answered anything of the baseline, as far as anybody remembers."""
        return self._paces.of(request).congestion.knows(baseline_id)

    def is_banned(self, request: Request) -> bool:
        """Whether the request's host has banned the tests for longer than anybody waits."""
        return self.ban_of(request).hopeless

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader of the run must know of its targets."""
        return (*self._paces.told(), *of_spoilt(self.spoilt.told), *of_ranks(self.sessions.raised))

    async def banned_since(self, before: int, request: Request, baseline_id: str) -> bool:
        """Whether the request's host banned the tests since there were so many bans. Returns when that is over, or given up."""
        return (await self.settle(request, baseline_id)).count != before

    async def settle(self, request: Request, baseline_id: str) -> Ban:
        """The same, known of the last answers, too."""
        ban = self.ban_of(request)
        await ban.settle(self._asking(baseline_id))
        return ban

    async def _transmit(
        self, pace: HostPace, request: Request, baseline_id: str, make: Callable[[], Request] | None = None
    ) -> Answer:
        """Sends, past a limiter's refusals and a gateway's errors. pace: of the request's host. One function for all of
        it: every await that a request waits in is walked through again when its answer comes.
        """
        clock = asyncio.get_running_loop().time
        hiccups = 0
        while True:
            if not pace.enters(baseline_id):
                await pace.enter(baseline_id)
            departure: Departure | None = None
            number: int | None = None
            try:
                sent_at = clock()
                # A limiter's pause may have been longer than the node may go on unheard.
                if not self._lifeline.alive_at(sent_at):
                    await self._lifeline.wait()
                    sent_at = clock()
                if pace.hush.silent:
                    return Answer(Exchange(request), SILENT)
                made = make() if make else renamed(request)
                if self._sender.excludes(made):  # before it is counted: a run's number never goes back
                    return Answer(Exchange(made), "not_allowed")
                gated = self._limited or pace.gate is not None
                departure = self._departure(self._gates_for(baseline_id, pace)) if gated else Departure(())
                self.tally.add(baseline_id)
                # Signed anew for each request, so that one seen on the wire names no other.
                marker = ((MARKER_HEADER, self._signer.next()),) if self._signer is not None else ()
                number = pace.hanging.begins(baseline_id, sent_at)
                sending = self._sender.send(made, marker, departure.pass_gates)
                hung = baseline_id in pace.hanging.hung
                answer = await (pace.hanging.hurried(sending, made, baseline_id) if hung else sending)
                if answer.exchange.response is not None:
                    self.tally.answered += 1
                limited = pace.note(answer, sent_at, baseline_id, tells=baseline_id not in self.measuring.measured)
            except asyncio.CancelledError:
                self._take_back(departure, baseline_id)
                raise
            finally:
                pace.ended(baseline_id, number)
            if not limited:
                response = answer.exchange.response
                if response is not None and response.status < LEAST_STATUS and not answer.failure:  # the common way
                    return answer
                if answer.failure:
                    answer = await self._unanswered(answer, baseline_id)
                answers = pace.answers(made)
                pause = self._hiccups.pause(made, answer, baseline_id, hiccups, answers=answers)
                if pause is None or pace.congestion.given_up:
                    return answer
                hiccups += 1
                await asyncio.sleep(pause)
            await self.turn(baseline_id)

    async def _unanswered(self, answer: Answer, baseline_id: str) -> Answer:
        """What became of a request that got no answer, whose host may answer nobody."""
        if answer.failure == "not_allowed":
            self.tally.add(baseline_id, -1)  # it never left
        pace = self._paces.of(answer.exchange.request)
        return await pace.hush.judged(answer, pace.ban.witness, self._asking_past(baseline_id))

    def _take_back(self, departure: Departure | None, baseline_id: str) -> None:
        """What was counted and did not leave was not sent."""
        if departure is not None and not departure.left:
            self.tally.add(baseline_id, -1)

    async def _reaches(self, request: Request) -> bool:
        """Whether the request's target takes connections, and answers where it had fallen silent."""
        hush = self._paces.of(request).hush
        return await hush.is_over(self._asking_past("")) if hush.silent else await self._sender.reaches(request)

    def _asking_past(self, baseline_id: str) -> Asks:
        """How a host is asked whether it answers anybody: past those that wait for a place, which others may have that hang."""

        async def ask(request: Request) -> Answer:
            await self.turn(baseline_id)
            departure = self._departure(self._gates_for(baseline_id, self._paces.of(request)))
            self.tally.add(baseline_id)
            marker = ((MARKER_HEADER, self._signer.next()),) if self._signer is not None else ()
            try:
                return await self._sender.send(renamed(request), marker, departure.pass_gates)
            finally:
                self._take_back(departure, baseline_id)

        return ask

    def dialogues(self, request: Request) -> Places:
        """The places of those who ask the request's host."""
        return self._paces.of(request).dialogues

    def forget(self, baseline_id: str) -> None:
        """The baseline's checks are over."""
        self._pacer.forget(baseline_id)
        self._gates.pop(baseline_id, None)

    async def close(self) -> None:
        """Ends logins under way, and the browser."""
        await self.sessions.close()
        await self.showing.close()

    def met(self, exchange: Exchange, *, visited: bool = False) -> None:
        """The run knows what this exchange tells from now on. visited: its sender had no credentials."""
        self.learn(exchange, visited=visited)

    def describe(self, drafts: Sequence[Draft]) -> None:
        """The run knows what descriptions say of these requests, which were answered, and of the applications."""
        self.declarations.see(drafts)
        self.pages.foresee(drafts)
        for origin, called in {(one.request.origin, one.called) for one in drafts}:
            for name in called:
                remember_name(self.told, origin, name)

    def learn(self, exchange: Exchange, *, visited: bool = False) -> bool:
        """The same for what another process met; whether any of it is new."""
        self.writers.meet(exchange.request)
        is_new = self.onward.see(exchange)
        is_new = self.pages.meet(exchange, visited=visited) or is_new
        learn_words(self.told, exchange)
        for name in names_told(exchange.response) if exchange.response is not None else ():
            remember_name(self.told, exchange.request.origin, name)
        for key in keys_told(exchange.response) if exchange.response is not None else ():
            remember_key(self.told, key)
        return self.forms.sources.see(exchange) or is_new

    def _departure(self, gates: Sequence[Passing]) -> Departure:
        return Departure(gates)

    def _gates_for(self, baseline_id: str, pace: HostPace) -> Sequence[Passing]:
        """What a request has to pass."""
        own = None
        if self._per_baseline is not None:
            own = self._gates.setdefault(baseline_id, Gate(self._per_baseline))
        return [gate for gate in (self._gate, pace.gate, own) if gate is not None]
