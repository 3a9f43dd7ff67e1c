"""The two processes of the demo: the target, and `gatecrash up` on a scratch directory.

Both end when the pipe to their standard input closes, so nothing outlives the demo, however it ends.
"""

import json
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gatecrash.core.errors import GatecrashError

STOP_SECONDS = 10.0
LOG = "up.log"
OWNER = "owner@localhost"
"""Who owns a fresh service; its first start says so too."""


class NotStarted(GatecrashError):
    """A process of the demo did not come up; the text holds the end of what it said."""


@dataclass(frozen=True)
class Service:
    """Where the service is, as `up --ready-file` tells. owner, password: who may sign in to its pages."""

    api: str
    proxy: str
    token: str
    client_id: str
    log: Path
    owner: str
    password: str = field(repr=False)


@contextmanager
def target() -> Iterator[str]:
    """The tea shop; its address."""
    with _running([sys.executable, "-m", "gatecrash.demo.target"], stderr=None) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise NotStarted("The demo's target did not start; the lines above say why.")
        yield str(json.loads(line)["address"])


@contextmanager
def service(folder: Path, environment: dict[str, str]) -> Iterator[Service]:
    """`gatecrash up` in the folder, on free ports, its messages in a log file there.

    Raises NotStarted where it does not become ready.
    """
    ready_file, log = folder / "ready.json", folder / LOG
    arguments = ["--data-dir", str(folder / "data"), "--port", "0", "--proxy-port", "0", "--collector-port", "0"]
    # The shop fetches at once or never; nobody watching shall wait for late visitors of the listener.
    arguments += ["--oob-grace", "2"]
    command = [sys.executable, "-m", "gatecrash", "up", *arguments, "--ready-file", str(ready_file), "--until-eof"]
    password = environment.get("GATECRASH_OWNER_PASSWORD") or secrets.token_urlsafe(12)
    own = {"GATECRASH_KEY_DIR": str(folder / "keys"), "GATECRASH_OWNER_PASSWORD": password}
    with log.open("w") as stderr, _running(command, stderr=stderr, env={**environment, **own}) as process:
        assert process.stdout is not None
        # It says where it is when all is up, and closes its output when it fails: no clock is needed here.
        for line in process.stdout:
            if line.startswith("Gatecrash is up"):
                break
        else:
            raise NotStarted(f"The service did not start. The end of its log:\n{_tail(log)}")
        yield _read(ready_file, log, password)


def _read(ready_file: Path, log: Path, password: str) -> Service:
    known: dict[str, Any] = json.loads(ready_file.read_text(encoding="utf-8"))
    return Service(
        api=known["api"],
        proxy=known["proxy"],
        token=known["token"],
        client_id=known["client_id"],
        log=log,
        owner=OWNER,
        password=password,
    )


@contextmanager
def _running(command: list[str], **options: Any) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and modules
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True, **options
    )
    try:
        yield process
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])
