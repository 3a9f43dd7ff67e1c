"""The node as a whole: started, told what to do by its control plane, and ended in order.

tap → observations → folding → spool → uplink
↘ recorder ↗
orders → runner → sender, results → uplink
"""

import asyncio
import logging
import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from gatecrash import __version__
from gatecrash.core.errors import ProtocolMismatch, UserError
from gatecrash.node.explorers import Explorers
from gatecrash.node.observe.collector import CollectorSettings
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.sources import Sources
from gatecrash.node.oob.listener import Listener
from gatecrash.node.oob.lures import Lures
from gatecrash.node.oob.notebook import Notebook
from gatecrash.node.processes.crew import Crew
from gatecrash.node.proxy import make_proxy, split_listen
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.settings import NodeSettings
from gatecrash.node.spool import Spool
from gatecrash.node.tasks import until_one_ends
from gatecrash.node.test.connections.destinations import look_up
from gatecrash.node.test.pace.host_share import HostShare
from gatecrash.node.test.recorder import Recorder
from gatecrash.node.test.runner import Runner
from gatecrash.node.tester import make_explorers, make_tester
from gatecrash.node.uplink import HEARTBEAT, HELLO, Pauses, Rejected, Unreachable, Uplink
from gatecrash.wire import codec
from gatecrash.wire.session import Config, Heartbeat, Hello, Orders, RunOrder, RunProgress, Welcome

log = logging.getLogger(__name__)

FLUSH_SECONDS = 5.0
PARENT_SECONDS = 0.5
REFUSED_PAUSE = 15.0
STANDBY_PAUSE = 3.0
"""Between questions whether another start of this node, which took its place, is still there."""
CONFLICT = 409
BEAT_PATIENCE = 5.0
"""A heartbeat that hangs longer is given up, so that a service that comes back is heard soon."""

STANDING = "standing"


class Standing(msgspec.Struct, frozen=True, array_like=True):
    """What the control plane said last, kept on the disk: a restarted node goes by it until it is told anew."""

    config: Config
    runs: tuple[RunOrder, ...] = ()


async def run_node(settings: NodeSettings, on_listening: Callable[[str], None] | None = None) -> None:
    """Runs a node until it is cancelled or gets SIGTERM or SIGINT, then flushes and ends.

    on_listening: told the bound proxy address once it listens ("" without a proxy).
    Raises UserError where the settings cannot work: proxy address, spool, hosts, control plane's address or token.
    """
    spool = Spool(settings.spool_dir)
    try:
        agent = Agent(settings, spool)
        await agent.run(on_listening)
    finally:
        spool.close()


class Agent:
    """One node."""

    def __init__(self, settings: NodeSettings, spool: Spool) -> None:
        self._settings = settings
        self._spool = spool
        self._observations = Observations()
        self._proxy = make_proxy(settings, self._observations)
        self._uplink = Uplink(settings.api, settings.token, insecure=settings.insecure)
        self._session = Session()
        self._lifeline = Lifeline()
        self._folding = Folding(spool)
        self._sources = Sources(
            self._observations, self._folding, spool, collector=collector_of(settings), logs=settings.follow_logs
        )
        self._recorder = Recorder(spool, lambda run_id: self._runner.wake(run_id))
        self._runner: Runner | Crew
        self._explorers: Explorers
        self._listener: Listener | None = None
        self._share = HostShare(settings.rps_per_host)
        self._orders: tuple[RunOrder, ...] = ()
        self._marker_keys: Mapping[str, bytes] = {}
        self._last_words: tuple[RunProgress, ...] = ()
        self._dropped = 0
        self._welcomed = False
        self._config = Config(-1)
        self._standing = Standing(self._config)
        self._orphaned = False
        self._stop = asyncio.Event()

    async def run(self, on_listening: Callable[[str], None] | None) -> None:
        """Starts everything, waits for the end, and ends in order."""
        self._catch_signals()
        await self._resume()
        address = await self._listen()
        await self._start_listener()
        way = (self._uplink, self._session, self._lifeline)
        own = await self._own_addresses(address)
        self._runner = make_tester(self._settings, way, self._folding, self._listener, own)
        self._explorers = make_explorers(self._settings, way, self._runner, own)
        if not self._settings.allowed_hosts:
            log.warning("ALLOWED_HOSTS is not set: only loopback hosts will be tested")
        if on_listening is not None:
            on_listening(address)
        try:
            await self._work(address)
        finally:
            await self._end()

    async def _work(self, address: str) -> None:
        """The tasks of a node, until told to stop or one of them breaks."""
        await until_one_ends(
            self._heartbeats(address),
            self._observe(),
            self._sources.follow_always(),
            self._folding.write_always(),
            self._folding.send_always(self._uplink, self._session),
            self._recorder.send_always(self._uplink, self._session),
            self._runner.outbox.send_always(self._uplink, self._session),
            self._stop.wait(),
            self._watch_parent(),
        )

    async def _end(self) -> None:
        """Stops the traffic, then brings what is known to the disk and, in a short time, to the control plane."""
        if self._proxy is not None:
            await self._proxy.close()
        await self._sources.close()
        await self._explorers.close()
        await self._runner.close()
        if self._listener is not None:
            await self._listener.close()
        await self._take(self._observations.take_now(most=10**9))
        await self._folding.write()
        if self._lifeline.alive and not self._orphaned:
            await _for_a_while(self._send_all())
        else:
            log.warning("ended while the control plane was not heard; what waits stays in the spool")
        await self._uplink.close()
        log.info("node ended")

    async def _send_all(self) -> None:
        """Findings first: they are the only ones that no disk holds."""
        await self._runner.outbox.send(self._uplink, self._session)
        await self._recorder.send(self._uplink, self._session)
        await self._folding.send(self._uplink, self._session)

    async def _heartbeats(self, address: str) -> None:
        """Says hello, then asks for orders again and again; hello once more where the session is over."""
        welcome = await self._hello(address)
        while True:
            try:
                beat = self._heartbeat(welcome)
                await self._obey(await self._uplink.call(HEARTBEAT, beat, Orders, BEAT_PATIENCE))
                self._folding.told(beat.learned)
            except Unreachable as error:
                log.warning("heartbeat not answered", extra={"why": str(error)})
                await asyncio.sleep(min(error.retry_after or 0.0, 5.0))
            except ProtocolMismatch as error:
                log.error("orders not understood", extra={"why": str(error)})  # noqa: TRY400 - the text says it
            except Rejected as error:
                log.warning("session over", extra={"why": str(error)})
                self._session.end()
                # Another start may be testing these runs already: both together would send more than the limits allow.
                self._runner.obey(())
                self._explorers.wait()
                await asyncio.sleep(random.uniform(1, 3))  # noqa: S311 - jitter
                welcome = await self._hello(address, again=True)
                continue
            pause = welcome.running_heartbeat_seconds if self._orders else welcome.heartbeat_seconds
            await asyncio.sleep(pause * (0.9 + random.random() / 5))  # noqa: S311 - jitter

    async def _hello(self, address: str, *, again: bool = False) -> Welcome:
        """Registers; raises UserError where the token is refused at the first hello."""
        settings = self._settings
        message = Hello(
            settings.name,
            settings.kind,
            __version__,
            self._spool.name,
            settings.build_id,
            settings.workers,
            address,
            settings.processes,
            again,
        )
        pauses = Pauses()
        standing_by = False
        while True:
            try:
                welcome = await self._uplink.call(HELLO, message, Welcome)
                break
            except Rejected as error:
                if error.status in (401, 403) and not self._welcomed:
                    raise UserError(f"{error} Give the node a valid token of role node.") from error
                if error.status == CONFLICT:
                    if not standing_by:  # it may last for days, and nothing is wrong
                        log.info("standing by", extra={"why": str(error), "asks_every": STANDBY_PAUSE})
                    standing_by = True
                    await asyncio.sleep(STANDBY_PAUSE)
                    continue
                log.error("hello refused", extra={"why": str(error), "again_in": REFUSED_PAUSE})  # noqa: TRY400
                await asyncio.sleep(REFUSED_PAUSE)
            except (Unreachable, ProtocolMismatch) as error:
                pause = pauses.next(getattr(error, "retry_after", None))
                log.warning("hello not answered", extra={"why": str(error), "again_in": pause})
                await asyncio.sleep(pause)
        self._welcomed = True
        self._session.set(welcome)
        self._apply(welcome.config)
        log.info("welcome", extra={"node": welcome.node_id, "config": welcome.config.version})
        return welcome

    def _heartbeat(self, welcome: Welcome) -> Heartbeat:
        progress = (*map(self._progress, self._orders), *self._last_words)
        version, news = self._folding.config_version, self._folding.news()
        held = self._share.held(asyncio.get_running_loop().time())
        return Heartbeat(welcome.node_id, welcome.session, time.time(), version, progress, news, held)

    def _progress(self, order: RunOrder) -> RunProgress:
        recording = self._recorder.is_recording(order.run_id)
        progress = self._runner.progress(order, recording=recording, unsent=self._spool.waiting(order.run_id))
        return self._explorers.told(progress)

    async def _resume(self) -> None:
        """Counts and records by what the last start was told, so that a restart misses no request of a recording."""
        data = await self._spool.run(lambda: self._spool.kept(STANDING))
        if data is None:
            return
        try:
            self._standing = codec.decode(data, Standing)
        except ProtocolMismatch as error:
            log.warning("last orders not understood", extra={"why": str(error)})
            return
        self._apply(self._standing.config)
        self._orders = self._standing.runs
        self._recorder.resume(self._standing.runs, self._keys_of(self._standing.runs))

    def _apply(self, config: Config) -> None:
        self._folding.configure(config)
        self._marker_keys = dict(config.marker_keys)
        self._config = config

    def _keys_of(self, runs: tuple[RunOrder, ...]) -> Mapping[str, bytes]:
        return {**self._marker_keys, **{order.run_id: order.marker_key for order in runs if order.marker_key}}

    async def _stand(self, runs: tuple[RunOrder, ...]) -> None:
        """Keeps configuration and recordings for the next start, where they are others than before."""
        standing = Standing(self._config, tuple(order for order in runs if order.recording))
        if standing == self._standing:
            return
        data = codec.encode(standing)
        try:
            await self._spool.run(lambda: self._spool.keep(STANDING, data))
        except sqlite3.Error as error:
            log.error("orders not kept: the spool cannot be written", extra={"why": str(error)})  # noqa: TRY400 - told
            return
        self._standing = standing

    async def _obey(self, orders: Orders) -> None:
        """Makes everything as ordered."""
        self._lifeline.heard(asyncio.get_running_loop().time())
        if orders.config is not None:
            self._apply(orders.config)
        # A run that is no longer ordered is reported once more: its last numbers still count.
        wanted = {order.run_id for order in orders.runs}
        gone = [order for order in self._orders if order.run_id not in wanted]
        self._last_words = tuple(msgspec.structs.replace(self._progress(order), recording=False) for order in gone)
        self._orders = orders.runs
        now, sending = asyncio.get_running_loop().time(), any(order.sending for order in orders.runs)
        self._share.tell(orders.rps_per_host, now, sending=sending)
        self._runner.limit_hosts(self._share.limit)
        self._explorers.limit_hosts(self._share.limit)
        self._runner.obey(order for order in orders.runs if order.start is None)
        self._explorers.obey(orders.runs)
        await self._stand(orders.runs)
        self._recorder.obey(orders.runs, self._keys_of(orders.runs))
        await self._recorder.settle()

    async def _observe(self) -> None:
        """Counts and records what the tap saw."""
        while True:
            await self._take(await self._observations.take())
            if self._observations.dropped > self._dropped:
                log.error("observations dropped", extra={"count": self._observations.dropped - self._dropped})
                self._dropped = self._observations.dropped

    async def _take(self, observations: list[Any]) -> None:
        if observations:
            self._folding.add(observations)
            await self._recorder.take(observations)

    async def _listen(self) -> str:
        """Starts the collector and the proxy; returns the proxy's address, "" without one."""
        await self._sources.start()
        if self._proxy is None:
            return ""
        await self._proxy.start()
        log.info("proxy listens", extra={"address": self._proxy.address})
        if self._settings.address_file is not None:
            self._settings.address_file.write_text(self._proxy.address + "\n")
        return self._proxy.address

    async def _start_listener(self) -> None:
        """Starts the out-of-band listener. Raises UserError where it cannot have its address."""
        if self._settings.oob is not None:
            notebook = Notebook(self._settings.spool_dir, self._spool.name)
            lures = Lures(lambda *told: self._runner.outbox.put(*told), notebook)
            self._listener = Listener(self._settings.oob, lures)
            await self._listener.start()

    async def _own_addresses(self, proxy: str) -> list[tuple[str, int]]:
        """Where the service itself listens: no test goes there."""
        listener = self._listener.address if self._listener else ""
        own = [split_listen(address) for address in (proxy, self._sources.address, listener) if address]
        url = self._uplink.url
        port = url.port or (443 if url.scheme == "https" else 80)
        with suppress(OSError):
            own += [(address.partition("%")[0], port) for address in await look_up(url.host, port)]
        return own

    async def _watch_parent(self) -> None:
        """Ends when the parent is gone, if it was told to; else never."""
        parent = os.getppid()
        while not self._settings.end_with_parent or os.getppid() == parent:  # noqa: ASYNC110 - nobody could set an event
            await asyncio.sleep(PARENT_SECONDS)
        log.warning("the process that started this node is gone")
        self._orphaned = True

    def _catch_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for each in (signal.SIGTERM, signal.SIGINT):
            # Only the main thread may; a node inside another program is ended by cancelling it.
            with suppress(ValueError, RuntimeError, NotImplementedError):
                loop.add_signal_handler(each, self._stop.set)


def collector_of(settings: NodeSettings) -> CollectorSettings | None:
    """The collector that the settings ask for. Raises UserError."""
    if not settings.collector_listen:
        return None
    host, port = split_listen(settings.collector_listen)
    return CollectorSettings(host=host, port=port, key=settings.collector_key)


async def _for_a_while(work: Coroutine[Any, Any, None]) -> None:
    """Lets the work go on for a short time; what it does not reach waits on the disk."""
    try:
        async with asyncio.timeout(FLUSH_SECONDS):
            await work
    except TimeoutError:
        log.warning("not all could be sent before the end; it stays in the spool")
