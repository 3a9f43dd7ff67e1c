"""The proxy of a node in several processes: a Tap's place in the main process, which counts and records what they saw.

    client ⇄ process 1 ⇄ application        ╮
    client ⇄ process 2 ⇄ application        ╰→ observations → the main process

Each listens on a socket of its own at the same address, and the kernel deals new connections out between them. One that
dies is replaced; connections that wait on its socket, which the main process holds too, are the next one's.
"""

import asyncio
import itertools
import logging
import socket

from gatecrash.core.errors import UserError
from gatecrash.node.children import Channel, exit_code, keep_one, start_child
from gatecrash.node.observe.observations import Observation, Observations
from gatecrash.node.observe.proxy_messages import Begin, End, Inside, Listening, Seen, reports
from gatecrash.node.observe.tap import BACKLOG, TapSettings, address_of, cannot_listen, check_listening

log = logging.getLogger(__name__)

MODULE = "gatecrash.node.observe.proxy_process"
START_SECONDS = 30.0
END_SECONDS = 5.0
SETTINGS_REFUSED = 2
"""What a process exits with that will never start."""

_Child = tuple[asyncio.subprocess.Process, Channel[Listening | Seen]]


class ProxyProcesses:
    """The same words as a Tap's. processes: how many. inside: None tunnels every CONNECT blindly."""

    def __init__(
        self,
        settings: TapSettings,
        observations: Observations,
        processes: int,
        inside: Inside | None = None,
        module: str = MODULE,
    ) -> None:
        check_listening(settings)
        self.observations = observations
        self._settings = settings
        self._processes = processes
        self._inside = inside
        self._module = module
        self._sockets: list[socket.socket] = []
        self._names = itertools.count(1)
        self._channels: set[Channel[Listening | Seen]] = set()
        self._listening = 0
        self._failed = False
        self._changed = asyncio.Event()
        self._ending = asyncio.Event()
        self._keeping: list[asyncio.Task[None]] = []

    @property
    def address(self) -> str:
        """Where it listens, as `host:port`."""
        return address_of(self._sockets[0])

    @property
    def port(self) -> int:
        """The bound port."""
        return int(self.address.rpartition(":")[2])

    async def start(self) -> None:
        """Returns when all processes listen. Raises UserError where the address cannot be bound or none can start."""
        try:
            self._sockets = _listening_at(self._settings, self._processes)
        except OSError as error:
            raise cannot_listen(self._settings, error) from error
        self._keeping = [asyncio.ensure_future(self._keep(each)) for each in self._sockets]
        try:
            async with asyncio.timeout(START_SECONDS):
                while self._listening < self._processes and not self._failed:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            self._failed = True
        if self._failed:
            await self.close()
            raise UserError("The proxy's processes did not start; the log says why.")

    async def close(self) -> None:
        """Stops listening, drops the connections, and takes what the processes have still to tell."""
        self._ending.set()
        for channel in self._channels:
            channel.post(End())
        await asyncio.gather(*self._keeping)
        for each in self._sockets:
            each.close()

    async def _keep(self, listening: socket.socket) -> None:
        await keep_one(lambda: start_child(self._module, reports, listening.fileno()), self._attend, self._ending)

    async def _attend(self, child: _Child) -> None:
        """Hears one process until it is gone."""
        process, channel = child
        self._channels.add(channel)
        channel.post(Begin(f"tap{next(self._names)}", self._settings, self._inside))
        if self._ending.is_set():
            channel.post(End())
        ending = asyncio.ensure_future(self._end_in_time(process))
        dropped = 0
        async for letter in channel.letters():
            if isinstance(letter, Seen):
                self._take(letter.observations, letter.dropped - dropped)
                dropped = letter.dropped
            else:
                self._listening += 1
                self._changed.set()
        ending.cancel()
        self._channels.discard(channel)
        await channel.close()
        code = await exit_code(process)
        if code == SETTINGS_REFUSED:
            self._failed = True
            self._changed.set()
        if not self._ending.is_set():
            log.error("a proxying process ended; it is replaced", extra={"code": code})

    async def _end_in_time(self, process: asyncio.subprocess.Process) -> None:
        """Kills a process that was told to end and does not."""
        await self._ending.wait()
        await exit_code(process, END_SECONDS)

    def _take(self, observations: tuple[Observation, ...], dropped: int) -> None:
        """Hands on what fits into the budget of this process; the rest is dropped and counted."""
        self.observations.dropped += dropped
        for observation in observations:
            if self.observations.reserve(observation.size):
                self.observations.put(observation)
            else:
                self.observations.dropped += 1


def _listening_at(settings: TapSettings, count: int) -> list[socket.socket]:
    """Sockets at one address, connections dealt out between them. Raises OSError."""
    family, kind, number, _, address = socket.getaddrinfo(
        settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    # Alone first: sockets that share an address would also share it with another node's.
    with _bound(family, kind, number, address, shared=False) as alone:
        address = alone.getsockname()
    made: list[socket.socket] = []
    try:
        for _ in range(count):
            made.append(_bound(family, kind, number, address, shared=True))
            made[-1].listen(BACKLOG)
    except OSError:
        for each in made:
            each.close()
        raise
    return made


def _bound(
    family: socket.AddressFamily, kind: socket.SocketKind, number: int, address: tuple[object, ...], *, shared: bool
) -> socket.socket:
    made = socket.socket(family, kind, number)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made
