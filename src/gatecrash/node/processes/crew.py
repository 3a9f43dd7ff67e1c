"""Runs on a node that tests in several processes: the Runner's place in the main process.

The main process speaks to the control plane and holds what must be one: leases, claims, results, the listener. A testing
process asks it for baselines and keeps one until its checks are over. One that dies is replaced; what it held is asked for
again, as anything that a node has lost, and what it sent stays counted, on the board.
"""

import asyncio
import logging
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from gatecrash.core.auth.sessions import LearnedCookie
from gatecrash.core.errors import PeerError
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.core.testing.surroundings.pages import MOST_KEPT
from gatecrash.core.testing.verdict import Outcome
from gatecrash.node.children import keep_one
from gatecrash.node.oob.planting import Listens
from gatecrash.node.processes.board import Board
from gatecrash.node.processes.claims import Claims
from gatecrash.node.processes.lane_host import clear_lane
from gatecrash.node.processes.lane_traffic import COUNTERS, run_name
from gatecrash.node.processes.messages import (
    Begin,
    Call,
    End,
    Far,
    Letter,
    LureAnswered,
    LureClosed,
    Met,
    Planted,
    Reply,
    Taught,
    Told,
    Wake,
)
from gatecrash.node.processes.planted import PlantedElsewhere
from gatecrash.node.processes.worker import Known, Lease, Worker, started
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.test.bounds import DEFAULT_BOUNDS, Bounds
from gatecrash.node.test.connections.traffic import RECENT_SECONDS
from gatecrash.node.test.outbox import Outbox
from gatecrash.node.test.stale import Stale
from gatecrash.node.uplink import ACQUAINT, CLAIM, DESCRIBE, Caller
from gatecrash.wire import codec
from gatecrash.wire.session import RunOrder, RunProgress
from gatecrash.wire.work import Accepted, Acquaint, Acquainted, Claim, Describe, Described, Result, Results, Work

log = logging.getLogger(__name__)

END_SECONDS = 3.0
Teaches = Callable[[], tuple[tuple[tuple[str, ...], ...], tuple[LearnedCookie, ...]]]
"""The client's parameters and what was learned of sessions, as node/observe/folding.py knows them."""


class Crew:
    """All runs of this node, tested by other processes, its workers by their lane. The same words as a Runner's;
    nothing is tested before `start`.
    """

    def __init__(
        self,
        uplink: Caller,
        session: Session,
        lifeline: Lifeline,
        teaches: Teaches,
        bounds: Bounds = DEFAULT_BOUNDS,
        *,
        processes: int,
    ) -> None:
        """processes: how many; more than there are workers would idle. Raises InvalidPattern as the Runner does."""
        AllowedHosts(bounds.allowed_hosts, bounds.own_addresses)
        self._processes = min(processes, bounds.workers)
        self._folder = Path(tempfile.mkdtemp(prefix="gatecrash-node-"))
        self.board = Board(self._folder)
        self._begin = Begin(0, str(self._folder), bounds, None, 0.0, self._processes)
        self.outbox = Outbox(self.give_up, self.wake)
        self.listener: Listens | None = None
        self.lifeline = lifeline
        self._teaches = teaches
        self._taught: Taught | None = None
        self._rps_per_host = bounds.rps_per_host
        self.workers: dict[int, Worker] = {}
        self._keeping: list[asyncio.Task[None]] = []
        self._claims = Claims(
            uplink, session, self.outbox, self.workers, most=bounds.workers, processes=self._processes
        )
        self._answering: set[asyncio.Task[None]] = set()
        self._planted: PlantedElsewhere | None = None
        self._orders: tuple[RunOrder, ...] = ()
        self._stale = Stale()
        self._halted: set[Lease] = set()
        self._known = Known(MOST_KEPT)
        self._recent: dict[str, Counter[int]] = {}
        self._ending = asyncio.Event()

    def start(self) -> None:
        """Starts the processes."""
        if self.listener is not None:
            self._planted = PlantedElsewhere(self.listener.lures, self._post_to)
            self._begin = msgspec.structs.replace(
                self._begin, listening=self.listener.listening, grace=self.listener.grace
            )
        self._keeping = [asyncio.ensure_future(self._keep(lane)) for lane in range(self._processes)]

    def obey(self, orders: Iterable[RunOrder]) -> None:
        """Makes all processes do exactly this."""
        before, self._orders = self._orders, tuple(orders)
        known = {order.run_id for order in self._orders}
        self._stale.keep(known)
        self._halted = {lease for lease in self._halted if lease in map(lease_of, self._orders)}
        self._recent = {run_id: recent for run_id, recent in self._recent.items() if run_id in known}
        self._claims.keep(known)
        for order in before:
            if lease_of(order) not in map(lease_of, self._orders):
                self.board.forget(COUNTERS, run_name(*lease_of(order)))
                self.board.forget("limit", f"run {run_name(*lease_of(order))}")
        self._tell()

    def limit_hosts(self, rps: int | None) -> None:
        """Holds all hosts to another limit each, from the next orders on."""
        self._rps_per_host = rps

    def give_up(self, run_id: str, generation: int) -> None:
        """The control plane says that this generation is over: dropped, and not taken up again for a while."""
        log.info("run given up: another generation holds it", extra={"run": run_id, "generation": generation})
        self._stale.note(run_id, generation)
        self._tell()

    def wake(self, run_id: str) -> None:
        """There may be work for this run."""
        self._claims.wake(run_id)
        self._post(Wake(run_id))

    def progress(self, order: RunOrder, *, recording: bool, unsent: int) -> RunProgress:
        """How far one ordered run is, over all processes."""
        region = self.board.region(COUNTERS, run_name(*lease_of(order)))
        sent = int(sum(region.cells[: self._processes].tolist()))
        region.close()
        said = [worker.far[order.run_id] for worker in self.workers.values() if order.run_id in worker.far]
        mine = [one for one in said if one.generation == order.generation]
        recent = Counter(self._recent.get(order.run_id, ()))
        for one in mine:
            recent.update(dict(one.recent))
        oldest = int(time.time()) - RECENT_SECONDS
        return RunProgress(
            order.run_id,
            order.generation,
            sent,
            tuple((second, count) for second, count in sorted(recent.items()) if second > oldest),
            tuple(left for one in mine for left in one.remaining),
            recording,
            unsent,
        )

    @property
    def busy(self) -> bool:
        """Whether a run is tested."""
        return any(order.sending for order in self._wanted())

    async def close(self) -> None:
        """Ends all runs and all processes; what they found is in the outbox then."""
        self._ending.set()
        self._post(End())
        if self._keeping:
            _, late = await asyncio.wait(self._keeping, timeout=END_SECONDS)
            for task in late:
                task.cancel()
        for worker in list(self.workers.values()):
            worker.kill()
            await worker.ended()
        await asyncio.gather(*self._keeping, *self._answering, return_exceptions=True)
        self.board.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _wanted(self) -> tuple[RunOrder, ...]:
        """The orders as they are to be obeyed: what is over here is not sent, whatever the last orders say."""
        return tuple(
            msgspec.structs.replace(order, sending=False)
            if lease_of(order) in self._halted or self._stale.holds(order)
            else order
            for order in self._orders
        )

    def _tell(self) -> None:
        """All processes hear the orders; a heartbeat is passed on by it, too."""
        wanted = self._wanted()
        tested = {lease_of(order) for order in wanted if order.sending}
        for worker in self.workers.values():
            worker.held = {lease: held for lease, held in worker.held.items() if lease in tested}
            worker.ready = {lease: ready for lease, ready in worker.ready.items() if lease in tested}
            worker.parts = {lease: parts for lease, parts in worker.parts.items() if lease in tested}
        taught = Taught(*self._teaches())
        if taught != self._taught:
            self._taught = taught
            self._post(taught)
        if self.lifeline.alive:
            self._post(Told(wanted, self._rps_per_host))

    def _post(self, letter: Letter) -> None:
        for worker in self.workers.values():
            worker.channel.post(letter)

    def _post_to(self, lane: int, letter: Letter) -> None:
        if lane in self.workers:
            self.workers[lane].channel.post(letter)

    async def _keep(self, lane: int) -> None:
        """One process after the other, until the end."""
        await keep_one(lambda: started(lane), self._attend, self._ending)

    async def _attend(self, worker: Worker) -> None:
        """Hears one process, until it is gone."""
        self.workers[worker.lane] = worker
        self._introduce(worker)
        async for letter in worker.channel.letters():
            self._take(worker, letter)
        code = await worker.ended()
        del self.workers[worker.lane]
        self._lost(worker)
        if not self._ending.is_set():
            log.error("a testing process ended; it is replaced", extra={"lane": worker.lane, "code": code})

    def _introduce(self, worker: Worker) -> None:
        post = worker.channel.post
        post(msgspec.structs.replace(self._begin, lane=worker.lane))
        post(Taught(*self._teaches()))
        if self.lifeline.alive:
            post(Told(self._wanted(), self._rps_per_host))
        for met in self._known.of({lease_of(order) for order in self._orders}):
            post(met)
        if self._ending.is_set():
            post(End())

    def _lost(self, worker: Worker) -> None:
        """Its place is free: nothing of it is under way, and what it held is asked for again by who has room."""
        clear_lane(self.board, worker.lane)
        if self._planted is not None:
            self._planted.lost(worker.lane)
        for run_id, far in worker.far.items():
            self._recent.setdefault(run_id, Counter()).update(dict(far.recent))
        for run_id, _ in worker.held:
            self.wake(run_id)

    def _take(self, worker: Worker, letter: Letter) -> None:
        match letter:
            case Call():
                answering = asyncio.ensure_future(self._answer(worker, letter))
                self._answering.add(answering)
                answering.add_done_callback(self._answering.discard)
            case Far():
                worker.far = {one.run_id: one for one in letter.runs}
            case Met():
                self._known.add(letter)
                for other in self.workers.values():
                    if other is not worker:
                        other.channel.post(letter)
            case Planted() | LureAnswered() | LureClosed():
                if self._planted is not None:
                    self._planted.take(worker.lane, letter)
            case _:
                log.error("a letter that is not for the main process", extra={"kind": type(letter).__name__})

    async def _answer(self, worker: Worker, call: Call) -> None:
        try:
            reply = await self._reply(worker, call)
        except PeerError as error:
            worker.channel.post(Reply(call.number, b"", str(error), getattr(error, "retry_after", None)))
        else:
            worker.channel.post(Reply(call.number, codec.encode(reply)))

    async def _reply(self, worker: Worker, call: Call) -> Work | Accepted | Described | Acquainted:
        if call.path == DESCRIBE:
            return await self._claims.describe(codec.decode(call.message, Describe))
        if call.path == ACQUAINT:
            return await self._claims.acquaint(codec.decode(call.message, Acquaint))
        if call.path != CLAIM:
            return self._results(worker, codec.decode(call.message, Results))
        claim = codec.decode(call.message, Claim)
        orders = (order for order in self._wanted() if order.sending)
        order = next((one for one in orders if lease_of(one) == (claim.run_id, claim.generation)), None)
        if order is None:
            return Work()
        work = await self._claims.claim(worker, claim, order)
        if work.stale:
            self.give_up(*lease_of(order))
        return work

    def _results(self, worker: Worker, results: Results) -> Accepted:
        lease = (results.run_id, results.generation)
        for result in results.results:
            self.outbox.put(*lease, result)
            if result.final or result.left:
                for having in (worker.held, worker.ready):
                    having.get(lease, set()).discard(result.baseline_id)
                worker.parts.get(lease, {}).pop(result.baseline_id, None)
            self._halt_if_found(lease, result)
        return Accepted()

    def _halt_if_found(self, lease: Lease, result: Result) -> None:
        """With stop_on_first_fail the first finding of any process stops all of them."""
        order = next((one for one in self._orders if lease_of(one) == lease), None)
        found = any(verdict.outcome is Outcome.VULNERABLE for verdict in result.verdicts)
        if found and order is not None and order.stop_on_first_fail and lease not in self._halted:
            self._halted.add(lease)
            self._tell()


def lease_of(order: RunOrder) -> Lease:
    """The run, and the generation of its lease."""
    return order.run_id, order.generation
