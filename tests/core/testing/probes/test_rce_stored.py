"""The probe rce_stored, driven against jobs that are kept first and run later, by a real shell; `sleep` moves the jobs' own clock."""

import json
import re
import shlex
from pathlib import Path
from random import Random

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, drive, record
from tests.core.testing.probes.told import told
from tests.core.testing.probes.toolbox import Toolbox

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.rce_stored import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")
CASES = [case for case in cases_of("probes") if case.file == "rce_stored"]
OLD = "7"


class Jobs:
    """Jobs with names. The first part of an address says what is done with them. elapsed: of the last answer, by their own clock."""

    def __init__(self, folder: Path) -> None:
        self.random, self.box, self.elapsed = Random(5), Toolbox(folder), 0.0
        self.kept = {OLD: "weekly"}

    def __call__(self, request: Request) -> Response:
        _, place, _, *more = request.path.decode().split("/")
        self.elapsed = self.random.uniform(0.01, 0.1)
        if request.query:
            more.insert(0, request.query.decode().partition("=")[2])
        if more[1:]:
            return self._run(place, self.kept.get(more[0], ""))
        name = json.loads(request.body)["name"]
        if place == "refused" and not re.fullmatch(r"\w+", name):
            return _answer({"error": "no such name"}, 422)
        number = more[0] if more else str(self.random.randint(10**5, 10**6))
        self.kept[number] = name
        return _answer({"id": int(number), "name": name}, 200 if more else 201)

    def _run(self, place: str, name: str) -> Response:
        if place == "limited" and name != "weekly":
            return _answer({"error": "later"}, 429)
        if place == "slow":
            self.elapsed += self.random.uniform(1, 3)
            return _answer({"state": "finished"})
        name = {"quoted": shlex.quote(name), "fixed": "weekly"}.get(place, name)
        self.box.elapsed = 0.0
        output = self.box.run("echo 'label is' @", name)
        if place == "background":
            return _answer({"state": "queued"})
        self.elapsed += self.box.elapsed
        return _answer({"state": "finished", "output": "" if place == "hidden" else output})


def _answer(document: object, status: int = 200) -> Response:
    return Response(status, (JSON,), json.dumps(document).encode())


def driven(request: Request, jobs: Jobs, action: bytes = b"run", seed: int = 1) -> list[Run]:
    """The probe's dialogues about a request that keeps a job, of which the record shows that it is run."""
    baseline, known = record(jobs, request), Pages()
    number = OLD if request.method == "PUT" else str(json.loads(baseline.response.body)["id"])
    later = request.path.removesuffix(b"/7") + b"/" + number.encode() + b"/" + action
    known.meet(baseline.exchange, visited=False)
    known.meet(record(jobs, Request("POST", later, (JSON,), b"{}", host=request.host)).exchange, visited=False)
    checks = plan(baseline, DEFAULT, (), (PROBE,), pages=known.beside(request), makers=known.makers_of(request))
    return [drive(check, jobs, seed) for check in checks]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, tmp_path: Path) -> None:
    assert sorted(case.expected) == sorted(told(run) for run in driven(case.request, Jobs(tmp_path)))


def making(place: str) -> Request:
    return Request("POST", f"/{place}/jobs".encode(), (JSON,), b'{"name":"weekly"}', host="h.example")


def test_a_finding_names_the_request_that_ran_it(tmp_path: Path) -> None:
    (run,) = driven(making("shown"), Jobs(tmp_path))
    assert re.search(r"run when POST /shown/jobs/\d+/run was sent", run.verdict.detail)
    assert run.verdict.threat == 100
    (hidden,) = driven(making("hidden"), Jobs(tmp_path))
    assert hidden.verdict.threat == 95


def test_a_sound_name_costs_what_is_forecast(tmp_path: Path) -> None:
    (run,) = driven(making("quoted"), Jobs(tmp_path))
    assert len(run.sent) == run.check.forecast == 4


@pytest.mark.parametrize("place", ["shown", "limited"])
def test_what_was_changed_is_changed_back(place: str, tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    driven(Request("PUT", f"/{place}/jobs/7".encode(), (JSON,), b'{"name":"weekly"}', host="h.example"), jobs)
    assert jobs.kept[OLD] == "weekly"


def test_payments_are_not_made_for_it(tmp_path: Path) -> None:
    assert driven(making("shown"), Jobs(tmp_path), b"pay") == []


@pytest.mark.parametrize(("place", "runs"), [("plain", True), ("quoted", False), ("fixed", False), ("refused", False)])
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_page_beside_the_objects_that_is_asked_for_one_of_them(
    tmp_path: Path, method: str, place: str, *, runs: bool
) -> None:
    jobs, known = Jobs(tmp_path), Pages()
    target = f"/{place}/jobs" + ("/7" if method == "PUT" else "")
    keeping = record(jobs, Request(method, target.encode(), (JSON,), b'{"name": "weekly"}', host="jobs.example"))
    number = json.loads(keeping.response.body)["id"]
    beside = Request("GET", f"/{place}/jobs/run_now?job_id={number}".encode(), host="jobs.example")
    for each in (keeping, record(jobs, beside)):
        known.meet(each.exchange, visited=False)
    pages = known.beside(keeping.request)
    checks = plan(keeping, DEFAULT, (), (PROBE,), pages=pages, makers=known.makers_of(keeping.request))
    assert checks
    assert any(drive(check, jobs, 1).verdict.outcome is Outcome.VULNERABLE for check in checks) is runs
