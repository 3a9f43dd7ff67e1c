"""The step's node is gone with the step, and one that cannot start is told at once."""

import subprocess

import pytest
from tests.cli.running import Up

from gatecrash.cli.api import Api
from gatecrash.cli.ci.node import NodeFailed, ci_node
from gatecrash.cli.ci.variables import Variables
from gatecrash.cli.settings import Settings


@pytest.fixture
def api(up: Up) -> Api:
    known = up.known()
    return Api(Settings(known["api"], known["token"]))


def test_the_node_is_known_while_it_lives_and_gone_afterwards(api: Api) -> None:
    with api:
        with ci_node(api, Variables({"BUILD_ID": "b9", "WORKERS": "3"}), "127.0.0.1:0") as node:
            shown = api.get(f"/v1/nodes/{node.id}")
            assert (shown["build_id"], shown["workers"], shown["connected"]) == ("b9", 3, True)
            assert node.proxy.startswith("127.0.0.1:")
        assert node.process.poll() is not None
        with pytest.raises(NodeFailed, match="ended with"):
            node.check()


def test_a_node_that_cannot_start_is_told_at_once(api: Api, capfd: pytest.CaptureFixture[str]) -> None:
    with api, pytest.raises(NodeFailed, match="ended with 2"), ci_node(api, Variables({}), "0.0.0.0:0"):
        pass
    assert "node cannot start" in capfd.readouterr().err


def test_no_process_is_left_behind_where_the_step_fails(api: Api) -> None:
    processes: list[subprocess.Popen[bytes]] = []

    def fail() -> None:
        with ci_node(api, Variables({}), "127.0.0.1:0") as node:
            processes.append(node.process)
            raise RuntimeError

    with api, pytest.raises(RuntimeError):
        fail()
    assert processes[0].poll() is not None
