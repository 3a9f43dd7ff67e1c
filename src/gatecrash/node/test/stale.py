"""Generations of runs that are over, of which an order may still be on its way."""

import asyncio
from collections.abc import Container

from gatecrash.wire.session import RunOrder

STALE_SECONDS = 5.0


class Stale:
    """Generations of runs that the control plane said are over: not taken up again for a while, however late an order is."""

    def __init__(self) -> None:
        self._until: dict[str, tuple[int, float]] = {}

    def note(self, run_id: str, generation: int) -> None:
        """Remember that a generation is over."""
        self._until[run_id] = (generation, asyncio.get_running_loop().time() + STALE_SECONDS)

    def holds(self, order: RunOrder) -> bool:
        """Whether the order is of a generation that is over."""
        generation, until = self._until.get(order.run_id, (-1, 0.0))
        return order.generation <= generation and asyncio.get_running_loop().time() < until

    def keep(self, run_ids: Container[str]) -> None:
        """Forget all other runs."""
        self._until = {run_id: stale for run_id, stale in self._until.items() if run_id in run_ids}
