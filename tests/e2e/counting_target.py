"""A small target in a thread that notes when marked requests, those of a run, arrive."""

import threading
import time
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up in the middle of a request is what these tests are about."""


class CountingTarget:
    """Answers everything alike. last_marked: when the last request of a run arrived (monotonic seconds)."""

    def __init__(self) -> None:
        self.last_marked = 0.0
        self._recent: deque[float] = deque(maxlen=1000)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                if self.headers.get("X-Gatecrash-Marker"):
                    outer.last_marked = time.monotonic()
                    outer._recent.append(outer.last_marked)
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, *_: Any) -> None:
                pass

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def rate(self) -> int:
        """Marked requests of the last second."""
        since = time.monotonic() - 1
        return sum(when > since for when in list(self._recent))
