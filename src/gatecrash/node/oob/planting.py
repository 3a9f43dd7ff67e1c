"""One run's side of the listener: addresses for its dialogues, hits for its answers, and how long it still listens."""

import asyncio
import time
from typing import Protocol

from gatecrash.core.message import Exchange
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check
from gatecrash.core.testing.out_of_band import Hit, Listening, OutOfBand, addresses, proven
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.verdict import Outcome, Verdict
from gatecrash.node.oob.lures import Lures
from gatecrash.wire.session import RunOrder


class Listens(Protocol):
    """A listener, in this process or in the node's main one. grace: seconds for which a run stays for late hits."""

    @property
    def listening(self) -> Listening:
        """Where targets reach it."""
        ...

    @property
    def grace(self) -> float: ...

    @property
    def lures(self) -> Lures: ...


class Planting:
    """The lures of one run under one generation."""

    def __init__(self, listener: Listens, order: RunOrder) -> None:
        self._listener = listener
        self._order = order
        # Names by baseline, probe and point of their dialogue.
        self._open: dict[tuple[str, str, Point], dict[str, None]] = {}
        # When the last lure of a dialogue was sent that nobody came for, by baseline.
        self._unanswered: dict[str, float] = {}

    def addresses(self, check: Check, baseline: Baseline) -> OutOfBand | None:
        """The addresses of a dialogue; None where the target cannot reach the listener, or the run has no key."""
        listening = self._listener.listening
        if not self._order.marker_key or not listening.reaches(baseline.request.host):
            return None
        key = self._order.marker_key
        return addresses(listening, key, self._order.run_id, baseline.id, check.point, _told(check))

    def plant(self, check: Check, baseline_id: str, asked: TestRequest) -> None:
        """The request is about to be sent."""
        for lure in asked.lures:
            self._listener.lures.plant(
                lure, self._order.run_id, self._order.generation, baseline_id, Exchange(asked.request)
            )
            self._open.setdefault((baseline_id, _told(check), check.point), {})[lure.name] = None

    async def hits(self, asked: TestRequest, exchange: Exchange) -> tuple[Hit, ...]:
        """Who came for the request's lures; waited for as long as it wants, or until one of them is fetched."""
        lures, names = self._listener.lures, [lure.name for lure in asked.lures]
        for name in names:
            lures.answered(name, exchange)
        waiting = [asyncio.ensure_future(lures.wait(name, asked.patience)) for name in names]
        try:
            # Each ends by a fetch, or all at once by the time.
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
        return tuple(hit for name in names for hit in lures.hits(name))

    def conclude(self, check: Check, baseline_id: str, verdict: Verdict) -> Verdict:
        """The dialogue is over: its verdict, or that of a hit which came too late for its answer."""
        names = self._open.pop((baseline_id, _told(check), check.point), {})
        for name in names:
            decided = verdict.outcome is Outcome.VULNERABLE
            came = self._listener.lures.close(name, decided=decided)
            if came is not None:
                planted, hit = came
                verdict = proven(planted.lure, hit, planted.exchange)
        if names and verdict.outcome is not Outcome.VULNERABLE:
            self._unanswered[baseline_id] = time.time()
        return verdict

    def break_off(self, check: Check, baseline_id: str) -> None:
        """The dialogue ended without a verdict, if it has not concluded: who came for it is told late."""
        for name in self._open.pop((baseline_id, _told(check), check.point), {}):
            came = self._listener.lures.close(name, decided=False)
            if came is not None:
                self._listener.lures.tell_late(*came)

    def grace(self, baseline_id: str) -> float:
        """For how many seconds a baseline's payloads may still be answered; asked once, at the end of its checks."""
        since = self._unanswered.pop(baseline_id, None)
        return max(0.0, since + self._listener.grace - time.time()) if since is not None else 0.0


def _told(check: Check) -> str:
    """What tells a dialogue from the others at its point: two probes of one type must not share an address."""
    return f"{check.probe.type} {check.probe.name}".strip()
