"""The payloads that are out, who came for them, and who is told: the dialogue while it lasts, later the run.

A payload is known before it is sent, so no target is too fast for it. While its dialogue lasts, hits go into the answers.
Afterwards each is a late finding of its own, which needs nothing but the lure and the exchange.
"""

import asyncio
import logging
import time
from collections.abc import Callable

import msgspec

from gatecrash.core.message import Exchange
from gatecrash.core.testing.out_of_band import Hit, Lure, came, content_at, proven, strongest
from gatecrash.node.oob.notebook import Notebook, Planted
from gatecrash.wire.work import Result

log = logging.getLogger(__name__)

SETTLE_SECONDS = 1.0
"""So long a look-up waits for the fetch that follows it, which proves more."""

MOST_HITS = 20
PRUNE_EVERY = 1000
MOST_UNNOTED = 1000
"""So many closed lures a node keeps in memory where its disk is full; the oldest go."""

Tell = Callable[[str, int, Result], None]
"""Run, generation, and the late finding."""


class _Open(msgspec.Struct):
    """A lure whose dialogue goes on. noted: a restart finds it again."""

    planted: Planted
    hits: list[Hit]
    came: asyncio.Event
    noted: bool = False


class Lures:
    """All lures of a node. tell: gets late findings. notebook: keeps them over a restart; without one they live in memory."""

    def __init__(self, tell: Tell, notebook: Notebook | None = None) -> None:
        self._tell = tell
        self.notebook = notebook
        # Told of a hit for a dialogue that goes on: it may go on in another process.
        self.on_hit: Callable[[Hit], None] = lambda _: None
        self._open: dict[str, _Open] = {}
        self._closed: dict[str, Planted] = {}
        self._settling: dict[str, list[Hit]] = {}
        self._timers: set[asyncio.TimerHandle] = set()
        self._since_prune = 0
        if notebook is not None:
            notebook.prune(time.time())

    def plant(self, lure: Lure, run_id: str, generation: int, baseline_id: str, exchange: Exchange) -> None:
        """The lure is about to be sent; hits on it of an earlier start of the node count."""
        planted = Planted(
            lure=lure, run_id=run_id, generation=generation, baseline_id=baseline_id, exchange=exchange, at=time.time()
        )
        known = self._open.get(lure.name)
        earlier = known.hits if known else self.notebook.hits(lure.name) if self.notebook else []
        self._open[lure.name] = known = _Open(planted, earlier[:MOST_HITS], asyncio.Event())
        self._note(known)

    def answered(self, name: str, exchange: Exchange) -> None:
        """The request that it stood in was answered."""
        known = self._open[name]
        known.planted = msgspec.structs.replace(known.planted, exchange=exchange)
        self._note(known)

    async def wait(self, name: str, seconds: float) -> None:
        """Returns when somebody fetched what was meant at an open lure, or when the time is over."""
        known = self._open[name]
        try:
            async with asyncio.timeout(seconds):
                while not self._is_fetched(known):
                    known.came.clear()
                    await known.came.wait()
        except TimeoutError:
            pass

    def hits(self, name: str) -> tuple[Hit, ...]:
        """Who came for an open lure, in their order."""
        return tuple(self._open[name].hits)

    def close(self, name: str, *, decided: bool) -> tuple[Planted, Hit] | None:
        """The dialogue is over. decided: whatever comes now says nothing new. Else the lure and who came for it already."""
        known = self._open.pop(name)
        hit = strongest(known.planted.lure, known.hits)
        if decided or hit is not None:
            self._forget(name)
            return (known.planted, hit) if hit is not None and not decided else None
        if not known.noted:
            self._closed[name] = known.planted
            if self.notebook is not None and len(self._closed) > MOST_UNNOTED:
                self._closed.pop(next(iter(self._closed)))
        return None

    def tell_late(self, planted: Planted, hit: Hit) -> None:
        """A finding of its own, when no dialogue waits for it."""
        verdict = proven(planted.lure, hit, planted.exchange, late=max(0.0, hit.at - planted.at))
        result = Result(baseline_id=planted.baseline_id, final=False, verdicts=(verdict,))
        self._tell(planted.run_id, planted.generation, result)

    def hear(self, hit: Hit) -> str | None:
        """Somebody came: the content for him, None where the name is none of ours."""
        known = self._open.get(hit.name)
        planted = known.planted if known else self._closed.get(hit.name)
        if planted is None and self.notebook is not None:
            planted = self.notebook.planted(hit.name)
        if planted is None:
            return None
        log.info("out-of-band hit", extra={"run": planted.run_id, "protocol": hit.protocol, "from": hit.source})
        if known is None:
            self._hear_late(planted, hit)
        elif len(known.hits) < MOST_HITS:
            known.hits.append(hit)
            known.came.set()
            self.on_hit(hit)
            if self.notebook is not None:
                self.notebook.hear(hit)
        return content_at(hit.name)

    @property
    def awaits(self) -> bool:
        """Whether anybody may still come late; known only without a notebook, which knows those of earlier starts."""
        return bool(self._closed or self._settling)

    def stop(self) -> None:
        """Nothing is told any more; what settles now is told at once."""
        for timer in self._timers:
            timer.cancel()
        for name in list(self._settling):
            self._settled(name)
        if self.notebook is not None:
            self.notebook.close()

    def _is_fetched(self, known: _Open) -> bool:
        hit = strongest(known.planted.lure, known.hits)
        return hit is not None and came(hit)

    def _hear_late(self, planted: Planted, hit: Hit) -> None:
        if strongest(planted.lure, [hit]) is None:
            return
        waiting = self._settling.setdefault(hit.name, [])
        self._closed.setdefault(hit.name, planted)
        waiting.append(hit)
        if came(hit):
            self._settled(hit.name)
        elif len(waiting) == 1:
            self._timers.add(asyncio.get_running_loop().call_later(SETTLE_SECONDS, self._settled, hit.name))

    def _settled(self, name: str) -> None:
        hits = self._settling.pop(name, None)
        planted = self._closed.pop(name, None)
        hit = strongest(planted.lure, hits) if planted is not None and hits else None
        if planted is not None and hit is not None:
            self._forget(name)
            self.tell_late(planted, hit)

    def _forget(self, name: str) -> None:
        if self.notebook is not None:
            self.notebook.forget(name)

    def _note(self, known: _Open) -> None:
        if self.notebook is None:
            return
        known.noted = self.notebook.plant(known.planted)
        self._since_prune += 1
        if self._since_prune >= PRUNE_EVERY:
            self._since_prune = 0
            self.notebook.prune(time.time())
