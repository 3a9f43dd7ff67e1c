"""The step's node is gone with the step, and one that cannot start is told at once."""

import stat
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.cli.running import Up

from gatecrash.cli.api import Api
from gatecrash.cli.ci.node import NodeFailed, ci_node, lend_authority
from gatecrash.cli.ci.variables import Variables
from gatecrash.cli.main import main
from gatecrash.cli.settings import Settings
from gatecrash.node.tls.authority import CertificateAuthority


@pytest.fixture
def api(up: Up) -> Api:
    known = up.known()
    return Api(Settings(known["api"], known["token"]))


def test_the_node_is_known_while_it_lives_and_gone_afterwards(api: Api, capfd: pytest.CaptureFixture[str]) -> None:
    with api:
        with ci_node(api, Variables({"BUILD_ID": "b9", "WORKERS": "3"}), "127.0.0.1:0") as node:
            shown = api.get(f"/v1/nodes/{node.id}")
            assert (shown["build_id"], shown["workers"], shown["connected"]) == ("b9", 3, True)
            assert node.proxy.startswith("127.0.0.1:")
        assert node.process.poll() is not None
        with pytest.raises(NodeFailed, match="ended with"):
            node.check()
    assert '"out-of-band listener", "address": "127.0.0.1:' in capfd.readouterr().err


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


def test_the_step_has_the_authority_that_its_tests_trust_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATECRASH_DATA_DIR", str(tmp_path / "data"))
    printed = CliRunner().invoke(main, ["node", "ca"]).stdout
    folder = tmp_path / "step"
    folder.mkdir()
    lend_authority(folder)
    assert CertificateAuthority.open(folder).pem.decode() == printed
    assert stat.S_IMODE((folder / "ca.key").stat().st_mode) == 0o600


def test_a_home_that_cannot_be_used_stops_no_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GATECRASH_DATA_DIR", str(tmp_path / "file"))
    lend_authority(tmp_path)
    assert not (tmp_path / "ca.pem").exists()
