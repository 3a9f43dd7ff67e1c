"""A client of the running service, with a caller for each role, and the states that tests begin from."""

import itertools
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

from tests.e2e.caller import Caller
from tests.e2e.protocol_node import HOST, ProtocolNode, baseline, errored
from tests.e2e.protocol_node import failed as one_failed
from tests.e2e.protocol_node import passed as one_passed

T = TypeVar("T")

# These change while nothing happens: the clock goes on.
MOVING = ("current_rps", "avg_rps", "estimated_time_to_completion")


def wait_until(read: Callable[[], T], done: Callable[[T], object], seconds: float = 120) -> T:
    """Read until it is as wanted; an error with what was read last after so many seconds."""
    deadline = time.monotonic() + seconds
    while not done(seen := read()):
        assert time.monotonic() < deadline, f"still {seen!r} after {seconds} seconds"
        time.sleep(0.02)
    return seen


class Tenant:
    """One client. admin: its most powerful caller."""

    def __init__(self, api: str, client_id: str, tokens: dict[str, str]) -> None:
        self.api = api
        self.client_id = client_id
        self.tokens = tokens
        self.token = tokens["admin"]
        self.callers = {role: Caller(api, token) for role, token in tokens.items()}
        self.admin = self.callers["admin"]
        self.parameters = f"/v1/clients/{client_id}/apid/config/auth-parameters"
        self.record_id: str | None = None
        self.node_token = tokens["node"]
        self._node: ProtocolNode | None = None
        self._numbers = itertools.count(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for caller in self.callers.values():
            caller.http.close()
        if self._node is not None:
            self._node.close()

    def fresh(self, prefix: str) -> str:
        """A name that this client has not used yet."""
        return f"{prefix}{next(self._numbers)}"

    @property
    def node(self) -> ProtocolNode:
        """The client's default node, connected once it is first asked for."""
        if self._node is None:
            self._node = ProtocolNode(self.api, self.node_token)
        return self._node

    def run(self, run_id: str) -> dict[str, Any]:
        """The run as it is now."""
        return self.admin.did("GET", f"/v1/test_run/{run_id}")

    def recorded(self, name: str, baselines: int = 1, **fields: Any) -> dict[str, Any]:
        """A run whose recording is over, with baselines that wait; its record may be copied."""
        node = self.node
        run = self.admin.did("POST", "/v1/test_run", {"name": name, **fields})
        order = node.order(run["id"])
        recorded = [baseline(next(self._numbers)) for _ in range(baselines)]
        stored = node.record(order, recorded)
        assert stored.stored == tuple(one.id for one in recorded)
        self.admin.did("POST", f"/v1/test_run/{run['id']}/action/stop")
        node.finish_recording(order)
        self.record_id = run["test_record_id"]
        return self.run(run["id"])

    def tested(self, name: str, passed: int = 0, failed: int = 0, errors: int = 0) -> dict[str, Any]:
        """A run that came to its end with so many baselines of each status."""
        run = self.recorded(name, baselines=passed + failed + errors)
        order = self.node.order(run["id"])
        work = self.node.claim(order, passed + failed + errors).baselines
        assert len(work) == passed + failed + errors
        results = [one_passed(one.id) for one in work[:passed]]
        results += [one_failed(one) for one in work[passed : passed + failed]]
        results += [errored(one.id) for one in work[passed + failed :]]
        self.node.results(order, results)
        return self.run(run["id"])

    def seen_endpoint(self) -> str:
        """An endpoint of the inventory, made by counted traffic."""
        self.node.count(HOST)
        listed = wait_until(lambda: self.admin.did("GET", "/v1/endpoints")["objects"], bool)
        return str(listed[0]["id"])

    def fresh_endpoint(self) -> str:
        """An endpoint that no other test has touched."""
        host = f"{self.fresh('host')}.example"
        self.node.count(host)
        return str(self.admin.did("GET", f"/v1/endpoints?host={host}")["objects"][0]["id"])

    def emptied(self) -> str:
        """A record on which recording is over and that holds nothing."""
        run = self.admin.did("POST", "/v1/test_run", {"name": "empty"})
        self.admin.did("POST", f"/v1/test_run/{run['id']}/action/stop")
        return str(run["test_record_id"])

    def state(self) -> dict[str, Any]:
        """All that the client can read of itself and that stays while nobody acts."""
        runs = self.admin.did("GET", "/v1/test_run?limit=1000")
        return {
            "runs": [still(run) for run in runs["objects"]],
            "total": runs["total"],
            "records": self.admin.did("GET", "/v1/test_record?limit=1000"),
            "parameters": self.admin.did("GET", self.parameters),
        }


def still(run: dict[str, Any]) -> dict[str, Any]:
    """A run without what the clock alone changes."""
    return {name: value for name, value in run.items() if name not in MOVING}
