"""Real traffic with the tea shop, written down as a HAR file the way a browser would."""

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from tests.plain_http import PLAIN

from gatecrash.demo.target.store import API_KEY, USERS
from gatecrash.demo.traffic import Step, customer, office, visitor, warehouse


@contextmanager
def shop() -> Iterator[str]:
    """The tea shop as a process of its own; its address."""
    with subprocess.Popen(
        [sys.executable, "-m", "gatecrash.demo.target"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.communicate(timeout=60)


class Browser:
    """Asks, and writes down every exchange."""

    def __init__(self, address: str) -> None:
        self.entries: list[dict[str, Any]] = []
        self._http = httpx.Client(base_url=address, **PLAIN)

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def ask(self, step: Step, **headers: str) -> httpx.Response:
        answer = self._http.request(step.method, step.path, params=step.params or None, json=step.body, headers=headers)
        assert answer.status_code == step.wanted
        self.entries.append(entry(answer))
        return answer

    def tour(self) -> None:
        """Every operation of the shop once, by somebody who may call it."""
        login, password = USERS[0]
        token = self.ask(Step("POST", "/login", body={"login": login, "password": password})).json()["token"]
        basic = "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()
        for steps, headers in (
            (customer(1, 0), {"Authorization": f"Bearer {token}"}),
            (visitor(0), {}),
            (warehouse(0), {"X-API-Key": API_KEY}),
            (office(0), {"Authorization": basic}),
        ):
            for step in steps:
                self.ask(step, **headers)


def entry(answer: httpx.Response) -> dict[str, Any]:
    """One entry of a HAR file."""
    request = answer.request
    written: dict[str, Any] = {
        "startedDateTime": datetime.now(UTC).isoformat(),
        "request": {
            "method": request.method,
            "url": str(request.url),
            "httpVersion": "HTTP/1.1",
            "headers": listed(request.headers),
        },
        "response": {
            "status": answer.status_code,
            "headers": listed(answer.headers),
            "content": {"text": answer.text, "mimeType": answer.headers.get("Content-Type", "")},
        },
        "timings": {"wait": 1},
    }
    if request.content:
        written["request"]["postData"] = {"text": request.content.decode(), "mimeType": "application/json"}
    return written


def listed(headers: httpx.Headers) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers.items()]


def har(entries: list[dict[str, Any]], path: Path) -> Path:
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))
    return path
