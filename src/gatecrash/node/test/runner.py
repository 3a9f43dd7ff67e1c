"""Runs on this node: orders in, trials started and ended, progress out.

An order is the wanted state, so obeying is comparing: a run that is not ordered, not to send, or of another generation
is dropped at once, and its trials with it; their baselines go back to waiting at the control plane.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable

import msgspec

from gatecrash.core.errors import InvalidPattern, ProtocolMismatch
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.core.testing.verdict import Outcome
from gatecrash.node.oob.planting import Listens, Planting
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.test.beforehand.acquaintance import Acquaintance
from gatecrash.node.test.beforehand.described import Descriptions
from gatecrash.node.test.beforehand.first_questions import FirstQuestions
from gatecrash.node.test.bounds import DEFAULT_BOUNDS, Bounds
from gatecrash.node.test.breakage import untried
from gatecrash.node.test.by_parts import PutOff, made
from gatecrash.node.test.collection import rarely_collected
from gatecrash.node.test.connections.destinations import Destinations, allowed_by
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.lease import Lease
from gatecrash.node.test.outbox import Outbox
from gatecrash.node.test.pace.host_pace import HostPaces
from gatecrash.node.test.prefetch import AtHand, Store, later_parts, of_work
from gatecrash.node.test.stale import Stale
from gatecrash.node.test.trial import Trial
from gatecrash.node.uplink import CLAIM, Caller, Pauses, Rejected, Unreachable
from gatecrash.wire.session import RunOrder, RunProgress
from gatecrash.wire.work import Claim, Result, Work

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
# As long as a question for work takes, but no longer, others that end are waited for and asked for together.
MOST_GATHERING = 0.05


class Runner:
    """All runs of this node."""

    def __init__(
        self,
        uplink: Caller,
        session: Session,
        lifeline: Lifeline,
        recogniser: Callable[[], Recognises],
        bounds: Bounds = DEFAULT_BOUNDS,
    ) -> None:
        """Raises InvalidPattern where the bounds' allowed hosts cannot be read."""
        # What may be tested only when all else is over is given out when its last result is in.
        self.outbox = Outbox(self.give_up, self.wake)
        self.uplink = uplink
        self.session = session
        self.lifeline = lifeline
        self.recogniser = recogniser
        self.paces = HostPaces(bounds.rps_per_host)
        self.bounds = bounds
        self._allowed = AllowedHosts(bounds.allowed_hosts, bounds.own_addresses)
        self._runs: dict[str, Run] = {}
        self._ending: set[asyncio.Task[None]] = set()
        # Set where the node listens for targets that come to it.
        self.listener: Listens | None = None
        self._tallies: dict[str, Tally] = {}
        self._stale = Stale()

    def obey(self, orders: Iterable[RunOrder]) -> None:
        """Makes the node do exactly this."""
        orders = list(orders)
        wanted = {order.run_id: order for order in orders if order.sending}
        for run_id, run in list(self._runs.items()):
            order = wanted.get(run_id)
            if order is None or _of_tests(order) != _of_tests(run.order):
                self.drop(run_id, run.order.generation)
        known = {order.run_id for order in orders}
        self._tallies = {run_id: tally for run_id, tally in self._tallies.items() if run_id in known}
        self._stale.keep(known)
        for run_id, order in wanted.items():
            if run_id not in self._runs and not self._stale.holds(order):
                self._start(order)

    def give_up(self, run_id: str, generation: int) -> None:
        """The control plane says that this generation is over: dropped, and not taken up again for a while."""
        log.info("run given up: another generation holds it", extra={"run": run_id, "generation": generation})
        self._stale.note(run_id, generation)
        self.drop(run_id, generation)

    def drop(self, run_id: str, generation: int) -> None:
        """Ends the run's trials at once; what they found stays on its way."""
        run = self._runs.get(run_id)
        if run is not None and run.order.generation == generation:
            del self._runs[run_id]
            run.stop()
            ending = asyncio.ensure_future(run.ended())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    def wake(self, run_id: str) -> None:
        """There may be work for this run."""
        run = self._runs.get(run_id)
        if run is not None:
            run.wake.set()

    def met(self, run_id: str, exchange: Exchange, *, visited: bool = False) -> None:
        """Another process of this node met an exchange of the run. visited: its sender had no credentials."""
        run = self._runs.get(run_id)
        if run is not None:
            run.traffic.learn(exchange, visited=visited)

    def limit_hosts(self, rps: int | None) -> None:
        """Holds all hosts together to another limit each, from now on."""
        self.paces.limit(rps)

    def progress(self, order: RunOrder, *, recording: bool, unsent: int) -> RunProgress:
        """How far one ordered run is."""
        run = self._runs.get(order.run_id)
        tally = self._tally(order)
        return RunProgress(
            order.run_id,
            order.generation,
            tally.sent,
            tally.recent(),
            run.remaining() if run is not None else (),
            recording,
            unsent,
        )

    @property
    def busy(self) -> bool:
        """Whether a run is tested."""
        return bool(self._runs)

    async def close(self) -> None:
        """Ends all runs, and returns when they have ended."""
        for run in list(self._runs.values()):
            self.drop(run.order.run_id, run.order.generation)
        await asyncio.gather(*self._ending, return_exceptions=True)

    def _start(self, order: RunOrder) -> None:
        try:
            destinations = self._destinations(order)
        except InvalidPattern as error:
            log.error("run not started", extra={"run": order.run_id, "why": str(error)})  # noqa: TRY400
            return
        sender = Sender(destinations, verify_tls=self.bounds.verify_tls, proxy=self.bounds.proxy)
        self._runs[order.run_id] = Run(self, order, sender, self._tally(order))

    def places(self, order: RunOrder) -> int:  # noqa: ARG002 - what a process's share of it depends on
        """How many baselines of a run are tested here at once."""
        return self.bounds.workers

    def traffic(self, order: RunOrder, sender: Sender, tally: Tally) -> Traffic:
        """The way of a run's requests to the wire."""
        return Traffic(order, sender, self.lifeline, tally, self.paces)

    def new_tally(self, order: RunOrder) -> Tally:
        """The numbers of a generation that begins."""
        return Tally(order.generation)

    def _tally(self, order: RunOrder) -> Tally:
        """The numbers of this generation, begun anew with each."""
        tally = self._tallies.get(order.run_id)
        if tally is None or tally.generation != order.generation:
            tally = self._tallies[order.run_id] = self.new_tally(order)
        return tally

    def _destinations(self, order: RunOrder) -> Destinations:
        """Both lists must allow: the run's cannot open what the node's owner closed."""
        lists = [self._allowed]
        if order.allowed_hosts:
            ordered = AllowedHosts(order.allowed_hosts, self.bounds.own_addresses)
            lists = [self._allowed, ordered] if self.bounds.allowed_hosts else [ordered]
        return allowed_by(lists, resolved_elsewhere=self.bounds.proxy is not None)


class Run:
    """One run under one generation, tested until it is stopped. wake: set when there may be work."""

    def __init__(self, runner: Runner, order: RunOrder, sender: Sender, tally: Tally) -> None:
        self.order = order
        self.traffic = runner.traffic(order, sender, tally)
        self.traffic.patience.unattended = lambda: self.traffic.tally.answered > 0
        self.traffic.showing.program = runner.bounds.browser
        self.traffic.planting = Planting(runner.listener, order) if runner.listener else None
        self.wake = asyncio.Event()
        self._runner = runner
        self._sender = sender
        self._places = runner.places(order)
        self._at_hand = Store(self._places)
        lease = Lease(order, runner.uplink, runner.session)
        self._descriptions = Descriptions(order, lease, self.traffic, runner.recogniser(), self._places)
        self._questions = FirstQuestions(order, self.traffic, runner.recogniser)
        self._acquaintance = Acquaintance(order, lease, self.traffic, self._questions)
        self._trials: dict[str, Trial] = {}
        self._put_off = PutOff()
        self._tasks: set[asyncio.Task[None]] = set()
        # Nothing more is begun: stopped, or something was found and the first finding stops all.
        self._halted = False
        # The run ends by what it found itself; nobody stopped it.
        self._found = False
        # Seconds that the last question for work took, and when to ask again for what is only to be at hand.
        self._asking = 0.0
        self._again_at = 0.0
        self._main = asyncio.ensure_future(self._test())

    def remaining(self) -> tuple[tuple[str, int], ...]:
        """What each held baseline still costs."""
        return tuple((name, max(0, trial.remaining)) for name, trial in self._trials.items())

    def stop(self) -> None:
        """Ends everything now."""
        self._halted = True
        self._main.cancel()
        for task in self._tasks:
            task.cancel()

    async def ended(self) -> None:
        """Returns when everything has ended."""
        await asyncio.gather(self._main, *self._tasks, return_exceptions=True)

    async def _test(self) -> None:
        """Claims baselines for all workers, and some to have at hand, for as long as the run is ordered."""
        pauses = Pauses()
        try:
            while True:
                self.wake.clear()
                try:
                    came = await self._claim()
                    pauses = Pauses()
                except (Unreachable, Rejected, ProtocolMismatch) as error:
                    pause = pauses.next(getattr(error, "retry_after", None))
                    log.warning("no work given", extra={"run": self.order.run_id, "why": str(error), "again_in": pause})
                    await asyncio.sleep(pause)
                    continue
                if not came:
                    await self._wait()
                    await self._gather()
        finally:
            self._halted = True
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._descriptions.close()
            await self.traffic.close()
            await self._sender.close()

    async def _wait(self) -> None:
        """Until something changed here, or a moment passed: work may have come from elsewhere."""
        untold = self._at_hand.untold(asyncio.get_running_loop().time())
        try:
            async with asyncio.timeout(POLL_SECONDS if untold is None else max(0.0, min(untold, POLL_SECONDS))):
                await self.wake.wait()
        except TimeoutError:
            pass

    async def _gather(self) -> None:
        """Asks for several at once where asking takes its time; a node without any work asks at once."""
        if self._trials:
            await asyncio.sleep(min(MOST_GATHERING, self._asking))

    async def _claim(self) -> bool:
        """Asks for work where there is room, or too little at hand; whether any came."""
        if self._halted or not self._runner.lifeline.alive:
            return False
        if self._places:
            await self._acquaintance.make()
        self._fill()
        clock = asyncio.get_running_loop().time
        room, began = self._places - len(self._trials), clock()
        if not self._asks(room, began):
            return False
        welcome = await self._runner.session.welcome()
        waiting = self._runner.outbox.holds(self.order.run_id, self.order.generation)
        asked = clock()
        message = Claim(
            welcome.node_id,
            welcome.session,
            self.order.run_id,
            self.order.generation,
            max(0, self._places - len(self._trials)),
            tuple({*self._trials, *waiting}),
            self._at_hand.wanted(asked),
            self._at_hand.names,
            parts=self._parts(),
        )
        work = await self._runner.uplink.call(CLAIM, message, Work)
        self._asking = clock() - began
        if work.stale:
            self._runner.give_up(self.order.run_id, self.order.generation)
            return False
        self._at_hand.told(asked)
        if work.baselines or work.ahead:
            await self._acquaintance.make(now=True)  # what was recorded a moment ago is asked about before it is tested
        return self._take(work)

    def _parts(self) -> tuple[tuple[str, int], ...]:
        """The baselines that it has, or tells of, for a later part."""
        told = self._runner.outbox.parts(self.order.run_id, self.order.generation)
        under_way = {name: trial.todo.part for name, trial in self._trials.items()}
        return later_parts(told | under_way | self._at_hand.parts)

    def _asks(self, room: int, now: float) -> bool:
        """Whether the control plane is to be asked, or told, now."""
        untold = self._at_hand.untold(now)
        is_low = now >= self._again_at and self._at_hand.is_low(now)
        return room > 0 or is_low or (untold is not None and untold <= 0)

    def _take(self, work: Work) -> bool:
        """Begins what is to be tested now, and has the rest at hand; whether there was any."""
        now = asyncio.get_running_loop().time()
        for given in of_work(work, work.baselines):
            if given.baseline.id not in self._trials:
                self._at_hand.began(given.baseline, now)
                self._begin(given)
        self._at_hand.put(each for each in of_work(work, work.ahead) if each.baseline.id not in self._trials)
        self._fill()
        came = bool(work.baselines or work.ahead)
        self._again_at = 0.0 if came else now + POLL_SECONDS
        return came

    def _fill(self) -> None:
        """Begins what is at hand where there is room."""
        if self._halted or not self._runner.lifeline.alive:
            return
        now = asyncio.get_running_loop().time()
        while len(self._trials) < self._places and (given := self._at_hand.take(now)) is not None:
            self._begin(given)

    def _begin(self, given: AtHand) -> None:
        try:
            trial = self._put_off.take(given.baseline.id, given.todo) or self._trial(given)
        except Exception as error:  # noqa: BLE001 - one baseline's trouble must not stop the run
            self._at_hand.ended(given.baseline.id)
            self._tell(untried(given.baseline.id, error))
            return
        self._trials[given.baseline.id] = trial
        task = asyncio.ensure_future(self._try(given, trial))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _trial(self, given: AtHand) -> Trial:
        """Raises UserError where what was recorded cannot be sent."""
        order = without_auth(self.order) if given.is_public else self.order
        baseline = self._questions.as_tested(given.baseline)
        return Trial(baseline, order, self.traffic, self._questions, todo=given.todo, spent=given.spent)

    async def _try(self, given: AtHand, trial: Trial) -> None:
        name = given.baseline.id
        try:
            with rarely_collected():
                answered = given.baseline if trial.put_off else await self._descriptions.of(given.baseline)
                if answered is not given.baseline:
                    trial = self._trials[name] = self._trial(msgspec.structs.replace(given, baseline=answered))
                result = await made(trial, self._tell)
                if result.left and not self._put_off.keep(trial) and answered is not given.baseline:
                    self._descriptions.keep(answered)
                self._tell(result)
        except asyncio.CancelledError:
            if self._found:
                await trial.restoring.broken_off()
            raise
        except Exception as error:  # noqa: BLE001 - untold, it would be given out again for ever
            self._tell(untried(name, error))
        finally:
            self._trials.pop(name, None)
            self._at_hand.ended(name)
            self._fill()
            self.wake.set()

    def _tell(self, result: Result) -> None:
        """Sends a result on its way; with stop_on_first_fail the first finding stops everything here and now."""
        self._runner.outbox.put(self.order.run_id, self.order.generation, result)
        found = any(verdict.outcome is Outcome.VULNERABLE for verdict in result.verdicts)
        if found and self.order.stop_on_first_fail and not self._halted:
            self._halted = self._found = True
            for task in self._tasks:
                task.cancel()


def _of_tests(order: RunOrder) -> RunOrder:
    """An order without what changes nothing of tests under way: whether it still records is the recorder's matter, and which
    headers let in a run has found itself.
    """
    return msgspec.structs.replace(order, recording=False, credential_headers=())


def without_auth(order: RunOrder) -> RunOrder:
    """The order for an endpoint that is public on purpose: that nobody is asked for credentials there is no finding."""
    types = tuple(type_ for type_ in order.policy.types if type_ != "auth")
    return msgspec.structs.replace(order, policy=msgspec.structs.replace(order.policy, types=types))
