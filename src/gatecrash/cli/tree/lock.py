"""One supervisor a data directory, by a lock that the kernel drops with its last holder.

The children inherit the lock. So it is free only when nothing of the former tree works on the data any more, even
where the supervisor itself was killed; then a new one waits for the rest to end.
"""

import fcntl
import os
import time
from pathlib import Path

from gatecrash.core.errors import UserError

PATIENCE_SECONDS = 10.0


class InUse(UserError):
    """Another supervisor works on this data directory."""


class DataLock:
    """The lock; `fileno()` is to be passed on to children."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "up.lock"
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock; where only remains of a dead supervisor hold it, wait for them.

        Raises InUse where a living one holds it, or the remains do not end.
        """
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not _try(descriptor):
            holder = _holder(descriptor)
            if (holder is not None and _alive(holder)) or time.monotonic() > deadline:
                os.close(descriptor)
                raise InUse(
                    f"{self._path.parent} is in use by another `gatecrash up`"
                    f"{f', process {holder}' if holder else ''}. Stop that one, or choose another --data-dir."
                )
            time.sleep(0.05)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        self._descriptor = descriptor

    def fileno(self) -> int:
        """The descriptor that holds the lock."""
        assert self._descriptor is not None
        return self._descriptor

    def release(self) -> None:
        """Let go of it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _try(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(descriptor: int) -> int | None:
    written = os.pread(descriptor, 32, 0).decode("ascii", "replace")
    return int(written) if written.isdigit() else None


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
