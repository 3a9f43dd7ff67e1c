"""The demo in order: start, traffic, detection, recording, test run, summary."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from rich.console import Console

from gatecrash.core.errors import GatecrashError
from gatecrash.demo import summary
from gatecrash.demo.comparison import deviations, missing
from gatecrash.demo.launch import Service
from gatecrash.demo.target.expectations import ENDPOINTS
from gatecrash.demo.traffic import Street

# Slow enough that one can watch: speed and time left are known after 10 seconds (contract 2.8).
RUN = {"name": "demo", "rps": 60}
# The node hears of a run and delivers counts by its heartbeat, every two seconds; all of these are far on the safe side.
DETECTION_SECONDS = 30.0
RECORDING_SECONDS = 20.0
LOOK_SECONDS = 0.2

Document = dict[str, Any]
Watch = Callable[[str], Document]


class Stuck(GatecrashError):
    """Something that should come within seconds did not; the text says what."""


class Api(Protocol):
    """What the story needs of the service's API; paths and bodies are the contract's."""

    def get(self, path: str, /, **params: object) -> Document:
        """The body of a GET."""

    def post(self, path: str, document: Mapping[str, Any] | None = None) -> Document:
        """The body of the answer to a POST."""

    def pages(self, path: str, limit: int | None = None, offset: int | None = None, **params: object) -> Document:
        """A whole listing."""


class Story:
    """One telling. watch: reads a run to its end and shows how far it is."""

    def __init__(self, console: Console, api: Api, service: Service, target: str, watch: Watch) -> None:
        self._console = console
        self._api = api
        self._service = service
        self._target = target
        self._watch = watch

    def tell(self) -> tuple[Document, list[str]]:
        """All of it; the run at its end, and what deviated from the expectations."""
        with Street(self._service.proxy, self._target) as street:
            self._day(street)
            run = self._record(street)
        run = self._watch(run["id"])
        endpoints = self._endpoints()
        found = [self._api.get(f"/v1/vulns/{one['id']}") for one in run["vulns"]]
        baselines = self._api.pages(f"/v1/test_run/{run['id']}/baselines")["objects"]
        summary.inventory(self._console, endpoints)
        summary.findings(self._console, run, found, baselines)
        deviating = [*deviations(endpoints, found), *_unsound(run)]
        summary.verdict(self._console, deviating)
        return run, deviating

    def _day(self, street: Street) -> None:
        sent = street.everyday()
        self._say(f"{sent} requests of customers and machines went through the proxy.")
        self._until_complete()
        self._say("The inventory shows every endpoint of the shop.")

    def _until_complete(self) -> None:
        away = [one.path for one in ENDPOINTS]

        def complete() -> bool:
            away[:] = missing(self._endpoints())
            return not away

        self._until(complete, DETECTION_SECONDS, lambda: f"these to come up in the inventory: {', '.join(away)}")

    def _record(self, street: Street) -> Document:
        run = self._api.post("/v1/test_run", RUN)
        path = f"/v1/test_run/{run['id']}"
        self._until(lambda: self._api.get(path)["ready_for_recording"], RECORDING_SECONDS, lambda: "the node to record")
        sent = street.tour()
        self._until(
            lambda: self._api.get(path)["baseline_count"] >= sent, RECORDING_SECONDS, lambda: f"{sent} baselines"
        )
        self._say(f"{sent} baseline requests recorded; recording stops, the tests go on.")
        return self._api.post(f"{path}/action/stop")

    def _endpoints(self) -> list[Document]:
        found: list[Document] = self._api.pages("/v1/endpoints")["objects"]
        return found

    def _until(self, there: Callable[[], bool], seconds: float, what: Callable[[], str]) -> None:
        deadline = time.monotonic() + seconds
        while not there():
            if time.monotonic() > deadline:
                raise Stuck(f"Waited {seconds:g} s in vain for {what()}. The service's log: {self._service.log}")
            time.sleep(LOOK_SECONDS)

    def _say(self, text: str) -> None:
        self._console.print(text, highlight=False)


def _unsound(run: Mapping[str, Any]) -> list[str]:
    """Why this run's silences could not be trusted."""
    failed = run["baseline_check_tech_fail_count"]
    said = [f"{failed} baseline requests failed for technical reasons."] if failed else []
    return said + ([f"The run ended {run['state']}, expected failed."] if run["state"] != "failed" else [])
