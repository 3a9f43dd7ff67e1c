"""Baselines that write at the same address lead their dialogues in turn, or none would find what it left there."""

import asyncio
from collections import defaultdict
from contextlib import AbstractAsyncContextManager, nullcontext

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.overwriting import MOST_WRITERS, Address, written_at

_NOBODY = nullcontext()
"""The turn of whoever is in nobody's way."""


class Writers:
    """Those of one run, as far as this process knows them."""

    def __init__(self) -> None:
        """Nobody is known."""
        self._bodies: defaultdict[Address, set[bytes]] = defaultdict(set)
        self._locks: defaultdict[Address, asyncio.Lock] = defaultdict(asyncio.Lock)

    def meet(self, request: Request) -> None:
        """One more request that the run will test."""
        address = written_at(request)
        if address is not None and len(known := self._bodies[address]) <= MOST_WRITERS:
            known.add(request.body)

    def turn(self, request: Request) -> AbstractAsyncContextManager[None]:
        """While it lasts, no other baseline writes at this request's address. Whoever asked first is first."""
        address = written_at(request)
        if address is None or len(self._bodies[address]) > MOST_WRITERS:
            return _NOBODY
        return self._locks[address]
