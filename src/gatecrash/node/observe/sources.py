"""What a node watches besides its proxy: the collector, and access logs that it follows."""

import asyncio
import logging
from collections.abc import Sequence

from gatecrash.node.journal import place_of
from gatecrash.node.observe.collector import Collector, CollectorSettings
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.log_follower import LogFollower, read_log_option
from gatecrash.node.observe.observations import Observations
from gatecrash.node.spool import Spool

log = logging.getLogger(__name__)

AGAIN_SECONDS = 5.0


class Sources:
    """The node's further sources. collector: None where none was asked for."""

    def __init__(
        self,
        observations: Observations,
        folding: Folding,
        spool: Spool,
        *,
        collector: CollectorSettings | None = None,
        logs: Sequence[str] = (),
    ) -> None:
        """Raises UserError where the settings cannot work."""
        self.collector = Collector(collector, observations, lambda: folding.reader) if collector is not None else None
        self.followers = [LogFollower(*read_log_option(text), folding, spool) for text in logs]

    @property
    def address(self) -> str:
        """Where the collector listens; "" without one."""
        return self.collector.address if self.collector is not None else ""

    async def start(self) -> None:
        """Lets the collector listen.

        Raises UserError.
        """
        if self.collector is not None:
            await self.collector.start()
            log.info("collector listens", extra={"address": self.collector.address})

    async def follow_always(self) -> None:
        """Follows the logs, for ever; one that fails is told and begun again where it was."""
        await asyncio.gather(*(self._follow(follower) for follower in self.followers), asyncio.Event().wait())

    async def close(self) -> None:
        """Stops the collector and reads what it received."""
        if self.collector is not None:
            await self.collector.close()

    async def _follow(self, follower: LogFollower) -> None:
        log.info("log followed", extra={"log": str(follower.path)})
        while True:
            try:
                await follower.follow_always()
            except Exception as error:  # noqa: BLE001 - a mistake in one source must not end the node
                log.error("a log is given up for a while", extra=place_of(error))  # noqa: TRY400 - no secret
                await asyncio.sleep(AGAIN_SECONDS)
