"""Work for the testing processes of a node: asked for by each, given by the control plane to the node as one."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping

import msgspec

from gatecrash.core.testing.profiles.profile import ProfileIdentity
from gatecrash.node.processes.worker import Worker
from gatecrash.node.session import Session
from gatecrash.node.test.beforehand.draft_answer import is_unanswered
from gatecrash.node.test.outbox import Outbox
from gatecrash.node.test.prefetch import later_parts, of_work
from gatecrash.node.test.runner import POLL_SECONDS
from gatecrash.node.uplink import ACQUAINT, CLAIM, DESCRIBE, Caller
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Acquaint, Acquainted, Claim, Describe, Described, Work


class Claims:
    """The claims of all processes. workers: by lane. most: baselines tested at once, over all of them."""

    def __init__(
        self,
        uplink: Caller,
        session: Session,
        outbox: Outbox,
        workers: Mapping[int, Worker],
        *,
        most: int,
        processes: int,
    ) -> None:
        self._uplink = uplink
        self._session = session
        self._outbox = outbox
        self._workers = workers
        self._most = most
        self._processes = processes
        self._one_at_a_time: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._nothing: dict[str, float] = {}
        # The lane that was given what nobody has sent yet: it learns from the answers, and signs in by them.
        self._learning: dict[str, int] = {}

    def wake(self, run_id: str) -> None:
        """There may be work for this run."""
        self._nothing.pop(run_id, None)

    async def claim(self, worker: Worker, message: Claim, order: RunOrder) -> Work:
        """Up to as many baselines as this process asks for, within its share. Raises as Caller has it."""
        lease = (message.run_id, message.generation)
        worker.held[lease], worker.ready[lease] = set(message.holding), set(message.ready)
        worker.parts[lease] = dict(message.parts or ())
        # One claim at a time: what one process was given must be among what the next says that the node holds.
        async with self._one_at_a_time[order.run_id]:
            if not self._places(order, worker) or self._nothing.get(order.run_id, 0.0) > time.monotonic():
                return Work()
            asked = await self._of_all(worker, message, order)
            work = await self._uplink.call(CLAIM, asked, Work)
            if asked.count + asked.ahead and not (work.baselines or work.ahead or work.stale):
                self._nothing[order.run_id] = time.monotonic() + POLL_SECONDS / 2
            if lease not in worker.held:  # it was stopped meanwhile, or goes on under another generation
                return Work()
            worker.held[lease] |= {baseline.id for baseline in work.baselines}
            worker.ready[lease] |= {baseline.id for baseline in work.ahead}
            given = of_work(work, (*work.baselines, *work.ahead))
            worker.parts[lease] |= {one.baseline.id: one.todo.part for one in given}
            if any(is_unanswered(baseline.exchange) for baseline in (*work.baselines, *work.ahead)):
                self._learning.setdefault(order.run_id, worker.lane)
        return work

    async def describe(self, message: Describe) -> Described:
        """What nobody has sent yet, for one process. Raises as Caller has it."""
        welcome = await self._session.welcome()
        asked = msgspec.structs.replace(message, node_id=welcome.node_id, session=welcome.session)
        return await self._uplink.call(DESCRIBE, asked, Described)

    async def acquaint(self, message: Acquaint) -> Acquainted:
        """What was recorded, for one process. Raises as Caller has it."""
        welcome = await self._session.welcome()
        asked = msgspec.structs.replace(message, node_id=welcome.node_id, session=welcome.session)
        return await self._uplink.call(ACQUAINT, asked, Acquainted)

    async def _of_all(self, worker: Worker, message: Claim, order: RunOrder) -> Claim:
        """The claim of one process, with what all of them have."""
        welcome = await self._session.welcome()
        lease = (message.run_id, message.generation)
        workers = self._workers.values()
        held = self._outbox.holds(*lease).union(*(each.held.get(lease, ()) for each in workers))
        ready = {name for each in workers for name in each.ready.get(lease, ())} - held
        parts = self._outbox.parts(*lease)
        for each in workers:
            parts |= each.parts.get(lease, {})
        count = min(message.count, self._places(order, worker))
        # What one had at hand would be missing where another has room.
        ahead = message.ahead if all(self._is_busy(each, order) for each in workers if each is not worker) else 0
        return Claim(
            welcome.node_id, welcome.session, *lease, count, tuple(held), ahead, tuple(ready), parts=later_parts(parts)
        )

    def _is_busy(self, worker: Worker, order: RunOrder) -> bool:
        lease = (order.run_id, order.generation)
        has = worker.held.get(lease, set()) | worker.ready.get(lease, set())
        return len(has) >= self._places(order, worker)

    def _places(self, order: RunOrder, worker: Worker) -> int:
        if self._learning.get(order.run_id, worker.lane) != worker.lane:
            return 0
        return places_of(order, worker.lane, most=self._most, processes=self._processes)

    def keep(self, run_ids: set[str]) -> None:
        """Forget all other runs."""
        for run_id in [each for each in self._one_at_a_time if each not in run_ids]:
            if not self._one_at_a_time[run_id].locked():
                del self._one_at_a_time[run_id]
        self._learning = {run_id: lane for run_id, lane in self._learning.items() if run_id in run_ids}
        self._nothing = {run_id: until for run_id, until in self._nothing.items() if run_id in run_ids}


def places_of(order: RunOrder, lane: int, *, most: int, processes: int) -> int:
    """How many baselines of a run a process tests at once. most: over all processes."""
    if stays_together(order):
        return 0 if lane else most
    return most // processes + (lane < most % processes)


def stays_together(order: RunOrder) -> bool:
    """Whether one process must test all of the run: its sessions, or what its extensions have collected, are only one.

    Two logins of one account may end each other, and what one request uses up the next of any process needs.
    """
    if order.policy.extensions:
        return True
    return order.profile is not None and any(map(_lives, order.profile.identities))


def _lives(identity: ProfileIdentity) -> bool:
    """Whether an identity's session changes while a run goes on."""
    return bool(identity.login or identity.refresh or identity.renew or identity.once)
