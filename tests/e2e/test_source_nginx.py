"""A real nginx in front: its mirror and its log reach the counts, and a collector in trouble costs its clients little."""

import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.absent import require
from tests.e2e.nginx import DEPLOY, NGINX, nginx
from tests.node.loop import run, until

from gatecrash.cli.tree import ports
from gatecrash.core.auth.parameters import HEADERS
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.node.agent import run_node
from gatecrash.node.settings import NodeSettings

BEARER = {"Authorization": "Bearer a-token-of-somebody"}


@pytest.fixture(autouse=True)
def _there() -> None:
    require(NGINX, "nginx is not installed (Debian: nginx-light)")


async def ask(base: str, *paths: str, headers: dict[str, str] | None = None) -> None:
    async with httpx.AsyncClient(trust_env=False, headers=headers, timeout=60) as client:
        for path in paths:
            await client.get(base + path)


@run
async def test_mirror_and_log_of_a_real_nginx_become_counts(tmp_path: Path) -> None:
    [port] = ports.choose([("", "127.0.0.1", 0)])
    log = tmp_path / "nginx" / "gatecrash.log"
    async with ControlPlane() as control:
        settings = NodeSettings(
            api=control.api,
            token=TOKEN,
            spool_dir=tmp_path / "spool",
            proxy_listen="",
            collector_listen=f"127.0.0.1:{port}",
            follow_logs=(f"nginx={log}",),
        )
        node = asyncio.ensure_future(run_node(settings))
        with nginx(tmp_path / "nginx", port, patience="60s") as server:
            await until(lambda: control.heartbeats > 0)
            forged = {"X-Original-URI": "/forged", "X-Original-Method": "DELETE", "X-Original-Host": "forged.example"}
            await ask(server.mirrored, *["/items/7?api_key=s3cret-of-mine"] * 12, headers=BEARER | forged)
            await ask(server.mirrored, *["/refused/x"] * 3)

            def rows(answered: bool) -> dict[str, int]:
                found: dict[str, int] = {}
                for row in control.endpoints():
                    if (row.refused is not None) is answered:
                        key = f"{row.method} {row.path}"
                        found[key] = found.get(key, 0) + row.requests
                return found

            # The log's own answers; the mirror knows none, so its endpoints come with the 10th request.
            merged = {"GET /items/{item_id}": 24, "GET /refused/x": 3}
            await until(lambda: _total(control) >= 27)
            total: dict[str, int] = {}
            for answered in (True, False):
                for key, count in rows(answered).items():
                    total[key] = total.get(key, 0) + count
            assert total["GET /items/{item_id}"] == 24, total
            assert total["GET /refused/x"] in (3, 6), "the log's three; the mirror's join an endpoint that is known"
            assert set(total) == set(merged), "headers that a client sent are no word of nginx"
            assert {row.host for row in control.endpoints()} == {server.mirrored.removeprefix("http://")}
            items = [row for row in control.endpoints() if row.path == "/items/{item_id}"]
            assert sum(row.authenticated for row in items) == 24
            refused = [row for row in control.endpoints() if row.path == "/refused/x"]
            assert sum(row.refused or 0 for row in refused) == 3
        node.cancel()
        await asyncio.gather(node, return_exceptions=True)


def _total(control: ControlPlane) -> int:
    return sum(row.requests for row in control.endpoints())


def test_what_nginx_writes_is_read_through_a_rotation(tmp_path: Path) -> None:
    """The log of a real nginx, odd bytes included, read by `gatecrash observe`."""
    with nginx(tmp_path / "nginx", None) as server, httpx.Client(trust_env=False, timeout=60) as client:
        for number in range(20):
            client.get(f"{server.mirrored}/orders/{number}", headers=BEARER if number else {"X-Odd": 'q"\\'})
        client.get(server.mirrored + '/a%22b"c\\', headers={"User-Agent": b"\xe9\xff", "Cookie": 'a="b"; c=d'})
        server.log.rename(tmp_path / "rotated.log")
        server.reopen()
        deadline = time.monotonic() + 60
        while not server.log.exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
    command = [sys.executable, "-m", "gatecrash", "observe", "--json", str(tmp_path / "rotated.log"), str(server.log)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # The new log is empty: told, and no traceback.
    assert done.returncode == 2
    assert "empty" in done.stderr
    done = subprocess.run(command[:-1], capture_output=True, text=True, check=True)
    document = json.loads(done.stdout)
    assert document["skipped"] == {"malformed": 0}
    [orders] = [one for one in document["endpoints"] if one["path"] == "/orders/{order_id}"]
    assert (orders["requests"], orders["authenticated"], orders["status"]) == (20, 19, "consistent")


def test_the_log_format_shows_every_default_header() -> None:
    text = (DEPLOY / "gatecrash-log.conf").read_text()
    for name in (*HEADERS, "AUTHORIZATION", "COOKIE", "X-API-KEY", "X-GATECRASH-MARKER"):
        assert f'"$http_{name.lower().replace("-", "_")}"' in text


STUCK = """
import socket, sys, time
server = socket.create_server(("127.0.0.1", 0), backlog=1024)
print(server.getsockname()[1], flush=True)
if sys.argv[1] == "hung":
    kept = []
    while True:
        kept.append(server.accept()[0])  # takes connections, answers nothing
time.sleep(600)
"""


@contextmanager
def stuck(how: str) -> Iterator[int]:
    """A collector in trouble: `hung` takes connections and is silent, `stopped` is a process that does not run."""
    with subprocess.Popen([sys.executable, "-c", STUCK, how], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        if how == "stopped":
            os.kill(process.pid, signal.SIGSTOP)
        try:
            yield port
        finally:
            process.kill()


def median_of(client: httpx.Client, url: str, count: int = 200) -> float:
    taken = []
    for _ in range(count):
        begun = time.perf_counter()
        assert client.get(url).text == "ok"
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


@pytest.mark.parametrize("how", ["hung", "stopped", "absent"])
def test_a_collector_in_trouble_holds_nobody_up(tmp_path: Path, how: str) -> None:
    """The first requests may wait a moment. How long at worst, is measured by `python -m bench collector`."""
    if how == "absent":
        [port] = ports.choose([("", "127.0.0.1", 0)])
        _measure(tmp_path, port)
        return
    with stuck(how) as port:
        _measure(tmp_path, port)


def _measure(folder: Path, port: int) -> None:
    with nginx(folder / "nginx", port) as server, httpx.Client(trust_env=False, timeout=60) as client:
        without = median_of(client, server.plain + "/plain/x")
        added = median_of(client, server.mirrored + "/x") - without
        assert added <= 0.1, f"the mirror added {added * 1000:.0f} ms"


def test_a_backup_that_answers_late_is_asked_again(tmp_path: Path) -> None:
    """With nobody left to copy to nginx would write an error for each request."""
    [nobody] = ports.choose([("", "127.0.0.1", 0)])
    silent = Path(f"/tmp/gatecrash-{nobody}-silent.sock")
    with socket.socket(socket.AF_UNIX) as listener:
        try:
            listener.bind(str(silent))
            silent.chmod(0o666)
            listener.listen(64)
            with nginx(tmp_path / "nginx", nobody, patience="20ms", backup=silent) as server:
                asyncio.run(ask(server.mirrored, *["/"] * 12))
        finally:
            silent.unlink(missing_ok=True)
    errors = (tmp_path / "nginx" / "error.log").read_text()
    assert str(silent) in errors, "the backup was asked, and was late"
    assert "no live upstreams" not in errors
