"""Results on their way to the control plane: in order per run, repeated until accepted, never lost to a pause."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from gatecrash.core.errors import ProtocolMismatch
from gatecrash.node.session import Session
from gatecrash.node.uplink import RESULTS, Caller, Pauses, Rejected, Unreachable
from gatecrash.wire.work import Accepted, Result, Results

log = logging.getLogger(__name__)

MAX_BATCH = 50
MAX_REJECTIONS = 5


# So many times as long as a message took, what comes is gathered, and never longer than these seconds.
SHARE_GATHERING = 10
MOST_GATHERING = 0.1


class Outbox:
    """The results that wait. on_stale: told of a run and generation that is over. on_taken: of a run whose results were taken."""

    def __init__(self, on_stale: Callable[[str, int], None], on_taken: Callable[[str], None] = lambda _: None) -> None:
        self._on_stale = on_stale
        self._on_taken = on_taken
        self._waiting: deque[tuple[str, int, Result]] = deque()
        self._put = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()

    def put(self, run_id: str, generation: int, result: Result) -> None:
        """Adds one."""
        self._waiting.append((run_id, generation, result))
        self._empty.clear()
        self._put.set()

    def holds(self, run_id: str, generation: int) -> set[str]:
        """The baselines of a run with a result that is not accepted yet."""
        return {item[2].baseline_id for item in self._waiting if item[:2] == (run_id, generation)}

    def parts(self, run_id: str, generation: int) -> dict[str, int]:
        """Which part of each of them is told, the last where there are two."""
        return {item[2].baseline_id: item[2].part for item in self._waiting if item[:2] == (run_id, generation)}

    async def drained(self) -> None:
        """Returns when nothing waits."""
        await self._empty.wait()

    async def send_always(self, uplink: Caller, session: Session) -> None:
        """Sends what waits, for ever; what ends shortly after goes together, or each would cost the service a message."""
        clock = asyncio.get_running_loop().time
        while True:
            await self._put.wait()
            began = clock()
            await self.send(uplink, session)
            await asyncio.sleep(min(MOST_GATHERING, SHARE_GATHERING * (clock() - began)))

    async def send(self, uplink: Caller, session: Session) -> None:
        """Sends until nothing waits."""
        pauses = Pauses()
        rejections = 0
        while self._waiting:
            batch = self._batch()
            try:
                await self._send(uplink, session, batch)
            except (Unreachable, Rejected, ProtocolMismatch) as error:
                rejections += isinstance(error, Rejected)
                if rejections >= MAX_REJECTIONS:
                    # The baselines go back to waiting when the lease is over, so they are tested again, not lost.
                    log.error("results given up", extra={"run": batch[0][0], "why": str(error), "count": len(batch)})  # noqa: TRY400 - the text says it
                    self._done(len(batch))
                    rejections = 0
                pause = pauses.next(getattr(error, "retry_after", None))
                log.warning("results not taken", extra={"why": str(error), "again_in": pause})
                await asyncio.sleep(pause)
            else:
                pauses = Pauses()
                rejections = 0
                self._done(len(batch))
                self._on_taken(batch[0][0])

    def _batch(self) -> list[tuple[str, int, Result]]:
        """The first results that belong to one run and generation."""
        first = self._waiting[0]
        batch: list[tuple[str, int, Result]] = []
        for item in self._waiting:
            if item[:2] != first[:2] or len(batch) == MAX_BATCH:
                break
            batch.append(item)
        return batch

    async def _send(self, uplink: Caller, session: Session, batch: list[tuple[str, int, Result]]) -> None:
        welcome = await session.welcome()
        run_id, generation, _ = batch[0]
        results = tuple(result for _, _, result in batch)
        message = Results(welcome.node_id, welcome.session, run_id, generation, results)
        accepted = await uplink.call(RESULTS, message, Accepted)
        if accepted.stale:
            self._on_stale(run_id, generation)

    def _done(self, count: int) -> None:
        for _ in range(count):
            self._waiting.popleft()
        if not self._waiting:
            self._put.clear()
            self._empty.set()
