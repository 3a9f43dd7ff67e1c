"""A record of 10,000 baselines: imported, copied, tested at 1000 requests a second by a node, and reported.

The service is `gatecrash up`, the node and the target are processes of their own. Meanwhile the run is polled (contract
4.5), and the memory of the service's processes is looked at; a line on standard error tells every 30 seconds how far the
tests are. `BENCH_BASELINES` and `BENCH_PROCESSES` (of the node, 1) ask for other sizes; `BENCH_DATABASE` for PostgreSQL
instead of SQLite. On a slow machine the run is interrupted after `BENCH_SECONDS` of testing (600), and the figures are
those of what was tested by then.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

from bench.poll import HEADER, environment_of, running, wait_for
from bench.sender import Small, served

BASELINES = int(os.environ.get("BENCH_BASELINES", "10000"))
PROCESSES = os.environ.get("BENCH_PROCESSES", "1")
RPS = 1000
POLL_SECONDS = 0.1
MOST_MIB = 500.0
MOST_POLL = 0.05
SHARE = 0.95
LONGEST = float(os.environ.get("BENCH_SECONDS", "600"))
PROGRESS_SECONDS = 30.0
FORMATS = ("json", "sarif", "junit", "html", "txt", "csv", "md")
# So few requests a baseline that the number of baselines is what is measured, and so many that a limit can be reached.
POLICY = {"name": "bench", "types": ["sqli", "rce", "ptrav", "ssti", "xss"], "budget": 25}


class Memory:
    """The most that a tree of processes held, in MiB."""

    def __init__(self, root: int) -> None:
        self._root = root
        self.most = 0.0

    def look(self) -> float:
        """The resident memory of all of them now; what they share is counted for each."""
        now = sum(map(resident, family(self._root))) / 1024
        self.most = max(self.most, now)
        return now


def family(root: int) -> list[int]:
    """The process and all that descend from it."""
    found = [root]
    for pid in found:
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            try:
                found += map(int, task.read_text().split())
            except OSError:
                continue
    return found


def resident(pid: int) -> int:
    """KiB of a process that are in memory; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)


def cpu(root: int) -> float:
    """Seconds of CPU that a process and its living descendants have used."""
    ticks = 0
    for pid in family(root):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Service:
    """The API of a running service. Raises httpx.HTTPStatusError for whatever it refuses."""

    def __init__(self, api: str, token: str) -> None:
        self._http = httpx.Client(base_url=api, headers={HEADER: token}, trust_env=False, timeout=120)

    def call(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        """The body of an answer."""
        answer = self._http.request(method, path, **more)
        answer.raise_for_status()
        body: dict[str, Any] = answer.json()["body"]
        return body

    def size(self, path: str) -> int:
        """The bytes of a download."""
        answer = self._http.get(path)
        answer.raise_for_status()
        return len(answer.content)


@contextmanager
def service(home: Path) -> Iterator[tuple[Service, str, int]]:
    """The service without a node: its API, its address, and the root of its processes."""
    environment = environment_of(home) | {"GATECRASH_DATA_DIR": str(home / "data"), "GATECRASH_RATE_LIMIT": "10000000"}
    if os.environ.get("BENCH_DATABASE"):
        environment["GATECRASH_DATABASE_URL"] = os.environ["BENCH_DATABASE"]
    ready = home / "ready.json"
    command = [sys.executable, "-m", "gatecrash", "up", "--no-node", "--port", "0", "--ready-file", str(ready)]
    with running([*command, "--until-eof"], environment, home / "log") as runs:
        wait_for(ready.exists, runs, home / "log")
        known = json.loads(ready.read_text())
        yield Service(known["api"], known["token"]), known["api"], known["pid"]


@contextmanager
def node(home: Path, api: str, token: str) -> Iterator[int]:
    """The process of a node that only tests, until the block ends."""
    home.mkdir()
    environment = {**os.environ, "GATECRASH_API": api, "GATECRASH_TOKEN": token, "PROCESSES": PROCESSES}
    command = [sys.executable, "-m", "gatecrash", "node", "--proxy-listen", "", "--data-dir", str(home)]
    with (home / "log").open("wb") as log, subprocess.Popen(command, env=environment, stderr=log) as process:
        try:
            yield process.pid
        finally:
            process.terminate()
            process.wait(30)


def capture(port: int) -> Iterator[bytes]:
    """Lines of a capture; no two requests are alike."""
    body = json.dumps({"authorised": False, "items": []})
    for number in range(BASELINES):
        url = f"http://127.0.0.1:{port}/shops/{number % 50}/items?q=item%20{number}&page={number % 7}"
        line = {"method": "GET", "url": url, "status": 200, "response_body": body}
        line["response_headers"] = {"Content-Type": "application/json"}
        yield json.dumps(line).encode() + b"\n"


def main() -> None:
    """Measure and print."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gatecrash-bench-")))
        port = stack.enter_context(served(Small))
        ours, api, root = stack.enter_context(service(home / "service"))
        memory = Memory(root)
        print(f"at rest                  {memory.look():8.0f} MiB in {len(family(root))} processes")
        record_id = imported(ours, port)
        print(f"after the import         {memory.look():8.0f} MiB")
        token = ours.call("POST", "/v1/tokens", json={"name": "bench", "role": "node"})["token"]
        tester = stack.enter_context(node(home / "node", api, token))
        before = cpu(root)
        run = tested(ours, record_id, memory)
        sent = run["sended_requests_count"]
        print(f"CPU                      {cpu(tester) / max(1, sent) * 1e6:8.0f} µs a request in the node, {(cpu(root) - before) / max(1, tested_in(run)) * 1e3:.1f} ms a baseline in the service")  # fmt: skip
        reported(ours, run["id"], memory)
        verdict = "" if memory.most < MOST_MIB else "   MISSED"
        print(f"most memory              {memory.most:8.0f} MiB (below {MOST_MIB:.0f}){verdict}")


def imported(ours: Service, port: int) -> str:
    """A record that was imported and is closed."""
    record_id: str = ours.call("POST", "/v1/test_record", json={"name": "large"})["id"]
    began = time.perf_counter()
    lines = b"".join(capture(port))
    kind = {"Content-Type": "application/octet-stream"}
    done = ours.call("POST", f"/v1/test_record/{record_id}/import", content=lines, headers=kind)
    assert done["imported"] == BASELINES, done
    ours.call("POST", f"/v1/test_record/{record_id}/action/stop")
    print(f"imported                 {BASELINES / (time.perf_counter() - began):8.0f} baselines/s")
    return record_id


def tested(ours: Service, record_id: str, memory: Memory) -> dict[str, Any]:
    """The copy, run to its end and polled all the while; its last state."""
    policy_id = ours.call("POST", "/v1/policy", json=POLICY)["id"]
    wish = {"name": "large", "test_record_id": record_id, "rps": RPS, "policy_id": policy_id}
    began = time.perf_counter()
    path = f"/v1/test_run/{ours.call('POST', '/v1/test_run', json=wish)['id']}"
    polls: list[float] = []

    def polled(goes_on: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Polls until the run is where it is to be; interrupts it when it takes too long."""
        told = began
        while True:
            asked = time.perf_counter()
            run = ours.call("GET", path)
            polls.append(time.perf_counter() - asked)
            memory.look()
            if not goes_on(run):
                return run
            if asked - began > LONGEST and "interrupt" in run["allowed_actions"]:
                ours.call("POST", f"{path}/action/interrupt")
            if asked - told > PROGRESS_SECONDS:
                told = asked
                print(f"{run['state']}, {so_far(run)} after {asked - began:.0f} s", file=sys.stderr)
            time.sleep(POLL_SECONDS)

    polled(lambda run: run["state"] == "cloning")
    print(f"copied                   {BASELINES / (time.perf_counter() - began):8.0f} baselines/s")
    first = polled(lambda run: run["simple_state"] == "running" and not run["sended_requests_count"])
    first_at = time.perf_counter()
    run = polled(lambda run: run["simple_state"] == "running")
    sent = run["sended_requests_count"] - first["sended_requests_count"]
    rate = sent / (time.perf_counter() - first_at)
    ended = run["state"] == "interrupted" or run["baseline_check_all_terminated_count"] == BASELINES
    assert ended, run
    print(f"tested                   {rate:8.0f} requests/s, {so_far(run)}, {run['state']}{'' if rate >= SHARE * RPS else '   MISSED'}")  # fmt: skip
    median, worst = statistics.median(polls), max(polls)
    late = statistics.quantiles(polls, n=20)[-1]
    print(f"poll, {len(polls):5} of them     {median * 1000:8.1f} ms median, {late * 1000:.0f} ms at 95%, {worst * 1000:.0f} ms worst (below {MOST_POLL * 1000:.0f} at the median){'' if median < MOST_POLL else '   MISSED'}")  # fmt: skip
    print(f"most memory until then   {memory.most:8.0f} MiB")
    return run


def so_far(run: dict[str, Any]) -> str:
    """How far the tests of a run are."""
    return f"{run['sended_requests_count']:,} requests, {tested_in(run):,} of {BASELINES:,} baselines done"


def tested_in(run: dict[str, Any]) -> int:
    """The baselines of a run that were tested to their end."""
    done: int = run["baseline_check_all_terminated_count"] - run["baseline_check_interrupted_count"]
    return done


def reported(ours: Service, run_id: str, memory: Memory) -> None:
    """Every report of the run, one after the other."""
    for name in FORMATS:
        began = time.perf_counter()
        size = ours.size(f"/v1/test_run/{run_id}/report?format={name}")
        now = memory.look()
        print(
            f"report {name:6}            {time.perf_counter() - began:8.2f} s, {size / 1e6:.1f} MB, then {now:.0f} MiB"
        )


if __name__ == "__main__":
    main()
