"""Processes of our own that end with us: another module of this installation at the other end of a socket pair."""

import asyncio
import logging
import signal
import socket
import struct
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Generic, TypeVar

import msgspec
import uvloop

from gatecrash.core.errors import GatecrashError
from gatecrash.node import journal
from gatecrash.node.garbage import collect_seldom
from gatecrash.node.uplink import Pauses

log = logging.getLogger(__name__)

HEALTHY_SECONDS = 10.0
"""A process that lived so long is replaced at once, one that did not after a pause."""

END_SECONDS = 1.0

_LENGTH = struct.Struct("!I")
_encoder = msgspec.msgpack.Encoder()

Heard = TypeVar("Heard")
Child = TypeVar("Child")


class Channel(Generic[Heard]):
    """One end of the socket pair, and what is heard at it. Letters are tagged structs, each behind its length."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        decoder: "msgspec.msgpack.Decoder[Heard]",
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._decoder = decoder

    def post(self, letter: Any) -> None:
        """Send a letter; one to an end that is gone is lost, and who reads there learns that it is gone."""
        if self._writer.is_closing():
            return
        data = _encoder.encode(letter)
        self._writer.write(_LENGTH.pack(len(data)) + data)

    async def drain(self) -> None:
        """Returns when the other end has room for more, or is gone."""
        with suppress(OSError):
            await self._writer.drain()

    async def next(self) -> Heard | None:
        """The next that comes; None when the other end is gone."""
        try:
            (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            return self._decoder.decode(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, OSError, msgspec.MsgspecError):
            # A letter that is not understood comes from another installation; who is replaced is of this one.
            return None

    async def letters(self) -> AsyncIterator[Heard]:
        """What comes, until the other end is gone."""
        while (letter := await self.next()) is not None:
            yield letter

    async def close(self) -> None:
        """Let go of this end, when what was posted has left."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


async def channel_at(descriptor: int, decoder: "msgspec.msgpack.Decoder[Heard]") -> Channel[Heard]:
    """The channel of an end that was inherited."""
    return await _channel(socket.socket(fileno=descriptor), decoder)


async def start_child(
    module: str, decoder: "msgspec.msgpack.Decoder[Heard]", *more: int
) -> tuple[asyncio.subprocess.Process, Channel[Heard]]:
    """Starts `python -m module N …`, N the descriptor of its end; more: descriptors that it inherits besides.

    What it reads there ends when we do, by whatever signal.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        descriptors = (theirs.fileno(), *more)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module, *map(str, descriptors)),
            pass_fds=descriptors,
            stdin=asyncio.subprocess.DEVNULL,
        )
    return process, await _channel(ours, decoder)


def run_child(work: Coroutine[Any, Any, None], name: str) -> None:
    """What such a process does from its start to its end; exits 2 where its settings cannot work.

    Signals of a terminal or a supervisor go to the whole group; a child ends when who started it says so or is gone, and
    not before. name: whose errors these are, as in "testing process".
    """
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    journal.set_up()
    collect_seldom()
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(work)
    except GatecrashError as error:
        log.error("%s cannot start", name, extra={"why": str(error)})  # noqa: TRY400 - the text says it
        sys.exit(2)


async def exit_code(process: asyncio.subprocess.Process, seconds: float = END_SECONDS) -> int:
    """How a process ended; one that does not in this time is killed."""
    try:
        async with asyncio.timeout(seconds):
            return await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        return await process.wait()


async def keep_one(
    start: Callable[[], Awaitable[Child]], attend: Callable[[Child], Awaitable[None]], ending: asyncio.Event
) -> None:
    """One process after the other, until the end. attend: returns when it is gone."""
    pauses = Pauses()
    while not ending.is_set():
        begun = time.monotonic()
        try:
            child = await start()
        except OSError as error:
            log.error("process cannot be started", extra={"why": str(error)})  # noqa: TRY400 - the text says it
        else:
            await attend(child)
        if ending.is_set():
            return
        if time.monotonic() - begun > HEALTHY_SECONDS:
            pauses = Pauses()
        else:
            await asyncio.sleep(pauses.next())


async def _channel(end: socket.socket, decoder: "msgspec.msgpack.Decoder[Heard]") -> Channel[Heard]:
    return Channel(*await asyncio.open_unix_connection(sock=end), decoder)
