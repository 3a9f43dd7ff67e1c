"""The whole tree with its node: traffic through the proxy is recorded, and a killed node comes back to its run."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.cli.running import Up
from tests.plain_http import PLAIN

PATIENCE = 120.0


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    command = [sys.executable, "-m", "gatecrash.demo.target"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.communicate()


def body(client: httpx.Client, path: str) -> Any:
    answer = client.get(path, params={"wait": 1})  # held until something changes
    assert answer.status_code == 200, answer.text
    return answer.json()["body"]


def eventually(there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < deadline, "it did not come"


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_kills_of_node_and_supervisor_lose_no_baseline(tmp_path: Path, shop: str) -> None:
    with Up(tmp_path) as up:
        known = up.known()
        ports = [part.rpartition(":")[2] for part in (known["api"], known["proxy"])]
        with service(known) as api, httpx.Client(proxy=known["proxy"], **PLAIN) as shopper:
            run = api.post("/v1/test_run", json={"name": "killed", "rps": 100}).json()["body"]["id"]
            eventually(lambda: body(api, f"/v1/test_run/{run}")["ready_for_recording"])
            assert shopper.get(f"{shop}/teas").status_code == 200
            eventually(lambda: body(api, f"/v1/test_run/{run}")["baseline_count"] == 1)
            [node] = [one for one in up.processes() if b"\0node\0" in Path(f"/proc/{one}/cmdline").read_bytes()]
            os.kill(node, signal.SIGKILL)
            eventually(lambda: "started again" in up.complaints())
        with service(known) as api, httpx.Client(proxy=known["proxy"], **PLAIN) as shopper:
            # The new node records from its first orders on; until then it only passes traffic through.
            count = itertools.count()
            eventually(lambda: answers(shopper, f"{shop}/health?back={next(count)}") and baselines(api, run) > 1)
            before = settled(api, run)
        up.end(signal.SIGKILL)
        up.await_last_process()
    with Up(tmp_path, "--port", ports[0], "--proxy-port", ports[1]) as again, service(again.known()) as api:
        assert body(api, f"/v1/test_run/{run}")["baseline_count"] == before
        assert api.post(f"/v1/test_run/{run}/action/stop", json={}).status_code == 200
        eventually(lambda: body(api, f"/v1/test_run/{run}")["state"] == "passed")
        ended = body(api, f"/v1/test_run/{run}")
        assert ended["baseline_check_passed_count"] + ended["baseline_skipped_count"] == before


def baselines(api: httpx.Client, run: str) -> int:
    return int(body(api, f"/v1/test_run/{run}")["baseline_count"])


def settled(api: httpx.Client, run: str) -> int:
    """The number of baselines when the node has delivered all that it holds."""
    seen = [-1]
    eventually(lambda: seen.append(baselines(api, run)) is None and seen[-1] == seen[-2])
    return seen[-1]


def service(known: dict[str, Any]) -> httpx.Client:
    return httpx.Client(base_url=known["api"], headers={"X-Service-API-Token": known["token"]}, **PLAIN)


def answers(shopper: httpx.Client, url: str) -> bool:
    try:
        return shopper.get(url).status_code == 200
    except httpx.HTTPError:
        return False
