"""Records baselines for every run whose order says so: named here, synced to the spool, sent up, dropped when stored."""

import asyncio
import logging
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Mapping

import msgspec

from gatecrash.core.errors import ProtocolMismatch
from gatecrash.core.inventory.fold import is_own, is_preflight
from gatecrash.core.message import Exchange
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.operations.sockets import opens_socket
from gatecrash.core.testing.selection import replay
from gatecrash.node.observe.observations import Observation
from gatecrash.node.session import Session
from gatecrash.node.spool import Spool, SpooledBaseline
from gatecrash.node.uplink import BASELINES, Pauses, Rejected, Unreachable, Uplink
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Recorded, Stored

log = logging.getLogger(__name__)

"""As much of an answer as the sender keeps: comparing more would compare with nothing."""

MAX_BATCH = 32
MAX_BATCH_BYTES = 8 * 1024 * 1024


class Recorder:
    """Takes observations, hands out baselines. on_stored: told of a run when its baselines reached the control plane."""

    def __init__(self, spool: Spool, on_stored: Callable[[str], None]) -> None:
        self._spool = spool
        self._on_stored = on_stored
        self._recording: dict[str, RunOrder] = {}
        self._added = asyncio.Event()
        self._keys: Mapping[str, bytes] = {}
        self._unsure = False

    def resume(self, orders: Iterable[RunOrder], marker_keys: Mapping[str, bytes]) -> None:
        """Records by the orders of the node's last start, from the first request on, until this start has its own.

        What is recorded so is held back: `settle` says whether it belongs to a recording.
        """
        self.obey(orders, marker_keys)
        self._unsure = True

    async def settle(self) -> None:
        """Orders were obeyed: what was recorded before them is taken in, or dropped where recording was over by then."""
        if not self._unsure:
            return
        self._unsure = False
        recording = frozenset(self._recording)
        dropped = await self._spool.run(lambda: self._spool.settle(recording))
        if dropped:
            log.info("baselines dropped: their recording was over", extra={"count": dropped})
        self._added.set()

    def obey(self, orders: Iterable[RunOrder], marker_keys: Mapping[str, bytes]) -> None:
        """Records for exactly these runs from now on. marker_keys: whose marked requests are our own tests."""
        self._recording = {order.run_id: order for order in orders if order.recording}
        self._keys = marker_keys

    def is_recording(self, run_id: str) -> bool:
        """Whether baselines are taken for the run."""
        return run_id in self._recording

    async def take(self, observations: Iterable[Observation]) -> int:
        """Records what can be tested; returns after it is on disk, with how many were taken."""
        orders = list(self._recording.values())
        if not orders:
            return 0
        spooled = [
            SpooledBaseline(order.run_id, order.record_id, Baseline(new_id(), trimmed(observation.exchange)))
            for observation in observations
            if is_recordable(observation, self._keys)
            for order in orders
        ]
        if not spooled:
            return 0
        try:
            unsure = self._unsure
            taken = await self._spool.run(lambda: self._spool.add_baselines(spooled, unsure=unsure))
        except sqlite3.Error as error:
            told = {"why": str(error), "count": len(spooled)}
            log.error("baselines not recorded: the spool cannot be written", extra=told)  # noqa: TRY400 - told
            return 0
        self._added.set()
        return taken

    async def send_always(self, uplink: Uplink, session: Session) -> None:
        """Sends what waits in the spool, for ever."""
        while True:
            self._added.clear()
            await self.send(uplink, session)
            await self._added.wait()

    async def send(self, uplink: Uplink, session: Session) -> None:
        """Sends until nothing waits."""
        pauses = Pauses()
        while batch := await self._spool.run(lambda: self._spool.baselines(MAX_BATCH, MAX_BATCH_BYTES)):
            try:
                await self._send_batch(uplink, session, batch)
            except (Unreachable, Rejected, ProtocolMismatch) as error:
                pause = pauses.next(getattr(error, "retry_after", None))
                log.warning("baselines not taken", extra={"why": str(error), "again_in": pause})
                await asyncio.sleep(pause)
            else:
                pauses = Pauses()

    async def _send_batch(self, uplink: Uplink, session: Session, batch: list[SpooledBaseline]) -> None:
        welcome = await session.welcome()
        first = batch[0]
        message = Recorded(
            welcome.node_id,
            welcome.session,
            first.run_id,
            first.record_id,
            tuple(item.baseline for item in batch),
        )
        stored = await uplink.call(BASELINES, message, Stored)
        for identifier, why in stored.refused:
            log.error("baseline refused", extra={"baseline": identifier, "run": first.run_id, "why": why})
        done = [*stored.stored, *(identifier for identifier, _ in stored.refused)]
        if not done:
            raise Unreachable("The control plane took none of the baselines and refused none.")
        await self._spool.run(lambda: self._spool.drop_baselines(done))
        self._on_stored(first.run_id)


def is_recordable(observation: Observation, marker_keys: Mapping[str, bytes]) -> bool:
    """Whether the exchange can be sent again and compared: whole, answered, no preflight, no test of ours, and no tunnel but a
    WebSocket's.
    """
    exchange = observation.exchange
    response = exchange.response
    return (
        observation.whole
        and response is not None
        and (response.status >= 200 or opens_socket(exchange.request))
        and not is_preflight(exchange.request)
        and not is_own(exchange.request, marker_keys)
    )


def trimmed(exchange: Exchange) -> Exchange:
    """The exchange with no more of its answer than is ever compared."""
    response = exchange.response
    return exchange if response is None else msgspec.structs.replace(exchange, response=replay.trimmed(response))


def new_id(prefix: str = "bl_") -> str:
    """A fresh identifier, a baseline's by default, with 132 random bits, which nobody guesses (decisions 3)."""
    return prefix + "".join(secrets.choice(_ALPHABET) for _ in range(26))


_ALPHABET = "0123456789abcdefghijkmnpqrstuvwxyz"  # without l and o, which people misread
