"""A receiver of webhooks on loopback: it answers what it is told to, and keeps all that came."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """answers: statuses in their order, the last one for ever. url: where it listens."""

    answers: list[int] = field(default_factory=lambda: [204])
    url: str = ""
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.split(":")[2].split("/")[0])

    @property
    def documents(self) -> list[dict[str, Any]]:
        """The bodies, in the order in which they came."""
        return [json.loads(body) for _, body in self.came]

    def take(self, headers: dict[str, str], body: bytes) -> int:
        """Keep what came; the status to answer."""
        self.came.append((headers, body))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def receiving(receiver: Receiver | None = None, port: int = 0) -> Iterator[Receiver]:
    """A receiver that listens until the block ends."""
    kept = receiver or Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = kept.take({name.lower(): value for name, value in self.headers.items()}, body)
            self.send_response(status)
            self.send_header("Location", kept.url)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    kept.url = f"http://127.0.0.1:{server.server_address[1]}/hook?team=a"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield kept
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
