"""Poll of a test run (contract 4.5) against the framework's bare authenticated read.

Ours: `gatecrash up`, GET /v1/test_run/<id> of a run that is recording. Reference: the same server, threads and SQLite
settings with one Django view that reads one token by its index and answers a small JSON (`bench/bare`). Both run at once
and are asked in turns, so that a busy machine slows both; the ratio is the median over the turns.
"""

import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from bench.load import rate
from gatecrash.cli.tree.ports import free_port
from gatecrash.control.web_threads import WEB_THREADS

TARGET = 0.6
TURNS = 15
SECONDS = 1.0
WARM_UP_SECONDS = 1.0
START_SECONDS = 180.0
HEADER = "X-Service-API-Token"


def main() -> None:
    """Measure and print."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gatecrash-bench-")))
        ours, token = stack.enter_context(service(home / "ours"))
        bare, bare_token = stack.enter_context(reference(home / "bare"))
        report(measure(poll_url(ours, token), token, bare, bare_token))


def measure(ours: str, token: str, bare: str, bare_token: str) -> list[tuple[float, float]]:
    """Requests per second of both sides, turn by turn."""
    sides = ((ours, {HEADER: token}), (bare, {HEADER: bare_token}))
    for url, headers in sides:
        rate(url, headers, WARM_UP_SECONDS)
    turns = []
    for turn in range(TURNS):
        order = sides if turn % 2 == 0 else sides[::-1]  # whoever goes second finds a warmer machine
        speeds = {url: rate(url, headers, SECONDS) for url, headers in order}
        turns.append((speeds[ours], speeds[bare]))
    return turns


def report(turns: list[tuple[float, float]]) -> None:
    """Print medians and the ratio's spread."""
    ratios = sorted(ours / bare for ours, bare in turns)
    ratio = statistics.median(ratios)
    print(f"poll of a test run           {statistics.median(ours for ours, _ in turns):8.0f} requests/s")
    print(f"bare authenticated read      {statistics.median(bare for _, bare in turns):8.0f} requests/s")
    print(
        f"ratio                        {ratio:8.2f} (target {TARGET}; {ratios[0]:.2f} to {ratios[-1]:.2f} over {TURNS} turns)"
    )


def poll_url(api: str, token: str) -> str:
    """The address of a run that was just created."""
    answer = httpx.post(f"{api}/v1/test_run", headers={HEADER: token}, json={"name": "bench"}, trust_env=False)
    answer.raise_for_status()
    return f"{api}/v1/test_run/{answer.json()['body']['id']}"


@contextmanager
def service(home: Path) -> Iterator[tuple[str, str]]:
    """Our service, its address and token. The rate limit stays on, and high: its cost is part of a poll."""
    environment = environment_of(home) | {"GATECRASH_DATA_DIR": str(home / "data"), "GATECRASH_RATE_LIMIT": "10000000"}
    ready = home / "ready.json"
    command = [sys.executable, "-m", "gatecrash", "up", "--no-node", "--port", "0", "--ready-file", str(ready)]
    with running([*command, "--until-eof"], environment, home / "log") as runs:
        wait_for(ready.exists, runs, home / "log")
        known = json.loads(ready.read_text())
        yield known["api"], known["token"]


@contextmanager
def reference(home: Path) -> Iterator[tuple[str, str]]:
    """The bare side, the address of its read and its token."""
    environment = environment_of(home)
    token = secrets.token_urlsafe(32)
    subprocess.run([sys.executable, "-m", "bench.bare", token], env=environment, check=True)
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--port", str(port), "--workers", "1"]
    command += [
        "--blocking-threads",
        str(WEB_THREADS),
        "--no-ws",
        "--log-level",
        "warning",
        "bench.bare.wsgi:application",
    ]
    url = f"http://127.0.0.1:{port}/read"
    with running(command, environment, home / "log") as runs:
        wait_for(lambda: answers(url, token), runs, home / "log")
        yield url, token


def environment_of(home: Path) -> dict[str, str]:
    """Where one side keeps what it has."""
    home.mkdir()
    return {
        **os.environ,
        "GATECRASH_DATABASE_URL": f"sqlite:///{home}/bench.sqlite3",
        "GATECRASH_KEY_DIR": str(home / "keys"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "PYTHONPATH": str(Path(__file__).resolve().parent.parent),
    }


@contextmanager
def running(command: list[str], environment: Mapping[str, str], log: Path) -> Iterator[Callable[[], bool]]:
    """A process that ends with the block; the value says whether it still runs."""
    with log.open("wb") as words:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=words, stderr=words)
    try:
        yield lambda: process.poll() is None
    finally:
        process.terminate()
        process.communicate(timeout=30)


def wait_for(ready: Callable[[], bool], runs: Callable[[], bool], log: Path) -> None:
    """Return as soon as it is ready. Raises RuntimeError with its own words where it ends or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while not ready():
        if not runs() or time.monotonic() > deadline:
            raise RuntimeError(f"a server did not start: {log.read_text('utf-8', 'replace')}")
        time.sleep(0.05)


def answers(url: str, token: str) -> bool:
    """Whether the address answers with 200."""
    try:
        return httpx.get(url, headers={HEADER: token}, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


if __name__ == "__main__":
    main()
