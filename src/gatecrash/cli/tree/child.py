"""One child of the supervisor: started on its leash, looked after, stopped with all its own processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
# A child that lived so long starts with a clean record.
HEALTHY_SECONDS = 30.0


@dataclass
class Child:
    """name: for messages. module, arguments: what it runs. keep: descriptors that it inherits."""

    name: str
    module: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    keep: Sequence[int] = ()
    deaths: int = 0
    _process: "subprocess.Popen[bytes] | None" = field(default=None, repr=False)
    _started: float = 0.0
    _due: float = 0.0

    @property
    def pid(self) -> int | None:
        """Its process, while there is one."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it, as the leader of a process group of its own."""
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and modules
            [sys.executable, "-m", "gatecrash.cli.tree.leash", self.module, *self.arguments],
            env=dict(self.environment),
            stdin=subprocess.PIPE,
            stdout=sys.stderr.fileno(),
            pass_fds=tuple(self.keep),
            start_new_session=True,
        )
        self._started = time.monotonic()

    def died(self) -> int | None:
        """Its exit code, once, where it has ended since the last look; whatever it left behind is killed."""
        if self._process is None or self._process.poll() is None:
            return None
        code = self._process.returncode
        self._signal(signal.SIGKILL)
        self._forget()
        now = time.monotonic()
        self.deaths = 1 if now - self._started > HEALTHY_SECONDS else self.deaths + 1
        self._due = now + pause(self.deaths)
        return code

    def is_due(self) -> bool:
        """Whether it is down and its pause is over."""
        return self._process is None and time.monotonic() >= self._due

    def ask_to_stop(self) -> None:
        """Send SIGTERM to its leader, which ends its own processes in its own way."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def await_end(self, deadline: float) -> None:
        """Wait until the deadline (monotonic seconds), then kill."""
        if self._process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, deadline - time.monotonic()))
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._forget()

    def _signal(self, number: int) -> None:
        assert self._process is not None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _forget(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process = None


def pause(deaths: int) -> float:
    """Seconds to wait before the next try: doubled at each death in a row, bounded."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** max(0, min(deaths, 16) - 1))
