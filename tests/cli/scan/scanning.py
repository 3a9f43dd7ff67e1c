"""`gatecrash scan` of what was captured of the tea shop, in this process."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from gatecrash.cli.main import main

Scan = Callable[..., Result]


class Listener:
    """A server that counts who connects, and never answers."""

    def __init__(self) -> None:
        self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


def scanned(file: Path, *options: str) -> Result:
    """`gatecrash scan` of a file, in this process."""
    result = CliRunner(env={"NO_COLOR": "1"}).invoke(main, ["scan", str(file), *options])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def moved(entry: dict[str, Any], url: str) -> dict[str, Any]:
    """The entry, asked elsewhere."""
    return {**entry, "request": {**entry["request"], "url": url}}


def of_path(entries: list[dict[str, Any]], path: str) -> dict[str, Any]:
    """The first entry whose address holds this."""
    return next(entry for entry in entries if path in entry["request"]["url"])
