"""Nodes from the command line: listed, silent ones removed."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.cli.conftest import Invoke
from tests.cli.json_server import JsonAnswers, JsonServer, serving
from tests.cli.running import Up

from gatecrash.cli.main import main

DAY = 86400


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A service of these tests' own: others leave nodes behind, or say hello as one."""
    with Up(tmp_path_factory.mktemp("nodes"), "--no-node") as running:
        yield running


def test_nodes_are_listed_and_one_that_is_needed_stays(invoke: Invoke, document: Callable[..., Any]) -> None:
    run = document("run", "create", "--no-wait", "makes the default place")
    (node,) = document("node", "list")["objects"]
    listed = invoke("node", "list")
    assert node["id"] in listed.stdout
    assert "awaited" in listed.stdout
    refused = invoke("node", "remove", node["id"])
    assert (refused.exit_code, refused.stdout) == (4, "")
    assert "interrupt that first" in refused.stderr
    invoke("run", "interrupt", run["id"])


def test_nothing_named_is_wrong_usage(invoke: Invoke) -> None:
    assert invoke("node", "remove").exit_code == 2


class Service(JsonServer):
    """Knows a few nodes."""

    def __init__(self) -> None:
        super().__init__(Answers)
        self.removed: list[str] = []
        self.nodes = [
            node("node_named", None, 90),
            node("node_old", "1", 8),
            node("node_busy", "2", 8),
            node("node_younger", "3", 2),
            node("node_there", "4", 0, connected=True),
        ]


class Answers(JsonAnswers):
    """A run waits for `node_busy`."""

    server: Service

    def do_GET(self) -> None:  # noqa: N802 - as http.server calls it
        objects = [node for node in self.server.nodes if node["id"] not in self.server.removed]
        self.say(200, {"status": 200, "body": {"objects": objects, "total": len(objects)}})

    def do_DELETE(self) -> None:  # noqa: N802 - as http.server calls it
        node_id = self.path.rsplit("/", 1)[1]
        if node_id == "node_busy":
            body = {"node_id": {"error": "action_not_allowed", "value": node_id, "message": "awaited"}}
            self.say(409, {"status": 409, "body": body})
            return
        self.server.removed.append(node_id)
        self.say(200, {"status": 200, "body": {"id": node_id}})


def node(node_id: str, build: str | None, days: float, **more: Any) -> dict[str, Any]:
    seen = int(time.time() - days * DAY)
    known = {"id": node_id, "name": node_id, "build_id": build, "last_seen": seen, "connected": False, "default": False}
    return {**known, "version": "1", "proxy_address": None, **more}


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    with serving(made):
        yield made


def remove(service: Service, *arguments: str) -> Result:
    there = ("--api", f"http://127.0.0.1:{service.server_port}", "--token", "gck_any")
    return CliRunner().invoke(main, ["node", "remove", *arguments, *there])


def test_old_builds_are_removed_together(service: Service) -> None:
    done = remove(service, "--builds-silent-for", "7")
    assert (done.exit_code, done.stdout) == (0, "")
    assert service.removed == ["node_old"]
    assert "node_busy" in done.stderr
    assert "Removed 1 node." in done.stderr


def test_no_days_means_every_silent_build(service: Service) -> None:
    remove(service, "--builds-silent-for", "0")
    assert service.removed == ["node_old", "node_younger"]


def test_named_ones_are_removed_one_by_one(service: Service) -> None:
    done = remove(service, "node_named", "node_busy", "node_old")
    assert done.exit_code == 4
    assert service.removed == ["node_named"]
