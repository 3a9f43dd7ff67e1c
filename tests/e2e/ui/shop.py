"""The demo's target behind a running service: traffic through the node, and one run that was tested to its end."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from tests.plain_http import PLAIN

from gatecrash.demo import launch
from gatecrash.demo.target.store import USERS

OWNER, PASSWORD = "owner@localhost", "correct horse battery"
HEADER = "X-Service-API-Token"
COOKIE = "gatecrash_session"
WAIT = 120.0


@dataclass
class Shop:
    """Where everything is. known: what a test learned that others may use."""

    target: str
    service: launch.Service
    known: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Of the pages and the API."""
        return self.service.api

    @classmethod
    @contextmanager
    def opened(cls, folder: Path) -> Iterator["Shop"]:
        """Start both."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GATECRASH_")}
        environment |= {"GATECRASH_OWNER_PASSWORD": PASSWORD, "GATECRASH_RATE_LIMIT": "0"}
        with launch.target() as target, launch.service(folder, environment) as service:
            yield cls(target, service)

    def api(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        """The body of the API's answer."""
        headers = {HEADER: self.service.token}
        answer = httpx.request(method, self.address + path, headers=headers, **PLAIN, **more)
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()["body"]
        return body

    def session(self) -> str:
        """The session cookie of the owner, signed in by the form; once for all windows."""
        if "session" not in self.known:
            with httpx.Client(base_url=self.address, **PLAIN) as client:
                page = client.get("/sign-in/").text
                token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
                form = {"login": OWNER, "password": PASSWORD, "csrfmiddlewaretoken": token}
                answer = client.post("/sign-in/", data=form)
                assert answer.status_code == 302, answer.text
                self.known["session"] = client.cookies[COOKIE]
        return self.known["session"]

    def visit(self, *paths: str, token: str | None = None, times: int = 1) -> None:
        """Send requests to the target through the node's proxy."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with httpx.Client(proxy=self.service.proxy, **PLAIN, base_url=self.target) as client:
            for path in paths:
                for _ in range(times):
                    client.get(path, headers=headers)

    def customer(self) -> str:
        """The token of a signed-in customer."""
        if "customer" not in self.known:
            login, password = USERS[0]
            body = {"login": login, "password": password}
            self.known["customer"] = httpx.post(f"{self.target}/login", json=body, **PLAIN).json()["token"]
        return self.known["customer"]

    def until(self, holds: Callable[[], Any], what: str) -> Any:
        """Ask again until it holds; fails with what did not."""
        deadline = time.monotonic() + WAIT
        while not (found := holds()):
            assert time.monotonic() < deadline, f"in vain: {what}"
            time.sleep(0.1)  # another process is awaited; the loop is bounded
        return found

    def endpoint(self, path: str) -> dict[str, Any]:
        """An endpoint of the inventory, as soon as it is there."""

        def found() -> Any:
            rows = self.api("GET", "/v1/endpoints?limit=200")["objects"]
            return next((row for row in rows if row["path"] == path), None)

        return dict(self.until(found, f"the endpoint {path}"))

    def tested(self) -> str:
        """The identifier of a run that has ended and found something; made once."""
        if "run" not in self.known:
            self.visit("/health", "/teas", times=3)
            body = {"name": "made for reading", "policy_id": "quick"}
            run_id = self.api("POST", "/v1/test_run", json=body)["id"]
            self.until(lambda: self.run(run_id)["ready_for_recording"], "the node records")
            self.visit("/teas/by-origin?origin=India", token=self.customer())
            self.visit("/health", "/pages/search?q=assam")
            self.until(lambda: self.run(run_id)["baseline_count"] == 3, "three baselines")
            self.api("POST", f"/v1/test_run/{run_id}/action/stop")
            self.until(lambda: self.run(run_id)["end_time"], "the run ends")
            self.known["run"] = run_id
        return self.known["run"]

    def profile(self) -> str:
        """The identifier of an auth profile of two identities; made once."""
        if "profile" not in self.known:
            point = ["header", "AUTHORIZATION"]
            identities = [
                {"name": name, "rank": rank, "values": [{"point": point, "value": f"Bearer {name}"}]}
                for name, rank in (("customer", 1), ("keeper", 10))
            ]
            body = {"name": "customer and keeper", "identities": identities}
            self.known["profile"] = self.api("POST", "/v1/auth_profile", json=body)["id"]
        return self.known["profile"]

    def run(self, run_id: str) -> dict[str, Any]:
        """The run object."""
        return self.api("GET", f"/v1/test_run/{run_id}")
