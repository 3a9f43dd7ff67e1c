"""The probe ptrav, driven by hand against a shelf of real files."""

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record, runs
from tests.core.testing.probes.shelf import Shelf
from tests.core.testing.probes.told import told

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.repeating import MORE, ROUNDS
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.ptrav import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = [case for case in cases_of("probes") if case.file == "ptrav"]


@pytest.fixture
def shelf(tmp_path):
    shelf = Shelf(tmp_path)

    def application(request: Request) -> Response:
        try:
            return shelf(request)
        except (ValueError, AttributeError):
            return Response(404)

    return application


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, seed: int, shelf):
    assert sorted(case.expected) == sorted(told(run) for run in runs(shelf, case.request, (PROBE,), seed=seed))


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "Not found"], ids=str)
def test_a_sound_point_costs_at_most_ten_requests(case, shelf):
    for run in runs(shelf, case.request, (PROBE,)):
        assert len(run.sent) <= 10


@pytest.mark.parametrize(("value", "cost"), [(b"5", 1), (b"true", 1), (b"tea", 3), (b"tea.txt", 9)])
def test_what_is_spent_depends_on_the_value_and_is_forecast(value, cost, shelf):
    run = next(
        run for run in runs(shelf, Request("GET", b"/static?f=" + value), (PROBE,)) if run.check.point[0] == "get"
    )
    assert run.check.forecast == len(run.sent) == cost


def test_what_only_the_raw_target_opens_is_told_of_the_target_by_the_check_of_its_last_segment(shelf):
    def application(request: Request) -> Response:
        decoding = b"%" not in request.target and b"/../" in request.target
        return shelf(Request("GET", b"/raw/" + request.target.partition(b"/")[2])) if decoding else shelf(request)

    (run,) = runs(application, Request("GET", b"/static/tea.txt"), (PROBE,))
    assert (tuple(run.check.point), run.verdict.outcome, run.verdict.point) == (
        ("path", "1"),
        Outcome.VULNERABLE,
        ("uri",),
    )


def test_a_target_whose_last_segment_is_no_point_is_looked_at_by_itself(shelf):
    policy = msgspec.structs.replace(DEFAULT, locations=("uri",))
    baseline = record(shelf, Request("GET", b"/raw/tea.txt"))
    assert [tuple(check.point) for check in plan(baseline, policy, (), (PROBE,))] == [("uri",)]


def test_a_finding_shows_its_proof(shelf):
    run = next(run for run in runs(shelf, Request("GET", b"/plain?f=tea.txt"), (PROBE,)) if run.check.point[0] == "get")
    verdict = run.verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("ptrav", (22,), 85)
    assert b"root:x:0:0" in verdict.proof.test.response.body
    assert b"root:x:0:0" not in verdict.proof.control.response.body
    purposes = [each.purpose for each in run.sent]
    assert purposes[:3] == ["test", "control", "confirm"]
    # Then both again and again, in random order.
    assert sorted(purposes[3:]) == ["confirm"] * (ROUNDS + MORE) + ["control"] * ROUNDS


def test_a_limiter_makes_it_inconclusive(shelf):
    checks = plan(record(shelf, Request("GET", b"/plain?f=tea")), DEFAULT, (), (PROBE,))
    assert {drive(check, lambda _: Response(429)).verdict.reason for check in checks} == {Inconclusive.RATE_LIMITED}


def test_a_target_that_breaks_for_good_is_no_clean_bill(shelf):
    checks = plan(record(shelf, Request("GET", b"/plain?f=tea")), DEFAULT, (), (PROBE,))
    assert {drive(check, lambda _: Response(500)).verdict.reason for check in checks} == {Inconclusive.UNSTABLE}
