"""A whole installation in real processes, each of which can be killed and started again: service, nodes, and a shop to test."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from tests.e2e.caller import Caller
from tests.e2e.service import ROOT, Service
from tests.e2e.shapes import check_run
from tests.e2e.shop import TOKEN
from tests.e2e.tenant import wait_until
from tests.plain_http import PLAIN

from gatecrash.cli.tree.ports import free_port
from gatecrash.demo.target.expectations import FLAWS
from gatecrash.node.settings import NodeSettings, encode

RUNS = "/v1/test_run"
SIGNED_IN = {"Authorization": f"Bearer {TOKEN}"}

PUBLIC = ("/pages/", "/health")

VISITS = (
    "/teas/by-origin?origin=Japan",
    "/reviews?tea_id=1",
    "/pages/search?q=sencha",
    "/paper/leaflets?file=sencha.txt",
    "/club/loyalty",
    "/suppliers?country=Japan",
    "/greetings?name=Ada",
    "/pages/find?q=sencha",
    "/wallet",
    "/health",
)
"""Five flaws, each of another kind or shape, and five operations that look alike and are sound."""


def planted(visits: Iterable[str] = VISITS) -> set[tuple[str, str, tuple[str, ...]]]:
    """What an undisturbed run finds: path, type, point."""
    paths = {visit.partition("?")[0] for visit in visits}
    return {(flaw.path, flaw.type, flaw.point) for flaw in FLAWS if flaw.path in paths}


class Process:
    """One process with its settings on standard input, at the same port in each of its lives."""

    def __init__(self, module: str, *arguments: str, log: Path, given: bytes = b"") -> None:
        self.command = [sys.executable, "-m", module, *arguments]
        self.log = log
        self.given = given
        self.running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; standard input stays open where nothing is given, and ends the process when we are gone."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(
                self.command, env=environment, stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=ROOT
            )
        if self.given:
            assert self.running.stdin is not None
            self.running.stdin.write(self.given)
            self.running.stdin.close()

    def listens(self, port: int) -> bool:
        """Whether it takes connections there; an error where it has ended instead."""
        assert self.running is not None
        assert self.running.poll() is None, self.log.read_text()[-2000:]
        return listens(port)

    def signal(self, number: int) -> None:
        """Send a signal."""
        assert self.running is not None
        self.running.send_signal(number)

    def kill(self) -> None:
        """SIGKILL, and its end awaited."""
        if self.running is not None:
            self.running.kill()
            self.running.wait()
            if self.running.stdin is not None:
                self.running.stdin.close()
            self.running = None


class Node(Process):
    """A node with its proxy. `id` is the control plane's name for it."""

    def __init__(self, name: str, api: str, token: str, home: Path, processes: int = 1) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        settings = NodeSettings(
            api=api,
            token=token,
            spool_dir=home / name,
            name=name,
            proxy_listen=f"127.0.0.1:{self.port}",
            end_with_parent=True,
            processes=processes,
        )
        super().__init__("gatecrash.node", log=home / f"{name}.log", given=encode(settings))
        self.name = name
        self.id = ""

    def start(self) -> None:
        super().start()
        wait_until(lambda: self.listens(self.port), bool)


class Shop(Process):
    """The tea shop."""

    def __init__(self, home: Path) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        super().__init__("tests.e2e.shop", str(self.port), str(home), log=home / "shop.log")

    def start(self) -> None:
        super().start()
        wait_until(lambda: self.listens(self.port), bool)


class Town:
    """Service, nodes and shop. user: asks the service as its owner; its address stays the same over all lives."""

    def __init__(self, home: Path, service: Service, count: int, processes: int = 1) -> None:
        self.service = service
        self.shop = Shop(home)
        self.user = Caller(service.api, service.token_of_owner)
        self.nodes = [
            Node(f"node-{number}", service.api, service.token(service.client_id, "node"), home, processes)
            for number in range(count)
        ]

    def start(self) -> None:
        """Start shop and nodes, and wait until the service knows the nodes."""
        self.shop.start()
        for node in self.nodes:
            node.start()
            node.id = wait_until(lambda node=node: self._id_of(node), bool)

    def stop(self) -> None:
        """End all that is here."""
        for process in (*self.nodes, self.shop):
            process.kill()
        self.user.http.close()

    def _id_of(self, node: Node) -> str:
        listed = self.user.did("GET", "/v1/nodes")["objects"]
        return next((one["id"] for one in listed if one["name"] == node.name), "")

    def kill_service(self) -> None:
        """SIGKILL to every process of the service."""
        process = self.service.process
        assert process is not None
        for one in tree(process.pid):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        self.service.await_end()

    def begin(self, node: Node, **fields: Any) -> str:
        """A new run on the node, which records when this returns."""
        wish = {"name": f"on {node.name}", "node_id": node.id, **fields}
        # Asked again where a kill swallowed the answer: a run that was made all the same is interrupted by the next.
        run = str(wait_until(lambda: self._begun(wish), bool))
        self.until(run, lambda seen: seen["ready_for_recording"])
        return run

    def _begun(self, wish: dict[str, Any]) -> str:
        try:
            return str(self.user.did("POST", RUNS, wish)["id"])
        except httpx.TransportError:
            return ""

    def visit(self, node: Node, visits: Iterable[str] = VISITS) -> None:
        """Each address asked through the node's proxy until it is answered, whoever is killed meanwhile."""
        for visit in visits:
            wait_until(lambda visit=visit: self.asked(node, visit), lambda status: status == 200)

    def asked(self, node: Node, visit: str, of: str = "") -> int:
        """The status of one answer through the proxy; 0 where none came. of: another target than the shop."""
        address = (of or self.shop.address) + visit
        # A token on a public page would be one that nobody checks: a finding, and a true one.
        headers = {} if visit.startswith(PUBLIC) else SIGNED_IN
        try:
            return httpx.get(address, headers=headers, proxy=node.address, **PLAIN).status_code
        except httpx.TransportError:
            return 0

    def run(self, run_id: str) -> dict[str, Any]:
        """The run as it is now; the question is asked again where the service is away."""
        return self.read(f"{RUNS}/{run_id}")

    def read(self, path: str) -> dict[str, Any]:
        """What the service answers; asked again where it is away."""
        return wait_until(lambda: self.asked_for(path), bool)

    def asked_for(self, path: str) -> dict[str, Any]:
        """What the service answers; empty where it is away."""
        try:
            answer = self.user.get(path)
        except (httpx.TransportError, AssertionError):
            return {}
        return answer.body if answer.status == 200 else {}

    def until(self, run_id: str, done: Any, seconds: float = 300) -> dict[str, Any]:
        """The run as soon as it is as wanted."""
        return wait_until(lambda: self.run(run_id), done, seconds)

    def asks(self, method: str, path: str) -> int:
        """The status of an answer; 0 where none came."""
        try:
            return self.user.ask(method, path).status
        except (httpx.TransportError, AssertionError):
            return 0

    def act(self, run_id: str, action: str) -> None:
        """Do an action on a run."""
        self.user.did("POST", f"{RUNS}/{run_id}/action/{action}")

    def found(self, run_id: str) -> list[tuple[str, str, tuple[str, ...]]]:
        """The run's vulnerabilities: path, type, point."""
        listed = self.read(f"/v1/vulns?limit=1000&test_run_id={run_id}")["objects"]
        return sorted((path_of(one["url"]), one["type"], tuple(*one["point"])) for one in listed)


def check_ended(town: Town, run_id: str, visits: Iterable[str] = VISITS) -> dict[str, Any]:
    """The run has ended with every baseline and every finding of an undisturbed one, each once, and adds up."""
    run = town.until(run_id, lambda seen: seen["state"] in {"passed", "failed", "interrupted"})
    check_run(run)
    baselines = town.read(f"{RUNS}/{run_id}/baselines?limit=1000")["objects"]
    tested = [one for one in baselines if one["status"] != "skipped"]
    paths = sorted(path_of(one["url"]) for one in tested)
    assert paths == sorted(visit.partition("?")[0] for visit in visits), baselines
    assert {one["status"] for one in tested} <= {"passed", "failed"}, baselines
    found = town.found(run_id)
    assert len(set(found)) == len(found) == len(run["vulns"]), found
    assert set(found) == planted(visits), found
    assert run["state"] == "failed"
    assert run["baseline_check_fail_count"] == len({path for path, _, _ in planted(visits)})
    assert run["baseline_count"] == len(baselines)
    assert sum(one["sent"] for one in baselines) <= run["sended_requests_count"]
    return run


def path_of(url: str) -> str:
    """The path of an address."""
    return urlsplit(url).path


def tree(root: int) -> set[int]:
    """A process and all below it."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = {root}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def listens(port: int) -> bool:
    """Whether something takes connections there."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


@contextmanager
def built(home: Path, database_url: str, nodes: int = 1, processes: int = 1) -> Iterator[Town]:
    """A running town. processes: of each node."""
    with ExitStack() as stack:
        service = stack.enter_context(Service(home, database_url))
        town = Town(home, service, nodes, processes)
        stack.callback(town.stop)
        town.start()
        yield town
