"""The application behind the real server: bodies in chunks and bodies that are too large, over real sockets."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.plain_http import PLAIN

from gatecrash.cli.tree.ports import free_port

pytestmark = pytest.mark.database

TOKEN = "the-token-of-this-test-" + "t" * 20
HEADERS = {"X-Service-API-Token": TOKEN}


@pytest.fixture
def server(database_url: str, tmp_path: Path) -> Iterator[str]:
    """The address of a served, started installation."""
    environment = os.environ | {
        "GATECRASH_DATABASE_URL": database_url,
        "GATECRASH_DATA_DIR": str(tmp_path),
        "GATECRASH_API_TOKEN": TOKEN,
        "DJANGO_SETTINGS_MODULE": "gatecrash.control.settings",
    }
    begin = (
        "import django; django.setup();"
        "from gatecrash.control.accounts.first_start import first_start; assert first_start()"
    )
    subprocess.run([sys.executable, "-c", begin], env=environment, check=True, timeout=180)
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port)]
    # The limit of time is the one that the service sets: a worker of granian may outlive its stop.
    command += ["--workers-kill-timeout", "2"]
    command += ["--blocking-threads", "4", "--no-ws", "gatecrash.control.wsgi:application"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            _await(f"http://127.0.0.1:{port}/readyz")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _await(url: str) -> None:
    """Ask until the server is ready; the test's own time ends it."""
    with httpx.Client(**PLAIN) as client:
        while True:
            try:
                if client.get(url).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.02)


def _chunked(server: str, *parts: bytes) -> tuple[int, dict[str, object]]:
    answer = httpx.post(
        f"{server}/v1/tokens",
        content=iter(parts),
        headers={**HEADERS, "Content-Type": "application/json"},
        **PLAIN,
    )
    assert answer.json()["status"] == answer.status_code
    return answer.status_code, answer.json()["body"]


def test_the_real_server_passes_bodies_and_limits_on(server: str) -> None:
    status, body = _chunked(server, b'{"name": "in par', b'ts", "role": "ci"}')
    assert (status, body["name"]) == (200, "in parts")
    assert _chunked(server, b"{", b"")[0] == 400

    fits = b'{"name": "x", "role": "ci"' + b" " * (1024 * 1024 - 27) + b"}"
    assert _chunked(server, fits)[0] == 200
    assert _chunked(server, fits, b" ")[1]["error"] == "payload_too_large"

    huge = httpx.post(f"{server}/v1/tokens", content=b"x" * 20 * 2**20, headers=HEADERS, **PLAIN)
    assert huge.json()["body"]["error"] == "payload_too_large"
    assert httpx.get(f"{server}/v1/tokens", headers=HEADERS, **PLAIN).json()["body"]["total"] == 3


def test_head_and_connection_reuse_work(server: str) -> None:
    with httpx.Client(base_url=server, headers=HEADERS, **PLAIN) as http:
        head = http.head("/v1/tokens")
        answer = http.get("/v1/tokens")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["Content-Length"] == answer.headers["Content-Length"]
        assert int(answer.headers["Content-Length"]) == len(answer.content)
        assert json.loads(answer.content)["status"] == 200
