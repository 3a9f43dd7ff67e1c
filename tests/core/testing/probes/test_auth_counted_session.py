"""The probe auth_counted_session, driven against sessions that are counted, read off a clock, or drawn."""

import hashlib
from collections.abc import Callable
from email.utils import formatdate
from random import Random

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_counted_session import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_counted_session"]
NOW = 1_790_000_000


def md5(number: int) -> str:
    return hashlib.md5(str(number).encode(), usedforsecurity=False).hexdigest()


class Sessions:
    """An application that gives out a session with each answer; others come between. step: how many."""

    def __init__(self, step: int = 1, seed: int = 1) -> None:
        self.random = Random(seed)
        self.step = step
        self.count = 40
        self.made: dict[str, Callable[[], str]] = {
            "counter": lambda: str(self.count),
            "worded": lambda: f"sess_{self.count}",
            "hashed": lambda: md5(self.count),
            "second": lambda: str(NOW + self.count),
            "hashed-second": lambda: md5(NOW + self.count),
            "token": lambda: str(self.count),
            "chance": lambda: str(self.random.randrange(10**9, 10**10)),
            "the-same": lambda: "40",
            "behind-chance": lambda: f"{self.random.getrandbits(64):016x}-{self.count}",
        }

    def __call__(self, request: Request) -> Response:
        self.count += self.step
        kind = request.path.decode().split("/")[1]
        value, date = self.made[kind](), (b"Date", formatdate(NOW + self.count, usegmt=True).encode())
        if kind == "token":
            return Response(200, ((b"Content-Type", b"application/json"), date), b'{"token": "%s"}' % value.encode())
        return Response(200, ((b"Set-Cookie", f"sessionid={value}; HttpOnly".encode()), date), b"welcome")


def checks_of(request: Request, application: Sessions, told: set[tuple[str, ...]] | None = None) -> list[Check]:
    return plan(record(application, request), DEFAULT, (), (PROBE,), told=told)


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("step", [1, 7])
def test_case(case: Case, step: int):
    application = Sessions(step)
    runs = [drive(check, application) for check in checks_of(case.request, application)]
    told = [f"{run.verdict.outcome.value} {run.verdict.detail}" for run in runs]
    assert case.expected == tuple(told or ["none"])
    assert all(len(run.sent) == run.check.forecast for run in runs)


@pytest.mark.parametrize("seed", range(20))
def test_chance_is_never_claimed(seed: int):
    application = Sessions(seed=seed)
    (check,) = checks_of(Request("POST", b"/chance"), application)
    assert drive(check, application).verdict.outcome is Outcome.SAFE


def test_numbers_that_jump_are_no_counter():
    application = Sessions(step=1000)
    (check,) = checks_of(Request("POST", b"/counter"), application)
    assert drive(check, application).verdict.outcome is Outcome.SAFE


def test_it_is_told_once_a_run_and_name():
    told: set[tuple[str, ...]] = set()
    application = Sessions()
    (check,) = checks_of(Request("POST", b"/counter"), application, told)
    assert drive(check, application).verdict.outcome is Outcome.VULNERABLE
    assert checks_of(Request("POST", b"/counter"), application, told) == []


@pytest.mark.parametrize(
    "cookie",
    [b"last_visit=1790000000", b"cart=7", b"csrf_session=12", b"session_count=3", b"sessionid=5d0c11e7a9b34f20"],
)
def test_what_is_no_session_or_no_number_is_left_alone(cookie):
    def application(_: Request) -> Response:
        return Response(200, ((b"Set-Cookie", cookie),), b"welcome")

    assert plan(record(application, Request("POST", b"/login")), DEFAULT, (), (PROBE,)) == []


def test_sessions_that_people_go_to_are_counted_as_anything_is():
    def application(_: Request) -> Response:
        return Response(201, ((b"Content-Type", b"application/json"),), b'{"session_id": 12, "teacher": "Ann"}')

    booked = Request("POST", b"/sessions", ((b"Content-Type", b"application/json"),), b'{"teacher": "Ann"}')
    assert plan(record(application, booked), DEFAULT, (), (PROBE,)) == []
