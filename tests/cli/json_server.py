"""Small applications for scans: a server in a thread whose answers are JSON."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class JsonServer(ThreadingHTTPServer):
    """Listens on loopback."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)


class JsonAnswers(BaseHTTPRequestHandler):
    """Keeps connections open and says nothing of them."""

    protocol_version = "HTTP/1.1"

    def say(self, status: int, body: Any) -> None:
        """One answer."""
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def serving(made: ThreadingHTTPServer) -> Iterator[None]:
    """The server at work until the block ends."""
    with made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield
        finally:
            made.shutdown()
            thread.join()
