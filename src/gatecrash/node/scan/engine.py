"""Tests a plan to its end in this process: the node's own trials, sender and pacing, with a ledger in place of a service."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.reports.notes import kept, of_strangers
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.overwriting import Apart
from gatecrash.core.testing.pacing.passes import MOST_WAITING, Pass, Turn, put_off, turns, words_for
from gatecrash.core.testing.probe import Probe
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.run_events import Status
from gatecrash.formats.draft import Draft, is_kept
from gatecrash.node.oob.listener import Listener
from gatecrash.node.oob.lures import Lures
from gatecrash.node.oob.planting import Planting
from gatecrash.node.oob.settings import OobSettings
from gatecrash.node.scan.accounts.registering import told
from gatecrash.node.scan.accounts.standings import Standings
from gatecrash.node.scan.captures.deleted_things import DeletedThings
from gatecrash.node.scan.captures.renewal import BASELINE, Renewal, SignsInAgain, ended
from gatecrash.node.scan.drafts.obtaining import Obtaining
from gatecrash.node.scan.drafts.second_containers import SecondContainers
from gatecrash.node.scan.ledger import Ledger
from gatecrash.node.scan.outgoing import Way, traffic_of
from gatecrash.node.test.beforehand.acquaintance import introduce
from gatecrash.node.test.beforehand.as_own import as_own
from gatecrash.node.test.collection import rarely_collected
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.sessions.entrances import Entrances
from gatecrash.node.test.sessions.introductions import Introductions
from gatecrash.node.test.sessions.living import SignedIn
from gatecrash.node.test.sessions.of_run import Place, Sessions
from gatecrash.node.test.trial import Trial
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Result

TICK_SECONDS = 0.25

GENERATION = 1


class Known(msgspec.Struct, frozen=True):
    """What was found out and done before. again: how the recorded users sign in when their sessions end meanwhile. deleted: what
    is to be made anew by who is signed in. signed_in: what logins gave that were made before.
    """

    again: SignsInAgain | None = None
    deleted: DeletedThings | None = None
    signed_in: Mapping[Place, SignedIn] = msgspec.field(default_factory=dict)


class Engine:
    """One run. workers: baselines tested at once; what can destroy is tested last and one after the other.

    tally: what was sent, by now and before. oob: where it listens for targets that payloads make come. probes: what looks,
    as far as the policy wants it. on_change: told several times a second while it runs.
    """

    def __init__(
        self,
        ledger: Ledger,
        order: RunOrder,
        recogniser: Recognises,
        way: Way,
        *,
        workers: int = 10,
        tally: Tally | None = None,
        oob: OobSettings | None = None,
        probes: Iterable[Probe] = REGISTRY,
        on_change: Callable[[], None] = lambda: None,
        known: Known | None = None,
    ) -> None:
        """Prepare; nothing is sent before `run`."""
        known = known or Known()
        self.tally = tally or Tally(GENERATION)
        self._ledger = ledger
        self._order = order
        self._recogniser = recogniser
        self._way = way
        self._workers = workers
        self._oob = oob
        self._probes = tuple(probes)
        self._on_change = on_change
        self._renewal = Renewal(known.again, self._compare) if known.again is not None else None
        self._deleted = known.deleted
        self._signed_in = known.signed_in
        # Under way, or with checks that wait, and the sessions in which they began.
        self._trials: dict[str, Trial] = {}
        self._sessions: dict[str, Sessions] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        """Test everything that waits. Cancelled, it interrupts the run and keeps what was found."""
        async with traffic_of(self._order, self._way, self.tally) as traffic:
            traffic.sessions.go_on(self._signed_in)
            await self._run(traffic)

    async def _run(self, traffic: Traffic) -> None:
        listener = (
            Listener(self._oob, Lures(lambda _run, _generation, result: self._take(result))) if self._oob else None
        )
        if listener is not None:
            await listener.start()
            traffic.planting = Planting(listener, self._order)
        ticking = asyncio.ensure_future(self._tick())
        try:
            with rarely_collected():
                await Obtaining(self._ledger.tested.values(), traffic, self._workers).run()
                held = [told(draft.request) for draft in self._drafts() if draft.stranger]
                self._ledger.facts.notes = kept(self._ledger.facts.notes, of_strangers(held))
                await SecondContainers(traffic, BASELINE).make(self._drafts())
                await self._make_anew(traffic)
                self._introduce(traffic)
                await self._compare(traffic)
                await Standings(traffic, BASELINE).learn(self._drafts())
                await self._all(traffic)
            if listener is not None:
                await self._linger(listener.lures)
        finally:
            ticking.cancel()
            self._note()
            self._ledger.facts.notes = kept(self._ledger.facts.notes, traffic.notes)
            self._ledger.interrupt(time.time())
            await traffic.close()
            if listener is not None:
                await listener.close()
            await asyncio.gather(ticking, return_exceptions=True)

    def _drafts(self) -> list[Draft]:
        exchanges = (one.baseline.exchange for one in self._ledger.tested.values())
        return [one for one in exchanges if isinstance(one, Draft)]

    async def _linger(self, lures: Lures) -> None:
        """Stays for targets that may still come to the listener, until all have come or the time is over."""
        while lures.awaits and (left := self._ledger.run.listening_until - time.time()) > 0:  # noqa: ASYNC110 - time is what is awaited
            await asyncio.sleep(min(left, TICK_SECONDS))
        if not self._ledger.run.ended:
            self._ledger.listened(time.time())

    async def _make_anew(self, traffic: Traffic) -> None:
        """What the capture deleted, in the sessions that tests are sent in; what names it is tested with the new one."""
        if self._deleted is None:
            return
        waiting = [one for one in self._ledger.tested.values() if one.status is Status.WAITING]
        for one in waiting:
            traffic.forms.sources.see(one.baseline.exchange)  # the pages that hand out the tokens of what makes
        await self._deleted.make(as_own(traffic, self._recogniser, BASELINE))
        self._ledger.facts.notes = kept(self._ledger.facts.notes, self._deleted.notes)
        for one in waiting:
            made = self._deleted.in_place_of(one.baseline.exchange)
            if made is not None:
                one.planned = msgspec.structs.replace(one.planned, baseline=Baseline(one.baseline.id, made))

    def _introduce(self, traffic: Traffic) -> None:
        """All pages of the record, and which of them were visited without credentials, before any is tested."""
        for one in self._ledger.tested.values():
            introduce(one.baseline.exchange, traffic, self._recogniser)

    async def _compare(self, traffic: Traffic) -> None:
        """Who the identities of its sessions are, and what each may read, which only living sessions show."""
        known = (one.baseline for one in self._ledger.tested.values())
        recorded = [each.request for each in known if not is_kept(each.exchange)]
        await Introductions(traffic, self._recogniser, BASELINE).make(recorded)
        await Entrances(traffic, self._recogniser, BASELINE).compare(recorded)

    async def _all(self, traffic: Traffic) -> None:
        """All turns; whoever has no test left is passed over."""
        waiting = [one.baseline for one in self._ledger.tested.values() if one.status is Status.WAITING]
        for turn in turns(waiting):
            left = [each for each in turn.baselines if each.id in self._trials or not self._is_begun(each)]
            if left:
                await self._turn(turn._replace(baselines=left), traffic)

    def _is_begun(self, baseline: Baseline) -> bool:
        return self._ledger.tested[baseline.id].status is not Status.WAITING

    async def _turn(self, turn: Turn, traffic: Traffic) -> None:
        """All baselines of a turn, some at once. Whoever is idle while the last of those that read are asked takes others further:
        what reads disturbs no other, and a slow page would have all wait for it in each turn.
        """
        waiting = {baseline.id: baseline for baseline in turn.baselines}
        apart, busy, through = Apart(), set[str](), deque[tuple[Baseline, Pass]]()

        async def work() -> None:
            while not self._ledger.run.ended and (baseline := apart.first(waiting.values())) is not None:
                del waiting[baseline.id]
                busy.add(baseline.id)
                apart.began(baseline)
                resumed = baseline.id in self._trials
                await (self._resume if resumed else self._test)(baseline, traffic, turn.up_to)
                apart.ended(baseline.id)
                busy.discard(baseline.id)
                through.append((baseline, turn.up_to))
            while turn.reads and busy and through and not self._ledger.run.ended:
                baseline, made = through.popleft()
                if baseline.id in self._trials and made < Pass.HEADERS:
                    await self._resume(baseline, traffic, Pass(made + 1))
                    through.append((baseline, Pass(made + 1)))

        width = 1 if turn.alone else self._workers
        self._tasks = [asyncio.ensure_future(work()) for _ in range(min(width, len(waiting)))]
        try:
            await asyncio.wait(self._tasks)
        finally:
            for task in self._tasks:
                task.cancel()
            ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        for error in ended:
            if isinstance(error, Exception):
                raise error

    async def _test(self, baseline: Baseline, traffic: Traffic, up_to: Pass) -> None:
        """What of it is asked up to a pass; all where too many wait by now."""
        self._ledger.begin(baseline.id, time.time())
        sessions = traffic.sessions
        result = await self._tried(baseline, traffic, Pass.HEADERS if len(self._trials) >= MOST_WAITING else up_to)
        await self._concluded(baseline, result, traffic, sessions)

    async def _resume(self, baseline: Baseline, traffic: Traffic, up_to: Pass) -> None:
        """What waited. Where others sign in by now, its session is one of before, and all of it is made anew."""
        trial, sessions = self._trials[baseline.id], self._sessions.pop(baseline.id)
        result = await self._driven(baseline, trial, trial.resume(self._take, partial(put_off, up_to=up_to)))
        await self._concluded(baseline, result, traffic, sessions)

    async def _concluded(self, baseline: Baseline, result: Result, traffic: Traffic, sessions: Sessions) -> None:
        """Where its session ends and its user can sign in again, once more."""
        if waiting := self._trials.get(baseline.id):
            self._sessions[baseline.id] = sessions
            self._ledger.wait(baseline.id, words_for(waiting.put_off))
            return
        renewal = self._renewal if ended(result) else None
        if renewal is not None and await renewal.of(traffic, sessions, baseline.exchange):
            result = await self._tried(baseline, traffic, Pass.HEADERS)
        self._take(result)

    async def _tried(self, baseline: Baseline, traffic: Traffic, up_to: Pass) -> Result:
        try:
            trial = Trial(baseline, self._order, traffic, self._recogniser, self._probes)
        except UserError as error:
            return Result(
                baseline_id=baseline.id, final=True, status="error", reason="recording_error", detail=str(error)
            )
        return await self._driven(baseline, trial, trial.run(self._take, partial(put_off, up_to=up_to)))

    async def _driven(self, baseline: Baseline, trial: Trial, driving: Awaitable[Result]) -> Result:
        """Its trial is under way meanwhile, and afterwards while some of it waits. Broken off, it leaves no test's value behind."""
        self._trials[baseline.id] = trial
        try:
            return await driving
        except asyncio.CancelledError:
            await trial.restoring.broken_off()
            raise
        finally:
            if not trial.put_off:
                del self._trials[baseline.id]

    def _take(self, result: Result) -> None:
        """Note a result; where the run ended by it (stop_on_first_fail), everything stops here and now."""
        self._note()
        self._ledger.take(result, time.time())
        self._on_change()
        if self._ledger.run.ended:
            for task in self._tasks:
                task.cancel()

    def _note(self) -> None:
        remaining = [(name, max(0, trial.remaining)) for name, trial in self._trials.items()]
        self._ledger.progress(self.tally.sent, remaining, time.time())

    async def _tick(self) -> None:
        while True:
            self._note()
            self._on_change()
            await asyncio.sleep(TICK_SECONDS)
