"""Turns observed exchanges into counts, and brings the counts to the control plane: folded, spooled, sent, dropped.

Only names, places, types and numbers get into a batch (decisions 5); values stay in this process.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from gatecrash.core.auth.recogniser import Recogniser, compile_recogniser
from gatecrash.core.auth.sessions import LearnedCookie
from gatecrash.core.errors import InvalidPoint, ProtocolMismatch
from gatecrash.core.inventory.documents import DocumentPaths, HostTemplate
from gatecrash.core.inventory.learned import Learned
from gatecrash.core.inventory.waiting import KeptFolder, decode, encode
from gatecrash.core.point import Point
from gatecrash.node.journal import place_of
from gatecrash.node.observe.mirrored import reader_for
from gatecrash.node.observe.observations import Observation
from gatecrash.node.observe.rows import batches_of, gathered
from gatecrash.node.session import Session
from gatecrash.node.spool import Spool
from gatecrash.node.uplink import COUNTS, Pauses, Rejected, Unreachable, Uplink
from gatecrash.wire.counts import Added, Counts
from gatecrash.wire.session import MOST_LEARNED_TOLD, Config

log = logging.getLogger(__name__)

BATCH_SECONDS = 1.0
WAITING = "waiting/"

_Decisions = tuple[tuple[HostTemplate, ...], tuple[HostTemplate, ...], tuple[DocumentPaths, ...]]


class Folding:
    """The node's counts. recogniser: compiled from the client's present configuration. reader: of heads, for its needs."""

    def __init__(self, spool: Spool) -> None:
        self.config_version = -1
        self.recogniser: Recogniser = compile_recogniser()
        self._parameters: tuple[tuple[str, ...], ...] = ()
        self._decisions: _Decisions = ((), (), ())
        self._folder = KeptFolder(self.recogniser)
        self.reader = reader_for(self._folder.asks_for)
        self._spool = spool
        self._refill()
        self._written = asyncio.Event()
        self._positions: dict[str, bytes] = {}

    @property
    def learned(self) -> Learned:
        """The recogniser with what this node's traffic taught of sessions: what detection knows drives the tests."""
        return Learned(self.recogniser, self._folder.sessions)

    @property
    def taught(self) -> tuple[tuple[tuple[str, ...], ...], tuple[LearnedCookie, ...]]:
        """What `learned` is made of: the client's parameters, and what is known of session cookies."""
        return self._parameters, self._folder.sessions.snapshot()

    def configure(self, config: Config) -> None:
        """Applies the client's parameters, marker keys and templates, and the nodes' sessions, for traffic from now on."""
        # A configuration comes anew with every session that some node learned, and compiling forgets what was judged.
        if config.parameters != self._parameters:
            self._parameters = config.parameters
            self.recogniser = compile_recogniser(points_of(config.parameters))
            self._folder.recogniser = self.recogniser
            self.reader = reader_for(self._folder.asks_for)
        decisions = (config.pins, config.splits, config.documents)
        if decisions != self._decisions:
            self._decisions = decisions
            self._folder.decide(*decisions)
        self._folder.marker_keys = dict(config.marker_keys)
        self._folder.sessions.adopt(config.sessions)
        self.config_version = config.version

    def news(self) -> tuple[LearnedCookie, ...]:
        """What this node learned of sessions since it was told: for the next heartbeat."""
        return self._folder.sessions.news(MOST_LEARNED_TOLD)

    def told(self, learned: Iterable[LearnedCookie]) -> None:
        """The control plane has heard these."""
        self._folder.sessions.told(learned)

    def add(self, observations: Iterable[Observation]) -> None:
        """Counts what was observed; an exchange that breaks the folding is told and costs itself only."""
        for observation in observations:
            try:
                self._folder.add(observation.exchange)
            except Exception as error:  # noqa: BLE001 - one odd request must not end the node
                log.error("exchange not counted", extra=place_of(error))  # noqa: TRY400 - its text could quote a secret

    def add_logged(self, observations: Iterable[Observation], name: str, position: bytes) -> None:
        """Counts what a log holds up to this position, which is kept under the name together with the counts."""
        self.add(observations)
        self._positions[name] = position

    async def write(self, *, ended: bool = True) -> None:
        """Brings what was counted since the last time into the spool; ended: handshakes under way are not waited for."""
        batches = batches_of(self._folder.take(ended=ended))
        kept: dict[str, bytes | None] = {**self._positions}
        self._positions = {}
        # In one transaction: what was released no longer waits, or a kill would count it twice.
        kept |= {WAITING + name: encode(paths) if paths else None for name, paths in self._folder.changes().items()}
        try:
            if batches or kept:
                await self._spool.run(lambda: self._add(batches, kept))
        except sqlite3.Error as error:
            self._folder.touch()
            lost = sum(endpoint.requests for batch in batches for endpoint in batch.endpoints)
            log.error("counts lost: the spool cannot be written", extra={"why": str(error), "requests": lost})  # noqa: TRY400 - told
        self._written.set()

    def _add(self, batches: Iterable[Counts], kept: Mapping[str, bytes | None]) -> None:
        self._spool.add_counts(*batches, keep=kept)
        self._spool.gather(gathered)

    def _refill(self) -> None:
        """What waited in the process before waits on."""
        for name, data in self._spool.kept_under(WAITING).items():
            try:
                self._folder.refill(decode(data))
            except (msgspec.MsgspecError, ValueError) as error:
                log.warning("waiting counts not understood", extra={"row": name, "why": type(error).__name__})

    async def write_always(self) -> None:
        """Writes every second, for ever."""
        while True:
            await asyncio.sleep(BATCH_SECONDS)
            await self.write(ended=False)

    async def send_always(self, uplink: Uplink, session: Session) -> None:
        """Sends what waits in the spool, for ever."""
        while True:
            self._written.clear()
            await self.send(uplink, session)
            await self._written.wait()

    async def send(self, uplink: Uplink, session: Session) -> None:
        """Sends until nothing waits."""
        pauses = Pauses()
        while batches := await self._spool.run(lambda: self._spool.counts(20)):
            try:
                for batch in batches:
                    await self._send_one(uplink, session, batch)
            except (Unreachable, Rejected, ProtocolMismatch) as error:
                # Nothing is dropped that was not acknowledged: a refusal may be ours (an old session) or a mistake there.
                pause = pauses.next(getattr(error, "retry_after", None))
                log.warning("counts not taken", extra={"why": str(error), "again_in": pause})
                await asyncio.sleep(pause)
            else:
                pauses = Pauses()

    async def _send_one(self, uplink: Uplink, session: Session, batch: Counts) -> None:
        welcome = await session.welcome()
        message = Counts(welcome.node_id, welcome.session, batch.spool, batch.sequence, batch.endpoints)
        added = await uplink.call(COUNTS, message, Added)
        if added.late:
            log.warning("counts outside the window", extra={"rows": added.late})
        await self._spool.run(lambda: self._spool.drop_counts(batch.sequence))


def points_of(parameters: Iterable[tuple[str, ...]]) -> Iterator[Point]:
    """The custom parameters; one that this node does not understand is told and left out."""
    for steps in parameters:
        try:
            yield Point.parse(steps)
        except InvalidPoint as error:
            log.error("custom parameter not understood", extra={"point": list(steps), "why": str(error)})  # noqa: TRY400
