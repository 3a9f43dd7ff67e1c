"""The collector behind a real nginx: its CPU per mirrored request, and what the mirror adds to nginx's own 99th percentile.

nginx runs with the configuration of deploy/nginx. wrk asks at a steady pace that one core carries; the collector is
healthy, stopped (SIGSTOP: the kernel still takes its connections), absent (nothing listens) or hung (takes connections,
answers nothing).
"""

import asyncio
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

import uvloop
from tests.e2e.nginx import NGINX, nginx

from gatecrash.cli.tree.ports import free_port
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.inventory.fold import Folder
from gatecrash.node.observe.collector import Collector, CollectorSettings
from gatecrash.node.observe.mirrored import reader_for
from gatecrash.node.observe.observations import Observations

SECONDS = 8
CONNECTIONS = 8
MOST_ADDED_MS = 100
SCRIPT = """
wrk.headers["Authorization"] = "Bearer 0123456789abcdef0123456789abcdef"
wrk.headers["Accept"] = "application/json"
wrk.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"
wrk.headers["Accept-Language"] = "en-GB,en;q=0.5"
wrk.headers["Referer"] = "https://shop.example.com/"
number = 0
request = function()
  number = number + 1
  wrk.headers["X-Request-Id"] = string.format("%032d", number)
  return wrk.format("GET", "/v1/items/" .. number % 100000 .. "?page=1")
end
"""


def collect(pipe: Connection) -> None:
    """A collector's process with its counting; tells its port, then requests, drops and CPU seconds when asked."""

    async def run() -> None:
        observations = Observations()
        folder, seen = Folder(compile_recogniser()), 0
        reader = reader_for(folder.asks_for)
        collector = Collector(CollectorSettings(port=0), observations, lambda: reader)
        await collector.start()
        pipe.send(collector.port)
        asyncio.get_running_loop().add_reader(
            pipe.fileno(),
            lambda: (
                pipe.recv(),
                pipe.send((seen, collector.dropped + collector.unread + observations.dropped, time.process_time())),
            ),
        )
        while True:
            taken = await observations.take(100)
            for one in taken:
                folder.add(one.exchange)
            seen += len(taken)
            await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


def hang(pipe: Connection) -> None:
    """Takes connections and answers nothing."""
    import socket

    server = socket.create_server(("127.0.0.1", 0), backlog=1024)
    pipe.send(server.getsockname()[1])
    kept = []
    while True:
        kept.append(server.accept()[0])


@contextmanager
def process_of(work: object) -> Iterator[tuple[int, Connection, int]]:
    """A process that tells its port; port, pipe and process id."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,), daemon=True)  # type: ignore[arg-type]
    process.start()
    try:
        yield int(ours.recv()), ours, int(process.pid or 0)
    finally:
        with suppress(ProcessLookupError):
            os.kill(process.pid or 0, signal.SIGCONT)
        process.kill()
        process.join()


def load(url: str) -> tuple[float, float]:
    """Requests per second and the 99th percentile in milliseconds, by wrk."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT)
        script.flush()
        command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency", "-s", script.name, url]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    value, unit = re.findall(r"99%\s+([\d.]+)(us|ms|s)", said)[0]
    milliseconds = float(value) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[unit]
    return float(re.findall(r"Requests/sec:\s+([\d.]+)", said)[0]), milliseconds


def line(name: str, rate: float, p99: float, plain: float, more: str = "") -> str:
    """One line of the table."""
    return f"{name:<10} {rate:>8,.0f} requests/s, p99 {p99:6.2f} ms, adds {p99 - plain:+6.2f} ms{more}"


def main() -> None:
    """Measures and prints."""
    if NGINX is None or shutil.which("wrk") is None:
        print("nginx or wrk is not installed: nothing to measure (Debian: apt-get install nginx-light wrk)")
        return
    measured: list[tuple[str, float, float, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        plain = unmirrored(place / "before")
        with process_of(collect) as (port, pipe, pid), nginx(place / "healthy", port) as server:
            measured.append(healthy(server.mirrored, pipe))
            os.kill(pid, signal.SIGSTOP)
            measured.append(("stopped", *load(server.mirrored), f" (at most {MOST_ADDED_MS})"))
        with nginx(place / "absent", free_port()) as server:
            measured.append(("absent", *load(server.mirrored), f" (at most {MOST_ADDED_MS})"))
        with process_of(hang) as (port, _, _), nginx(place / "hung", port) as server:
            measured.append(("hung", *load(server.mirrored), f" (at most {MOST_ADDED_MS})"))
        # Again at the end, and the better of both: what disturbed one of them must not hide what the mirror adds.
        rate, p99 = min(plain, unmirrored(place / "after"), key=lambda each: each[1])
    print(line("no mirror", rate, p99, p99))
    for name, its_rate, its_p99, more in measured:
        print(line(name, its_rate, its_p99, p99, more))


def unmirrored(place: Path) -> tuple[float, float]:
    """What nginx does without a mirror."""
    with nginx(place, None) as server:
        return load(server.mirrored)


def healthy(url: str, pipe: Connection) -> tuple[str, float, float, str]:
    """With a collector that works, and what that costs it."""
    pipe.send("before")
    seen_before, _, cpu_before = pipe.recv()
    rate, p99 = load(url)
    time.sleep(1)
    pipe.send("after")
    seen, lost, cpu = pipe.recv()
    count = seen - seen_before
    each = (cpu - cpu_before) / max(count, 1) * 1e6
    return (
        "healthy",
        rate,
        p99,
        (
            f"; {each:.0f} µs of the collector's CPU each, counting included"
            f"; {count:,} counted, {lost:,} dropped, {rate * SECONDS - count:,.0f} left to the backup or on the way"
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
