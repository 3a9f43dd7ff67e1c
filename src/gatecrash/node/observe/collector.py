"""The collector: where proxies mirror requests to, and gateways and SDKs send exchanges.

A mirrored request is answered with 204 as soon as its bytes are there, before anybody reads them: a proxy must not wait
for us. Only what tells where the next request starts is looked at. What was received is read afterwards, a few at a
time. Nothing is known of the answers that the client got, so an endpoint appears with its 10th request.

    proxy → protocol (204) → raw heads, bounded → mirrored.py → observations
    gateway → protocol → exchange_call.py (200 with what was taken) → observations
"""

import asyncio
import hmac
import logging
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import msgspec

from gatecrash.core.auth.head_reader import HeadReader
from gatecrash.core.auth.memory import Memory
from gatecrash.core.errors import GatecrashError, UserError
from gatecrash.core.testing.selection.hosts import is_loopback_name
from gatecrash.node.observe.collector_side import Raw, Sender
from gatecrash.node.observe.mirrored import every_reader, read_mirrored
from gatecrash.node.observe.observations import Observation, Observations

log = logging.getLogger(__name__)

MAX_WAITING = 20_000
MAX_BYTES = 64 * 1024 * 1024
MAX_CONNECTIONS = 4096
SLICE = 100
IDLE_SECONDS = 120.0
UNFINISHED_SECONDS = 30.0
SWEEP_SECONDS = 5.0


class CollectorSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Where it listens (port 0: any free one). key: what senders must show in X-Gatecrash-Key; required off loopback."""

    host: str = "127.0.0.1"
    port: int = 8081
    key: str | None = None


class Collector:
    """Listens, and holds the senders' connections.

    dropped: mirrored requests that found too much waiting. unread: those that could not be read or counted.
    keyless: those without the key. All are told in the log, at most every few seconds.
    """

    def __init__(
        self, settings: CollectorSettings, observations: Observations, reader: Callable[[], HeadReader] = every_reader
    ) -> None:
        """reader: of heads; asked each time, since what is looked for changes with the configuration.

        Raises UserError where anybody on the network could send what they like.
        """
        if not settings.key and not is_loopback_name(settings.host):
            raise UserError(
                f"The collector would take traffic from anybody who reaches {settings.host}. Set "
                "GATECRASH_COLLECTOR_KEY, or give --collector-key-file, and let senders show it in X-Gatecrash-Key."
            )
        self.key = settings.key.encode() if settings.key else None
        self.observations = observations
        self.senders: set[Sender] = set()
        self.dropped = 0
        self.unread = 0
        self.keyless = 0
        self._settings = settings
        self._reader = reader
        self._server: asyncio.Server | None = None
        self._raw: deque[Raw] = deque()
        self._names: Memory[bool] = Memory()
        self._free = MAX_BYTES
        self._arrived = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._told = (0, 0, 0)

    @property
    def port(self) -> int:
        """The bound port."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def address(self) -> str:
        """`host:port` as bound."""
        host = f"[{self._settings.host}]" if ":" in self._settings.host else self._settings.host
        return f"{host}:{self.port}"

    async def start(self) -> None:
        """Listens. Raises UserError where it cannot."""
        settings = self._settings
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: Sender(self), settings.host, settings.port, backlog=1024)
        except OSError as error:
            raise UserError(
                f"The collector cannot listen on {settings.host}:{settings.port}: {error.strerror or error}. "
                "Choose another --collector-listen (--collector-port with `gatecrash up`)."
            ) from error
        self._tasks = [asyncio.ensure_future(self._read_always()), asyncio.ensure_future(self._sweep_always())]

    async def close(self) -> None:
        """Stops listening, hangs up, and reads what was received."""
        if self._server is not None:
            self._server.close()
        for sender in list(self.senders):
            sender.hang_up()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while self._raw:
            self._read_some()
        self._tell()

    def may_connect(self) -> bool:
        """Whether one more sender fits."""
        return len(self.senders) < MAX_CONNECTIONS

    def mirrored(self, raw: Raw) -> None:
        """Takes a request that was answered, to be read later."""
        size = len(raw.head) + len(raw.body)
        if len(self._raw) >= MAX_WAITING or size > self._free:
            self.dropped += 1
            return
        self._free -= size
        self._raw.append(raw)
        if not self._arrived.is_set():
            self._arrived.set()

    async def _read_always(self) -> None:
        while True:
            await self._arrived.wait()
            self._read_some()
            if not self._raw:
                self._arrived.clear()
            # Those who wait for a 204 come first.
            await asyncio.sleep(0)

    def _read_some(self) -> None:
        """Reads a few of what waits; what cannot be read costs itself only."""
        for _ in range(min(SLICE, len(self._raw))):
            raw = self._raw.popleft()
            self._free += len(raw.head) + len(raw.body)
            try:
                self._read(raw)
            except (GatecrashError, ValueError):
                self.unread += 1

    def _read(self, raw: Raw) -> None:
        exchange, key, name = read_mirrored(self._reader(), raw.head, raw.body, raw.received)
        if self.key is not None and not hmac.compare_digest(key, self.key):
            self.keyless += 1
            return
        if name and self._is_repeated(name):
            return
        size = len(raw.head) + len(raw.body)
        if not self.observations.reserve(size):
            self.dropped += 1
            return
        self.observations.put(Observation(exchange, whole=False, size=size))

    def _is_repeated(self, name: bytes) -> bool:
        """Whether this request was mirrored before: nginx does so again at each internal redirect, as to an index file."""
        key = hash(name)
        if self._names.recall(key) is not None:
            return True
        self._names.remember(key, True)
        return False

    async def _sweep_always(self) -> None:
        """Hangs up on who is silent or never ends a request, and tells what was lost."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            for sender in list(self.senders):
                patience = UNFINISHED_SECONDS if sender.unfinished else IDLE_SECONDS
                if now - sender.since > patience:
                    sender.hang_up()
            self._tell()

    def _tell(self) -> None:
        counted = (self.dropped, self.unread, self.keyless)
        if counted != self._told:
            with suppress(ValueError):
                dropped, unread, keyless = (new - old for new, old in zip(counted, self._told, strict=True))
                log.warning("not counted", extra={"dropped": dropped, "unread": unread, "keyless": keyless})
            self._told = counted
