"""The real service: `gatecrash up` without its node, in a scratch folder, on the database that the suite was asked for."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.e2e.tenant import Tenant, wait_until

ROOT = Path(__file__).resolve().parents[2]
ROLES = ("admin", "analyst", "viewer", "ci", "node")


class Service:
    """A running service, in a scratch folder, with its own clients."""

    def __init__(self, home: Path, database_url: str, **environment: str) -> None:
        self.home = home
        self.log = home / "log"
        self.ready_file = home / "ready.json"
        self.database_url = database_url
        self.environment = {
            **os.environ,
            "GATECRASH_DATA_DIR": str(home / "data"),
            "GATECRASH_KEY_DIR": str(home / "keys"),
            "GATECRASH_DATABASE_URL": database_url,
            "GATECRASH_RATE_LIMIT": "0",  # the suite asks faster than any pipeline; the limit has a test of its own
            "GATECRASH_POOL_SIZE": "8",
            "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))),
            **environment,
        }
        self.port = "0"  # any, and the same in each further life
        self.api = ""
        self.token_of_owner = ""
        self.client_id = ""
        self.process: subprocess.Popen[bytes] | None = None
        self._administrator: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        """Start, and wait until it says that it is ready.

        Standard input is held open: should this test process die, the service sees it close and ends.
        """
        self.ready_file.unlink(missing_ok=True)
        command = ["up", "--no-node", "--port", self.port, "--until-eof", "--ready-file", str(self.ready_file)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gatecrash", *command],
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
            )
        wait_until(self._is_ready, bool, 180)
        ready = json.loads(self.ready_file.read_text())
        assert set(ready) >= {"api", "proxy", "token", "client_id", "pid"}
        self.api, self.token_of_owner, self.client_id = ready["api"], ready["token"], ready["client_id"]
        self.port = self.api.rpartition(":")[2]

    def _is_ready(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"the service ended:\n{self.log.read_text()}"
        return self.ready_file.exists()

    def await_end(self) -> None:
        """Wait for a supervisor that was killed."""
        assert self.process is not None
        self.process.communicate(timeout=120)
        self.process = None

    def stop(self) -> None:
        """End it gently."""
        if self._administrator is not None:
            self._administrator.communicate(timeout=120)
            self._administrator = None
        if self.process is not None:
            self.process.communicate(timeout=120)
            self.process = None

    def administer(self, **asked: Any) -> dict[str, Any]:
        """Have something made by the installation itself."""
        if self._administrator is None:
            self._administrator = subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.administrator"],
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        process = self._administrator
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline())
        return answer

    def token(self, client_id: str, role: str, **more: Any) -> str:
        """A fresh token of a client."""
        return str(self.administer(token=role, client_id=client_id, role=role, **more)["token"])

    @contextmanager
    def tenant(self) -> Iterator[Tenant]:
        """A fresh client with a token of each role."""
        client_id = self.administer(client="a client")["client_id"]
        tokens = {role: self.token(client_id, role) for role in ROLES}
        with Tenant(self.api, client_id, tokens) as tenant:
            yield tenant
