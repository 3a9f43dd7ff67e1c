"""The whole service: a run stays for a target that comes late, and a node that is killed meanwhile still hears it."""

import os
import signal
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from tests.cli.running import Up
from tests.e2e.test_up_with_node import body, eventually, service
from tests.plain_http import PLAIN

GRACE = 8


class Queue(BaseHTTPRequestHandler):
    """Keeps the addresses that it is given, and fetches them when it is told to."""

    waiting: list[str]

    def do_GET(self) -> None:
        self.waiting += [value for name, value in parse_qsl(urlsplit(self.path).query) if name == "url"]
        self.send_response(200)
        self.send_header("Content-Length", "6")
        self.end_headers()
        self.wfile.write(b"taken\n")

    def log_message(self, *_: Any) -> None:
        """Nothing to say."""

    @classmethod
    def work(cls) -> None:
        for url in cls.waiting:
            with suppress(OSError, ValueError), urllib.request.urlopen(url, timeout=60) as answer:
                answer.read()


@contextmanager
def queue() -> Iterator[tuple[int, type[Queue]]]:
    handler = type("Handler", (Queue,), {"waiting": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port, handler
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_late_visitor_is_heard_by_a_node_that_was_killed_and_fails_the_run(tmp_path: Path) -> None:
    with queue() as (port, target), Up(tmp_path, "--oob-grace", str(GRACE)) as up:
        known = up.known()
        with service(known) as api, httpx.Client(proxy=known["proxy"], **PLAIN) as client:
            policy = api.post("/v1/policy", json={"name": "p", "types": ["ssrf"]}).json()["body"]["id"]
            run = api.post("/v1/test_run", json={"name": "late", "policy_id": policy}).json()["body"]["id"]
            path = f"/v1/test_run/{run}"
            eventually(lambda: body(api, path)["ready_for_recording"])
            assert client.get(f"http://127.0.0.1:{port}/?url=http://a.example/").status_code == 200
            eventually(lambda: body(api, path)["baseline_count"] == 1)
            assert api.post(f"{path}/action/stop", json={}).status_code == 200
            eventually(lambda: body(api, path)["baseline_check_all_terminated_count"] == 1)
            shown = body(api, path)
            assert (shown["state"], shown["baseline_check_passed_count"], shown["vulns"]) == ("running", 1, [])
            [node] = [one for one in up.processes() if b"\0node\0" in Path(f"/proc/{one}/cmdline").read_bytes()]
            os.kill(node, signal.SIGKILL)
            eventually(lambda: "started again" in up.complaints() and accepts(target))
            # Told late however the run stands by now: it is failed, or it ends so.
            eventually(lambda: len(body(api, path)["vulns"]) == 1)
            eventually(lambda: body(api, path)["state"] == "failed")
            [found] = body(api, path)["vulns"]
            told = body(api, f"/v1/vulns/{found['id']}")["verified_by"]
            assert "fetched from our listener" in told
            assert "Late: it came" in told


def accepts(target: type[Queue]) -> bool:
    """Whether the listener of the new node takes connections, by the address in a payload; then the queue is worked off."""
    ours = [url for url in target.waiting if len(urlsplit(url).path) == 25]
    assert ours
    place = urlsplit(ours[0])
    with suppress(httpx.HTTPError):
        httpx.get(f"http://{place.netloc}/", **PLAIN)
        target.work()
        return True
    return False
