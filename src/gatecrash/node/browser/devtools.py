"""Chromium as a process of its own, spoken to over two pipes (Chrome DevTools Protocol, `--remote-debugging-pipe`).

async with started(path) as devtools:
    await devtools.call("Target.createTarget", url="about:blank")

No port is opened, so nobody else on the machine can reach it. It has a profile of its own, which is deleted with it, and a proxy
that is nowhere: what is not answered to it by us fails.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from fcntl import F_DUPFD_CLOEXEC, fcntl
from typing import Any

import msgspec

from gatecrash.core.errors import GatecrashError

_LONGEST_MESSAGE = 64 * 1024 * 1024
# The first two that a browser takes its orders from, and answers by.
_READS, _WRITES = 3, 4
_ABOVE = 10
_PATIENCE = 20.0
_OPTIONS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-sync",
    "--metrics-recording-only",
    "--mute-audio",
    "--no-pings",
    "--password-store=basic",
    "--use-mock-keychain",
    "--window-size=1400,1000",
    # Nothing listens there, and addresses of this machine are no exception.
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)

Event = dict[str, Any]


class BrowserFailed(GatecrashError):
    """The browser does not start, has ended, or does not answer."""


class Devtools:
    """The protocol: calls with their answers, and events for whoever listens to a session."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.WriteTransport) -> None:
        self._reader, self._writer = reader, writer
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._listeners: dict[str, Callable[[str, Event], None]] = {}
        self._last = 0
        self._reading = asyncio.ensure_future(self._read())

    def listen(self, session: str, listener: Callable[[str, Event], None]) -> None:
        """Be told of what happens in a session: the event's name and what it says."""
        self._listeners[session] = listener

    async def call(self, method: str, session: str = "", **given: Any) -> dict[str, Any]:
        """What the browser answers. Raises BrowserFailed."""
        if self._reading.done():
            raise BrowserFailed("the browser has ended")
        self._last += 1
        answer = self._answers[self._last] = asyncio.get_running_loop().create_future()
        message: dict[str, Any] = {"id": self._last, "method": method, "params": given}
        if session:
            message["sessionId"] = session
        self._writer.write(msgspec.json.encode(message) + b"\0")
        try:
            return await asyncio.wait_for(answer, _PATIENCE)
        except TimeoutError:
            raise BrowserFailed(f"the browser does not answer {method}") from None
        finally:
            self._answers.pop(message["id"], None)

    def close(self) -> None:
        """Listen no more."""
        self._reading.cancel()
        self._writer.close()

    async def _read(self) -> None:
        try:
            while True:
                self._take(msgspec.json.decode((await self._reader.readuntil(b"\0"))[:-1]))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError, msgspec.DecodeError):
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(BrowserFailed("the browser has ended"))

    def _take(self, message: dict[str, Any]) -> None:
        if "id" not in message:
            listener = self._listeners.get(message.get("sessionId", ""))
            if listener is not None:
                listener(message["method"], message["params"])
            return
        answer = self._answers.get(message["id"])
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(BrowserFailed(message["error"].get("message", "the browser refuses")))
        else:
            answer.set_result(message["result"])


@asynccontextmanager
async def started(path: str) -> AsyncIterator[Devtools]:
    """A browser that ends with the block. Raises BrowserFailed where it does not start."""
    profile = await asyncio.to_thread(tempfile.mkdtemp, prefix="gatecrash-browser-")
    their_in, our_out = os.pipe()
    our_in, their_out = os.pipe()
    try:
        process = _spawned(path, profile, their_in, their_out)
    except OSError as error:
        os.close(our_in)
        os.close(our_out)
        shutil.rmtree(profile, ignore_errors=True)
        raise BrowserFailed(f"{path} does not start: {error.strerror}") from None
    finally:
        os.close(their_in)
        os.close(their_out)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_LONGEST_MESSAGE)
    reading, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(our_in, "rb"))
    writer, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(our_out, "wb"))
    devtools = Devtools(reader, writer)
    try:
        yield devtools
    finally:
        devtools.close()
        reading.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        await asyncio.shield(asyncio.to_thread(_cleared, process, profile))


def _spawned(path: str, profile: str, reads: int, writes: int) -> int:
    """The process, the first of a group of its own."""
    # Out of the way of the two numbers that they become.
    reads, writes = fcntl(reads, F_DUPFD_CLOEXEC, _ABOVE), fcntl(writes, F_DUPFD_CLOEXEC, _ABOVE)
    nowhere = os.open(os.devnull, os.O_RDWR)
    try:
        return os.posix_spawn(
            path,
            (path, *_OPTIONS, *_unsandboxed(), f"--user-data-dir={profile}", "about:blank"),
            {**os.environ, "TMPDIR": profile},  # what it leaves when it is killed is deleted with the profile
            file_actions=[
                *((os.POSIX_SPAWN_DUP2, nowhere, number) for number in (0, 1, 2)),
                (os.POSIX_SPAWN_DUP2, reads, _READS),
                (os.POSIX_SPAWN_DUP2, writes, _WRITES),
            ],
            setpgroup=0,
        )
    finally:
        for number in (reads, writes, nowhere):
            os.close(number)


def _unsandboxed() -> tuple[str, ...]:
    """Chromium's sandbox does not work for the system's administrator, as whom containers run most things."""
    return ("--no-sandbox",) if os.geteuid() == 0 else ()


def _cleared(process: int, profile: str) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(process, 0)
    shutil.rmtree(profile, ignore_errors=True)
