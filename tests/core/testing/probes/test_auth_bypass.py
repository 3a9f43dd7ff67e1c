"""The probe auth_bypass, driven against the range's guards."""

import json
from random import Random
from urllib.parse import unquote

import pytest
from tests.cases.case import Case
from tests.core.testing.driving import Run, credentials_of, drive, record
from tests.core.testing.probes.at_range import cases, run_case
from tests.range.guards import TOKEN, bare, signed
from tests.range.place import respond

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.auth_bypass import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = cases("auth_bypass")


def told(run: Run) -> str:
    return " ".join([run.verdict.outcome.value, *(["/".join(run.verdict.point)] if run.verdict.point else [])])


def check_of(request: Request, policy=THOROUGH, application=respond):
    (check,) = plan(record(application, request), policy, credentials_of(request), (PROBE,))
    return check


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    (run,) = run_case(case.request, PROBE)
    assert case.expected == (told(run),)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "Not found"], ids=str)
def test_no_twin_is_claimed_with_other_random_values(case: Case, seed: int):
    assert drive(check_of(case.request), respond, seed + 10).verdict.outcome is Outcome.SAFE


def test_a_sound_guard_costs_what_was_forecast_where_everything_is_tried():
    run = drive(check_of(signed("/guards/same-reading")), respond)
    assert len(run.sent) == run.check.forecast == 20


def test_the_default_policy_spells_paths_otherwise_only_where_not_every_path_is_refused():
    def gate(request: Request) -> Response:
        return respond(request) if request.first(b"Authorization") == TOKEN else Response(401)

    spared = drive(check_of(signed("/guards/same-reading"), DEFAULT), gate)
    assert len(spared.sent) == spared.check.forecast == 3
    tried = drive(check_of(signed("/guards/same-reading"), DEFAULT), respond)
    assert len(tried.sent) == 10
    assert drive(check_of(signed("/guards/raw-prefix"), DEFAULT), respond).verdict.outcome is Outcome.VULNERABLE


def test_only_safe_methods_are_sent_and_never_good_credentials_but_to_sample():
    for case in CASES:
        run = drive(check_of(case.request), respond)
        assert all(is_safe(asked.request) or asked.request.method == "PROPFIND" for asked in run.sent)
        assert all(
            asked.request.first(b"Authorization") != TOKEN or asked.request == case.request for asked in run.sent
        )


def test_what_a_recorded_refusal_proves_is_rated_lower():
    same = drive(check_of(signed("/guards/raw-prefix")), respond).verdict
    other = drive(check_of(bare("/guards/refused-when-recorded")), respond).verdict
    assert (same.threat, other.threat) == (75, 60)
    assert same.proof.test.request.path == b"/%67uards/raw-prefix"
    assert other.proof.control.response.status in (401, 404)


def test_where_nobody_is_refused_two_requests_tell_so():
    run = drive(check_of(signed("/guards/guests-see-less")), respond)
    assert (run.verdict.outcome, len(run.sent)) == (Outcome.SAFE, 2)


@pytest.mark.parametrize(
    "request_",
    [
        Request("POST", b"/guards/raw-prefix", ((b"Authorization", TOKEN),), b"{}"),
        Request("GET", b"/guards/raw-prefix/logout", ((b"Authorization", TOKEN),)),
        Request("GET", b"/front"),
    ],
)
def test_changing_and_destroying_requests_and_open_ones_are_left_alone(request_):
    baseline = record(lambda _: Response(200, (), b"fine"), request_)
    assert plan(baseline, THOROUGH, credentials_of(request_), (PROBE,)) == []


def test_an_answer_that_lets_in_only_once_is_nothing():
    opened = 0

    def once(request: Request) -> Response:
        nonlocal opened
        if request.path == b"//guards/same-reading" and not opened:
            opened += 1
            return respond(signed("/guards/same-reading"))
        return respond(request)

    assert drive(check_of(signed("/guards/same-reading")), once).verdict.outcome is Outcome.SAFE
    assert opened


@pytest.mark.parametrize("reads", [unquote, lambda path: unquote(path).strip()], ids=["as it is", "without blanks"])
def test_a_door_that_answers_every_unknown_path_with_what_it_read_lets_nobody_in(reads):
    """A gateway whose routes know one spelling only: all else is told, as a success, to be no service."""

    def gateway(request: Request) -> Response:
        path = request.path.decode("latin-1")
        if path == "/api/admin/flights":
            return Response(403, (), b'{"error": "staff only"}')
        told = {"status": "error", "message": "Unknown service", "path": reads(path)}
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())

    run = drive(check_of(Request("GET", b"/api/admin/flights"), application=gateway), gateway)
    assert run.verdict.outcome is Outcome.SAFE


def test_a_door_that_answers_unknown_paths_in_one_of_two_ways_lets_nobody_in():
    for seed in range(20):
        random = Random(seed)

        def gateway(request: Request, random: Random = random) -> Response:
            if request.path == b"/api/admin/flights":
                return Response(403, (), b'{"error": "staff only"}')
            told = {"status": "error", "message": "Upstream busy" if random.random() < 0.1 else "Unknown service"}
            return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())

        run = drive(check_of(Request("GET", b"/api/admin/flights"), application=gateway), gateway, seed)
        assert run.verdict.outcome is Outcome.SAFE


def test_what_is_taken_for_a_name_below_the_refused_path_is_no_way_round():
    def application(request: Request) -> Response:
        above, _, name = request.path.rpartition(b"/")
        if above != b"/api/events":
            return Response(403 if request.path == b"/api/events" else 404, (), b'{"error": "no"}')
        return Response(200, ((b"Content-Type", b"application/json"),), b'{"of": "%s", "events": []}' % name)

    run = drive(check_of(Request("GET", b"/api/events?kind=made"), application=application), application)
    assert run.verdict.outcome is Outcome.SAFE
    assert b"/api/events/." in {asked.request.path for asked in run.sent}


def test_a_limiter_makes_it_inconclusive_at_once():
    run = drive(check_of(signed("/guards/same-reading")), lambda _: Response(429))
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)
