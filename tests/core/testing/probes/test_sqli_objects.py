"""The probe sqli_objects: objects that a driver writes as SQL in the place of a bound value."""

import json

import pytest
from tests.cases.case import Case
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, cases, run_case, told_all
from tests.range.place import respond

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, QUICK
from gatecrash.core.testing.probes.sqli_objects import PROBE
from gatecrash.core.testing.verdict import Outcome

JSON = ((b"Content-Type", b"application/json"),)


# Values alone: names of parameters are points of the thorough policy as well.
NARROW = WITHOUT_NAMES


def posted(path: str, **values: object) -> Request:
    return Request("POST", path.encode(), JSON, json.dumps(values).encode())


def checks(request: Request, application=respond, policy=DEFAULT):
    return plan(record(application, request), policy, (), (PROBE,))


@pytest.mark.parametrize("case", cases("sqli_objects"), ids=str)
def test_case(case: Case):
    assert case.expected == told_all(run_case(case.request, PROBE))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("case", [case for case in cases("sqli_objects") if case.kind == "Not found"], ids=str)
def test_no_twin_is_claimed_with_other_random_values(case: Case, seed: int):
    for check in checks(case.request, policy=NARROW):
        assert drive(check, respond, seed + 10).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize("case", [case for case in cases("sqli_objects") if case.kind == "Not found"], ids=str)
def test_a_sound_point_costs_little(case: Case):
    (check,) = checks(case.request, policy=NARROW)
    run = drive(check, respond)
    # Who looks for what an object holds is asked for the value itself at last.
    assert len(run.sent) <= (25 if b"meant" in case.request.target else 3)
    assert check.forecast == 1


def test_who_answers_at_random_is_not_claimed():
    answers = iter([b'{"welcome": "ann", "plan": "gold"}', b'{"error": "wrong password"}'] * 100)

    def application(_request: Request) -> Response:
        return Response(200, JSON, next(answers))

    (check,) = checks(posted("/login", password="sesame"), application)
    assert drive(check, application).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(
    "request_",
    [
        posted("/members", name="tea"),
        posted("/auth/verify-email", token="tea"),
        posted("/sessions/7/rooms", room="tea"),
        Request("GET", b"/unsubscribe?code=tea"),
        posted("/login", password="1"),
        posted("/login", codes=["tea"]),
        posted("/login", magic_link="tea"),
        posted("/session", refresh_token="tea"),
        Request("PUT", b"/login", JSON, b'{"password": "sesame"}'),
        Request("GET", b"/members/31"),
    ],
    ids=[
        "changes something",
        "finds by a token",
        "below a session",
        "a link in a mail",
        "is the number",
        "no name",
        "used up",
        "renewed",
        "another method",
        "no place for an object",
    ],
)
def test_where_nothing_is_asked(request_):
    node = (*JSON, (b"X-Powered-By", b"Express"))
    assert checks(request_, lambda _request: Response(200, node, b'{"id": 1}')) == []


def test_reads_are_asked_by_default_where_node_answers():
    def by(server: bytes):
        return lambda _request: Response(200, (*JSON, (b"X-Powered-By", server)), b'{"id": 1}')

    request = Request("GET", b"/members?team=tea")
    assert len(checks(request, by(b"Express"))) == 1
    assert checks(request, by(b"PHP/8.2")) == []
    assert len(checks(request, by(b"PHP/8.2"), NARROW)) == 1


def test_nothing_is_asked_where_one_family_is_enough():
    assert checks(posted("/login", password="sesame"), policy=QUICK) == []
