"""The life of a real `gatecrash up`: it starts, says where it is, lets its owner in, and leaves nothing behind."""

import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from tests.cli.running import Up
from tests.plain_http import PLAIN

from gatecrash.cli.main import main

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


def gatecrash(up: Up, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**up.environment, "GATECRASH_DATA_DIR": str(up.data_dir)}
    return subprocess.run(
        [sys.executable, "-m", "gatecrash", *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_the_supervisor_stays_small() -> None:
    code = "import sys, gatecrash.cli.up\n"
    code += "print({name.split('.')[0] for name in sys.modules} & {'asyncio', 'cryptography', 'django', 'httpx', 'rich', 'yaml'})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_it_starts_from_nothing_is_ready_when_it_says_so_and_lets_its_owner_in(tmp_path: Path) -> None:
    with Up(tmp_path, "--no-node", migrated=False) as up:
        known = up.known()
        assert httpx.get(f"{known['api']}/readyz", **PLAIN).status_code == 200
        assert (known["pid"], known["proxy"]) == (up.process.pid, None)
        assert f"API token    {known['token']}" in up.said
        for path in (up.ready_file, up.data_dir / "credentials.json"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        # No address, token or client is given: the owner's commands find them.
        listed = gatecrash(up, "auth-params", "list", "--json")
        assert (listed.returncode, listed.stderr) == (0, "")
        assert '"X-TOKEN"' in listed.stdout


def test_credentials_are_shown_once_and_survive_a_restart(tmp_path: Path) -> None:
    with Up(tmp_path, "--no-node") as first:
        token = first.known()["token"]
        assert len(first.processes()) >= 3 or sys.platform != "linux"
        assert first.end(signal.SIGTERM) == 0
        assert first.processes() == set() or sys.platform != "linux"
    assert not first.ready_file.exists()
    with Up(tmp_path, "--no-node") as second:
        assert "First start" not in second.said
        assert token not in second.said
        assert second.known()["token"] == token
        assert gatecrash(second, "auth-params", "list").returncode == 0


def test_credentials_from_the_environment_are_used_and_not_shown(tmp_path: Path) -> None:
    token = "a-token-of-the-operators-own-choice-1234"
    with Up(tmp_path, "--no-node", GATECRASH_API_TOKEN=token, GATECRASH_CLIENT_ID="cl_own") as up:
        assert token not in up.said + up.complaints()
        answer = httpx.get(
            f"{up.known()['api']}/v1/clients/cl_own/apid/config/auth-parameters",
            headers={"x-service-api-token": token},
            **PLAIN,
        )
        assert answer.status_code == 200


def test_ctrl_c_ends_all_of_it(tmp_path: Path) -> None:
    with Up(tmp_path, "--no-node") as up:
        assert len(up.processes()) >= 3 or sys.platform != "linux"
        assert up.end(signal.SIGINT) == 0
        assert up.processes() == set() or sys.platform != "linux"


@linux
def test_no_process_outlives_a_killed_supervisor(tmp_path: Path) -> None:
    with Up(tmp_path, "--no-node") as up:
        before = up.processes()
        up.end(signal.SIGKILL)
        up.await_last_process()
        assert before
        assert {process for process in up.processes() if _runs(process)} == set()


@linux
def test_after_a_kill_it_starts_again_at_once(tmp_path: Path) -> None:
    with Up(tmp_path, "--no-node") as up:
        port = up.known()["api"].rpartition(":")[2]
        up.end(signal.SIGKILL)
    with Up(tmp_path, "--no-node", "--port", port) as again:
        assert again.known()["api"].endswith(f":{port}")


@linux
def test_a_child_that_dies_comes_back(up: Up) -> None:
    [worker] = [one for one in up.processes() if b"gatecrash.control\0worker" in _command(one)]
    os.kill(worker, signal.SIGKILL)
    back: set[int] = set()
    while not back - {worker}:  # bounded by the test's timeout
        back = {one for one in up.processes() if b"gatecrash.control\0worker" in _command(one)}
    assert "The worker ended by signal 9; it is started again" in up.complaints()


def test_a_port_in_use_is_named_with_its_option(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        up = Up(tmp_path, "--no-node", "--port", port)
        assert up.process.wait() == 2
        up.__exit__()
    assert f"Port {port} on 127.0.0.1 is in use" in up.complaints()
    assert "--port" in up.complaints()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--upstream", "nonsense"), "--upstream 'nonsense' is no address"),
        (("--allowed-hosts", "(a|"), "`(a|` is no host"),
        (("--follow-log", "odd=/a.log"), "'odd' is no log format"),
        (("--ready-file", "/nowhere/at/all"), "there is no folder /nowhere/at"),
        (("--database-url", "nonsense"), "the database address begins with ''"),
    ],
)
def test_a_wrong_setting_is_told_before_anything_starts(
    tmp_path: Path, arguments: tuple[str, ...], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    result = CliRunner().invoke(
        main, ["up", "--data-dir", str(tmp_path / "data"), "--port", "0", "--no-node", *arguments]
    )
    told = result.stderr + capfd.readouterr().err
    assert result.exit_code == 2
    assert words in told
    assert "Traceback" not in told


def test_a_data_directory_has_one_supervisor(up: Up) -> None:
    second = subprocess.run(up.command("--no-node"), env=up.environment, capture_output=True, text=True, check=False)
    assert second.returncode == 2
    assert f"in use by another `gatecrash up`, process {up.process.pid}" in second.stderr


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_a_data_directory_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    up = Up(tmp_path, "--no-node")
    assert up.process.wait() == 2
    up.__exit__()
    assert "--data-dir" in up.complaints()


def test_it_ends_with_the_program_that_started_it(tmp_path: Path) -> None:
    with Up(tmp_path, "--no-node", "--until-eof") as up:
        assert up.process.stdin is not None
        up.process.stdin.close()
        assert up.process.wait() == 0


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_it_works_where_the_folder_it_was_started_in_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path.cwd()
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    try:
        with Up(tmp_path, "--no-node") as up:
            assert httpx.get(up.known()["api"] + "/readyz", **PLAIN).status_code == 200
            assert "was deleted" in up.complaints()
        relative = subprocess.run(
            [sys.executable, "-m", "gatecrash", "up", "--no-node", "--port", "0", "--data-dir", "here"],
            env=up.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert relative.returncode == 2
        assert "Start it in another folder" in relative.stderr
    finally:
        os.chdir(home)
