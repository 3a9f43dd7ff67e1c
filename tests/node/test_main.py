"""A node as a process: its settings on standard input, its end by SIGTERM, and a kill that loses nothing."""

import asyncio
import json
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import httpx
from tests.node.loop import run, until
from tests.plain_http import PLAIN

from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.settings import NodeSettings, encode
from gatecrash.wire.session import RunOrder

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
ORDER = RunOrder(run_id="tr_1", generation=1, record_id="rec_1", recording=True, sending=False, policy=DEFAULT)


@asynccontextmanager
async def process(settings: NodeSettings) -> AsyncIterator[asyncio.subprocess.Process]:
    """A node's process; killed at the end where it is still there."""
    pipe = asyncio.subprocess.PIPE
    node = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gatecrash.node", stdin=pipe, stdout=pipe, stderr=pipe
    )
    assert node.stdin is not None
    node.stdin.write(encode(settings))
    node.stdin.write_eof()
    try:
        yield node
    finally:
        if node.returncode is None:
            node.kill()
        await node.communicate()


@run
async def test_it_tells_its_address_ends_on_sigterm_and_prints_nothing(tmp_path: Path) -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        address = tmp_path / "address"
        settings = NodeSettings(
            api=control.api,
            token=TOKEN,
            spool_dir=tmp_path / "spool",
            proxy_listen="127.0.0.1:0",
            upstream=f"http://127.0.0.1:{target.port}",
            address_file=address,
        )
        async with process(settings) as node:
            await until(lambda: control.heartbeats > 0 and address.exists())
            async with httpx.AsyncClient(**PLAIN) as client:
                for _ in range(3):
                    await client.get(f"http://{address.read_text().strip()}/open")
            await asyncio.sleep(0)
            node.send_signal(signal.SIGTERM)
            out, logs = await node.communicate()
        assert (node.returncode, out) == (0, b"")
        lines = [json.loads(line) for line in logs.splitlines()]
        assert lines[-1]["what"] == "node ended"
        assert TOKEN.encode() not in logs
        # What was counted in its last second was flushed.
        assert sum(row.requests for row in control.endpoints()) == 3
        assert control.hellos[0].proxy_address == address.read_text().strip()


def spooled(path: Path) -> int:
    """How many baselines are on the disk."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as disk:
        return int(disk.execute("SELECT COUNT(*) FROM baselines").fetchone()[0])


@run
async def test_a_kill_loses_no_recorded_baseline_and_counts_nothing_twice(tmp_path: Path) -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [ORDER]
        address = tmp_path / "address"
        settings = NodeSettings(
            api=control.api,
            token=TOKEN,
            spool_dir=tmp_path / "spool",
            proxy_listen="127.0.0.1:0",
            upstream=f"http://127.0.0.1:{target.port}",
            address_file=address,
        )
        async with process(settings) as node:
            await until(lambda: "tr_1" in control.progress and address.exists())
            control.down = True
            async with httpx.AsyncClient(**PLAIN) as client:
                for number in range(20):
                    await client.get(f"http://{address.read_text().strip()}/open?n={number}")
            # The observers are one turn behind the traffic.
            await until(lambda: spooled(tmp_path / "spool" / "spool.sqlite3") == 20)
            node.kill()
            await node.wait()
        control.down = False
        async with process(settings):
            await until(lambda: len(control.baselines.get("tr_1", {})) == 20)
        targets = {baseline.request.target for baseline in control.baselines["tr_1"].values()}
        assert targets == {b"/open?n=%d" % number for number in range(20)}
        assert sum(row.requests for row in control.endpoints()) <= 20


@run
async def test_a_node_whose_parent_is_gone_ends(tmp_path: Path) -> None:
    async with ControlPlane() as control:
        settings = NodeSettings(api=control.api, token=TOKEN, spool_dir=tmp_path, proxy_listen="", end_with_parent=True)
        (tmp_path / "settings").write_bytes(encode(settings))
        starter = (
            "import subprocess, sys, time; "
            "p = subprocess.Popen([sys.executable, '-m', 'gatecrash.node'], stdin=open(sys.argv[1])); "
            "print(p.pid, flush=True); time.sleep(60)"
        )
        parent = await asyncio.create_subprocess_exec(
            sys.executable, "-c", starter, str(tmp_path / "settings"), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )  # fmt: skip
        assert parent.stdout is not None
        pid = int(await parent.stdout.readline())
        await until(lambda: control.heartbeats > 0)
        parent.kill()
        await parent.wait()
        stat = Path(f"/proc/{pid}/stat")
        await until(lambda: not stat.exists() or ") Z " in stat.read_text())


@run
async def test_settings_that_cannot_work_end_it_with_2_and_a_reason(tmp_path: Path) -> None:
    settings = NodeSettings(api="http://10.1.2.3", token="t", spool_dir=tmp_path, proxy_listen="")
    async with process(settings) as node:
        _, logs = await node.communicate()
        assert node.returncode == 2
        assert "in the clear" in json.loads(logs.splitlines()[-1])["why"]
