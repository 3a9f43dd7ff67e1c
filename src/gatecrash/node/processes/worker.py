"""One testing process as the main process sees it: started, spoken to, ended."""

import asyncio
from contextlib import suppress

from gatecrash.node.children import exit_code, start_child
from gatecrash.node.processes.messages import Channel, Met, decoder
from gatecrash.wire.session import RunProgress

Lease = tuple[str, int]
"""A run and the generation of its lease."""


class Worker:
    """The process of one lane. far: its last word on each run.

    held: the baselines that it tests or tells of, by run and generation. ready: those that it has at hand. parts: which
    part of each of both it has.
    """

    def __init__(self, lane: int, process: asyncio.subprocess.Process, channel: Channel) -> None:
        self.lane = lane
        self.process = process
        self.channel = channel
        self.held: dict[Lease, set[str]] = {}
        self.ready: dict[Lease, set[str]] = {}
        self.parts: dict[Lease, dict[str, int]] = {}
        self.far: dict[str, RunProgress] = {}

    async def ended(self) -> int:
        """Its exit code, when it is gone; it is not waited for long."""
        await self.channel.close()
        return await exit_code(self.process)

    def kill(self) -> None:
        """End it now."""
        with suppress(ProcessLookupError):
            self.process.kill()


async def started(lane: int) -> Worker:
    """A new process for the lane, at the other end of a socket pair, which ends with ours."""
    return Worker(lane, *await start_child("gatecrash.node.processes", decoder))


class Known:
    """The pages that each run knows, for a process that is started later. Bounded as core/testing/surroundings/pages.py bounds them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._met: dict[Lease, list[Met]] = {}

    def add(self, met: Met) -> None:
        """One more."""
        known = self._met.setdefault((met.run_id, met.generation), [])
        known.append(met)
        del known[: -self._most]

    def of(self, leases: set[Lease]) -> list[Met]:
        """Those of these runs; all others are forgotten."""
        self._met = {lease: met for lease, met in self._met.items() if lease in leases}
        return [one for met in self._met.values() for one in met]
