"""Records that a node makes from an address: what is there is read, as `scan` reads it, and handed over.

What was found stays in memory until the control plane has it: a node that is started again reads the address again.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager

import msgspec

from gatecrash.core.errors import ProtocolMismatch, TargetError, UserError
from gatecrash.core.message import Exchange
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.core.testing.selection.replay import replayable, why_not
from gatecrash.formats.draft import Draft, packed
from gatecrash.node.scan.exploring import Exploring
from gatecrash.node.scan.fetching import MayNotBeAsked
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.test.bounds import Bounds
from gatecrash.node.test.connections.destinations import allowed_by
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.pace.host_pace import HostPaces
from gatecrash.node.test.recorder import MAX_BATCH, MAX_BATCH_BYTES, new_id
from gatecrash.node.uplink import BASELINES, Caller, Pauses, Rejected, Unreachable
from gatecrash.wire.session import RunOrder, RunProgress, StartTold
from gatecrash.wire.work import Recorded, Stored

log = logging.getLogger(__name__)


class Explorers:
    """All addresses that this node reads.

    paces: of the hosts, shared with the runs; None where those are tested by other processes, and nothing is read meanwhile.
    """

    def __init__(
        self, uplink: Caller, session: Session, lifeline: Lifeline, bounds: Bounds, paces: HostPaces | None
    ) -> None:
        """Raises InvalidPattern where the bounds' allowed hosts cannot be read."""
        self.uplink = uplink
        self.session = session
        self.lifeline = lifeline
        self.bounds = bounds
        self.is_alone = paces is None
        self.paces = paces or HostPaces(bounds.rps_per_host)
        self.way = Way(
            AllowedHosts(bounds.allowed_hosts, bounds.own_addresses), bounds.verify_tls, bounds.proxy, bounds.browser
        )
        self._at_work: dict[str, Explorer] = {}

    def obey(self, orders: Iterable[RunOrder]) -> None:
        """Makes the node read exactly these addresses."""
        orders = list(orders)
        wanted = {order.run_id: order for order in orders if order.start is not None}
        waits = self.is_alone and any(order.sending and order.start is None for order in orders)
        for record_id in [each for each in self._at_work if each not in wanted]:
            self._at_work.pop(record_id).drop()
        for record_id, order in wanted.items():
            if record_id not in self._at_work:
                self._at_work[record_id] = Explorer(self, order)
            self._at_work[record_id].obey(order, may_ask=order.sending and not waits)

    def wait(self) -> None:
        """Nothing is asked until orders come again: what was read so far need not be read once more."""
        for each in self._at_work.values():
            each.wait()

    def limit_hosts(self, rps: int | None) -> None:
        """Holds all hosts together to another limit each, where no runs do."""
        if self.is_alone:
            self.paces.limit(rps)

    def told(self, progress: RunProgress) -> RunProgress:
        """How far an order is, with what is known here."""
        known = self._at_work.get(progress.run_id)
        if known is None:
            return progress
        told: RunProgress = msgspec.structs.replace(progress, start=known.told(), unsent_baselines=known.unsent)
        return told

    async def close(self) -> None:
        """Ends all."""
        known = [*self._at_work.values()]
        for each in known:
            each.drop()
        await asyncio.gather(*(each.work for each in known), return_exceptions=True)


class Explorer:
    """One address, read until it is known or dropped. unsent: what is not handed over yet; not 0 while it is read."""

    def __init__(self, explorers: Explorers, order: RunOrder) -> None:
        assert order.start is not None
        self._explorers = explorers
        self._order = order
        self._exploring = Exploring(order.start, explorers.way, order.profile, self._traffic)
        self._tally = Tally(order.generation)
        self._trouble = ""
        self.unsent = 1
        self.work = asyncio.ensure_future(self._work())

    def obey(self, order: RunOrder, *, may_ask: bool) -> None:
        """Goes on, waits, or comes to its end."""
        if order.start is not None and order.start.over:
            self._exploring.end()
        elif may_ask:
            self._exploring.may_ask.set()
        else:
            self.wait()

    def wait(self) -> None:
        """Asks for nothing for now."""
        self._exploring.may_ask.clear()

    def drop(self) -> None:
        """Ends it now; what was found is not wanted."""
        self._exploring.end()
        self.work.cancel()

    def told(self) -> StartTold:
        """How far it is."""
        return StartTold(self._exploring.read, not self.unsent, self._trouble, tuple(self._exploring.notes))

    async def _work(self) -> None:
        found: list[Exchange] = []
        try:
            found = await self._exploring.run()
        except MayNotBeAsked as error:
            why = error.why or (
                "the node's ALLOWED_HOSTS does not name it. Start the node with it named there, where you may test it"
            )
            self._trouble = f"{error.origin} may not be asked: {why}."
        except (UserError, TargetError) as error:
            self._trouble = str(error)
        except Exception:
            log.exception("address not read", extra={"record": self._order.record_id})
            self._trouble = "The node could not read it; its log says why."
        await self._hand_over([replayable(each) for each in found if not why_not(each)])
        self.unsent = 0

    async def _hand_over(self, found: list[Exchange]) -> None:
        self.unsent = len(found) + 1
        pauses = Pauses()
        batches = _batches([Baseline(new_id(), each) for each in found])
        batch = next(batches, None)
        while batch is not None:
            try:
                await self._send(batch)
            except (Unreachable, Rejected, ProtocolMismatch) as error:
                pause = pauses.next(getattr(error, "retry_after", None))
                log.warning("baselines not taken", extra={"why": str(error), "again_in": pause})
                await asyncio.sleep(pause)
            else:
                self.unsent -= len(batch)
                batch = next(batches, None)

    async def _send(self, batch: list[Baseline]) -> None:
        welcome = await self._explorers.session.welcome()
        order, drafts = self._order, []
        if isinstance(batch[0].exchange, Draft):
            drafts, batch = [(one.id, packed(one.exchange)) for one in batch if isinstance(one.exchange, Draft)], []
        message = Recorded(welcome.node_id, welcome.session, order.run_id, order.record_id, tuple(batch), tuple(drafts))
        await self._explorers.uplink.call(BASELINES, message, Stored)

    @asynccontextmanager
    async def _traffic(self, profile: AuthProfile | None) -> AsyncIterator[Traffic]:
        explorers, order = self._explorers, msgspec.structs.replace(self._order, profile=profile)
        way = explorers.way
        destinations = allowed_by([way.allowed], resolved_elsewhere=way.proxy is not None)
        sender = Sender(destinations, verify_tls=way.verify_tls, proxy=way.proxy)
        traffic = Traffic(order, sender, explorers.lifeline, self._tally, explorers.paces)
        # As in a run, nobody sits before it: a new version of the site is worth the wait.
        traffic.patience.unattended = lambda: self._tally.answered > 0
        try:
            yield traffic
        finally:
            await traffic.close()
            await sender.close()


def _batches(baselines: list[Baseline]) -> Iterator[list[Baseline]]:
    """In their order, as many of one kind as one message takes: what was sent, or drafts."""
    batch: list[Baseline] = []
    size = 0
    for one in baselines:
        response = one.response
        own = len(one.request.body) + (len(response.body) if response is not None else 0)
        is_other = bool(batch) and isinstance(batch[0].exchange, Draft) != isinstance(one.exchange, Draft)
        if batch and (is_other or len(batch) == MAX_BATCH or size + own > MAX_BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += own
    if batch:
        yield batch
