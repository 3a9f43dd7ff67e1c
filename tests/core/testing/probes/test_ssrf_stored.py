"""The probe ssrf_stored, driven against monitors of its own that fetch what they keep, beside a listener."""

import json
from random import Random

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.out_of_band import HTTP, Hit, Listening, addresses
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.probes.ssrf_stored import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")
CASES = [case for case in cases_of("probes") if case.file == "ssrf_stored"]
OLD = "7"
HELD = {"name": "shop", "url": "https://status.example/"}


class Monitors:
    """Monitors with addresses. The first part of an address says when what is kept is fetched."""

    def __init__(self) -> None:
        self.random = Random(5)
        self.kept = {OLD: HELD["url"]}
        self.fetched: list[str] = []

    def __call__(self, request: Request) -> Response:
        _, place, _, *more = request.path.decode().split("/")
        sent = json.loads(request.body or b"{}")
        if more[-1:] == ["run"]:
            return self._run(place, str(sent.get("id", more[0])))
        if more[-1:] == ["status"]:
            if place == "on-view":
                self.fetched.append(self.kept[more[0]])
            return self._told({"up": True})
        number = more[0] if more else str(self.random.randint(10**5, 10**6))
        self.kept[number] = sent["url"]
        if place == "at-once":
            self.fetched.append(sent["url"])
        return self._told({"id": int(number), **sent})

    def _run(self, place: str, number: str) -> Response:
        address = self.kept.get(number, "")
        if place in ("later", "by-body", "at-once") or (place == "listed" and "//status.example/" in address):
            self.fetched.append(address)
        return self._told({"up": bool(address)})

    def _told(self, document: object) -> Response:
        return Response(200, (JSON,), json.dumps(document).encode())


def about(request: Request, number: str) -> Request:
    """What the record shows to be done with a monitor that was kept."""
    place, host = request.path.split(b"/")[1].decode(), request.host
    if place == "on-view":
        return Request("GET", f"/{place}/monitors/{number}/status".encode(), host=host)
    if place == "by-body":
        body = json.dumps({"id": int(number)}).encode()
        return Request("POST", f"/{place}/monitors/run".encode(), (JSON,), body, host=host)
    return Request("POST", f"/{place}/monitors/{number}/run".encode(), (JSON,), b"{}", host=host)


def driven(request: Request, monitors: Monitors, *, recorded: bool = True) -> list[Run]:
    """The probe's dialogues about a request that keeps an address; recorded: the record shows what is done with it."""
    baseline = record(monitors, request)
    known = Pages()
    known.meet(baseline.exchange, visited=False)
    if recorded:
        number = OLD if request.method == "PUT" else str(json.loads(baseline.response.body)["id"])
        known.meet(record(monitors, about(request, number)).exchange, visited=False)
    checks = plan(
        baseline, DEFAULT, (), (PROBE,), pages=known.beside(request), makers=known.makers_of(request)
    )  # fmt: skip
    return [_drive(check, monitors) for check in checks]


def _drive(check, monitors: Monitors) -> Run:
    listener = addresses(Listening(host="127.0.0.1", port=9), b"k", "tr", "bl", check.point, "ssrf")
    dialogue = check.probe.run(check.situation(Random(1), listener))
    sent: list[TestRequest] = []
    try:
        asked = next(dialogue)
        while True:
            sent.append(asked)
            response = monitors(asked.request)
            came = [lure for lure in asked.lures if any(lure.name in address for address in monitors.fetched)]
            hits = tuple(Hit(name=lure.name, protocol=HTTP) for lure in came)
            asked = dialogue.send(Answer(Exchange(asked.request, response), hits=hits))
    except StopIteration as end:
        return Run(check, end.value, sent)


def told(run: Run) -> str:
    return f"{run.verdict.outcome.value} {'/'.join(run.verdict.point)}"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    assert case.expected == tuple(told(run) for run in driven(case.request, Monitors()))


def test_a_finding_shows_the_request_that_keeps_the_address_and_names_the_one_that_sets_it_off():
    (run,) = driven(CASES[0].request, Monitors())
    verdict = run.verdict
    assert (verdict.type, verdict.cwe, verdict.threat, len(run.sent)) == ("ssrf", (918,), 70, 4)
    assert verdict.proof.test.request.path == b"/later/monitors"
    assert "It was fetched when POST /later/monitors/" in verdict.proof.verified_by


def test_what_was_recorded_is_not_run_again_but_what_the_test_has_made():
    (run,) = driven(CASES[0].request, Monitors())
    made = {each.request.path for each in run.sent if each.request.path.endswith(b"/run")}
    assert len(made) == 2, "one for each address"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_where_nothing_is_recorded_that_sets_it_off_nothing_is_sent(case: Case):
    assert driven(case.request, Monitors(), recorded=False) == []


def test_a_target_that_cannot_reach_a_listener_is_asked_nothing():
    (run,) = driven(CASES[0].request, Monitors())
    dialogue = run.check.probe.run(run.check.situation(Random(1)))
    with pytest.raises(StopIteration) as end:
        next(dialogue)
    assert end.value.value.outcome is Outcome.SAFE
