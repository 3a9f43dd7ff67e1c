"""A node in a process of its own, its control plane in memory, and applications behind it, for clients that block."""

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.node.settings import NodeSettings, encode
from gatecrash.wire.counts import EndpointCount

PATIENCE = 120.0
Result = TypeVar("Result")


class Background:
    """An event loop in a thread of its own, for servers that must answer while the test waits."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def __enter__(self) -> "Background":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """What the work gives."""
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, PATIENCE), self.loop).result()

    @contextmanager
    def within(self, context: AbstractAsyncContextManager[Result]) -> Iterator[Result]:
        """The asynchronous context, for a test that is not."""
        entered = self.run(context.__aenter__())
        try:
            yield entered
        finally:
            self.run(context.__aexit__(None, None, None))

    def until(self, holds: Callable[[], bool]) -> None:
        """Waits for something that this loop brings about."""

        async def wait() -> None:
            while not holds():  # noqa: ASYNC110 - what is awaited lives in another process
                await asyncio.sleep(0.01)

        self.run(wait())


class NodeProcess:
    """A running node. address: its proxy's, `host:port`. ca: its CA's certificate. control: what it was told."""

    def __init__(self, control: ControlPlane, folder: Path, process: asyncio.subprocess.Process, address: str) -> None:
        self.control = control
        self.ca = folder / "spool" / "ca.pem"
        self.log = folder / "log"
        self.address = address
        self.url = f"http://{address}"
        self.port = int(address.rpartition(":")[2])
        self.pid = process.pid

    def rows(self) -> list[EndpointCount]:
        """What it counted so far."""
        return self.control.endpoints()

    def counted(self, base: str) -> int:
        """Requests to `http://host:port` that it counted so far; a path is told of once it was seen three times."""
        return sum(row.requests for row in self.rows() if row.host == base.partition("//")[2])

    def memory(self, which: str = "VmRSS") -> int:
        """Bytes of its memory now (VmRSS) or at most since `forget_peak` (VmHWM)."""
        found = re.search(rf"{which}:\s+(\d+) kB", Path(f"/proc/{self.pid}/status").read_text())
        assert found is not None
        return int(found[1]) * 1024

    def forget_peak(self) -> None:
        """Measures the most memory from now on."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")


@asynccontextmanager
async def running_node(folder: Path, environment: dict[str, str], **settings: Any) -> AsyncIterator[NodeProcess]:
    """A node that trusts no other CAs than its environment says, ended when the test is over."""
    spool = folder / "spool"
    spool.mkdir(parents=True, exist_ok=True)
    said = folder / "address"
    async with ControlPlane() as control:
        wanted = {"proxy_listen": "127.0.0.1:0", "end_with_parent": True, **settings}
        told = NodeSettings(api=control.api, token=TOKEN, spool_dir=spool, address_file=said, **wanted)
        with (folder / "log").open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "gatecrash.node"), stdin=subprocess.PIPE, stderr=log, env=environment
            )
        assert process.stdin is not None
        process.stdin.write(encode(told))
        process.stdin.close()
        try:
            while not (said.exists() and said.read_text().endswith("\n") and control.heartbeats):
                assert process.returncode is None, (folder / "log").read_text()
                await asyncio.sleep(0.01)
            yield NodeProcess(control, folder, process, said.read_text().strip())
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()
