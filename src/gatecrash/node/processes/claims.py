"""Work for the testing processes of a node: asked for by each, given by the control plane to the node as one."""

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Mapping

from gatecrash.core.testing.profiles.profile import ProfileIdentity
from gatecrash.node.processes.worker import Lease, Worker
from gatecrash.node.session import Session
from gatecrash.node.test.outbox import Outbox
from gatecrash.node.test.runner import POLL_SECONDS
from gatecrash.node.uplink import CLAIM, Caller
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Claim, Work


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
        self._share = math.ceil(most / processes)
        self._one_at_a_time: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._nothing: dict[str, float] = {}

    def wake(self, run_id: str) -> None:
        """There may be work for this run."""
        self._nothing.pop(run_id, None)

    async def claim(self, worker: Worker, message: Claim, order: RunOrder) -> Work:
        """Up to as many baselines as this process has room for. Raises as Caller has it."""
        lease = (message.run_id, message.generation)
        worker.held[lease] = set(message.holding)
        # One claim at a time: what one process was given must be among what the next says that the node holds.
        async with self._one_at_a_time[order.run_id]:
            room = self._room(worker, lease, order)
            if room <= 0 or self._nothing.get(order.run_id, 0.0) > time.monotonic():
                return Work()
            welcome = await self._session.welcome()
            held = self._held(lease) | self._outbox.holds(*lease)
            asked = Claim(welcome.node_id, welcome.session, *lease, min(message.count, room), tuple(held))
            work = await self._uplink.call(CLAIM, asked, Work)
            if not work.baselines and not work.stale:
                self._nothing[order.run_id] = time.monotonic() + POLL_SECONDS / 2
            worker.held[lease] |= {baseline.id for baseline in work.baselines}
        return work

    def keep(self, run_ids: set[str]) -> None:
        """Forget all other runs."""
        for run_id in [each for each in self._one_at_a_time if each not in run_ids]:
            if not self._one_at_a_time[run_id].locked():
                del self._one_at_a_time[run_id]
        self._nothing = {run_id: until for run_id, until in self._nothing.items() if run_id in run_ids}

    def _held(self, lease: Lease) -> set[str]:
        return {name for worker in self._workers.values() for name in worker.held.get(lease, ())}

    def _room(self, worker: Worker, lease: Lease, order: RunOrder) -> int:
        if stays_together(order):
            return 0 if worker.lane else self._most - len(worker.held[lease])
        mine = self._share - len(worker.held[lease])
        return min(mine, self._most - len(self._held(lease)))


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
