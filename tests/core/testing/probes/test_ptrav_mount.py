"""The probe ptrav_mount, driven against the range's places over a real port."""

import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.ptrav_mount import PROBE
from gatecrash.core.testing.verdict import Outcome

ACCOUNTS = b"root:x:0:0:root:/root:/bin/bash\n"


class TestProbe(AtRange):
    name = "ptrav_mount"
    probe = PROBE


def outcome(application, target: bytes) -> tuple[Outcome, int]:
    (check,) = plan(record(application, Request("GET", target)), DEFAULT, (), (PROBE,))
    run = drive(check, application)
    return run.verdict.outcome, len(run.sent)


@pytest.mark.parametrize("target", [b"/site.css", b"/look/site.css", b"/look/new/in/site.css"])
def test_the_root_may_stand_for_the_folder(target: bytes):
    def application(request: Request) -> Response:
        return Response(200, (), ACCOUNTS if request.target in (b"/%2fetc%2fpasswd", b"//etc/passwd") else b"body {}")

    assert outcome(application, target)[0] is Outcome.VULNERABLE


@pytest.mark.parametrize(
    ("target", "cost"), [(b"/site.css", 4), (b"/look/site.css", 6), (b"/look/new/site.css?v=3", 8)]
)
def test_a_sound_file_costs_two_requests_a_folder_and_two_for_names_that_no_file_has(target: bytes, cost: int):
    assert outcome(lambda _: Response(200, (), b"body {}"), target) == (Outcome.SAFE, cost)


WHOLE = b"/raw/home/anna/site/plan.txt"


@pytest.mark.parametrize(("target", "prefix"), [(WHOLE, b"/raw"), (b"/file=/tmp/a/b/plan.txt", b"/file=")])
def test_an_address_that_holds_a_whole_path_may_be_given_another(target: bytes, prefix: bytes):
    def application(request: Request) -> Response:
        return Response(200, (), ACCOUNTS if request.path == prefix + b"/etc/passwd" else b"beans in row three")

    assert outcome(application, target)[0] is Outcome.VULNERABLE


def allowed_alone(request: Request) -> Response:
    """Hands out what lies in one folder, by whole paths."""
    inside = request.path.startswith(b"/raw/home/anna/site/")
    return Response(200, (), b"beans in row three") if inside else Response(403, (), b"/etc/passwd is outside")


def named_so(request: Request) -> Response:
    """Has a folder of its own that is called as one of the system's."""
    return Response(200, (), b"beans in row three") if request.path == WHOLE else Response(404)


def accounts_of_its_own(_request: Request) -> Response:
    """Whose own file shows accounts."""
    return Response(200, (), ACCOUNTS)


@pytest.mark.parametrize("application", [allowed_alone, named_so, accounts_of_its_own])
def test_whole_paths_that_show_no_other_file_are_sound(application):
    assert outcome(application, WHOLE) in ((Outcome.SAFE, 9), (Outcome.SAFE, 10))


def test_a_folder_is_told_once_in_a_run():
    def application(request: Request) -> Response:
        return Response(200, (), ACCOUNTS if request.target == b"/a/%2fetc%2fpasswd" else b"body {}")

    told: set[tuple[str, ...]] = set()
    outcomes = []
    for target in (b"/a/x/site.css", b"/a/y/site.css", b"/a/x/site.css"):
        (check,) = plan(record(application, Request("GET", target)), DEFAULT, (), (PROBE,), told=told)
        outcomes.append(drive(check, application).verdict.outcome)
    assert outcomes == [Outcome.VULNERABLE, Outcome.SAFE, Outcome.VULNERABLE]


def test_who_shows_accounts_for_anything_of_these_words_shows_no_file():
    def application(request: Request) -> Response:
        return Response(200, (), ACCOUNTS if b"passwd" in request.target else b"body {}")

    assert outcome(application, b"/look/site.css")[0] is Outcome.SAFE


@pytest.mark.parametrize(
    ("method", "target", "status"), [("POST", b"/a.css", 200), ("GET", b"/a.css", 404), ("GET", b"/a", 200)]
)
def test_only_files_are_asked_for(method: str, target: bytes, status: int):
    baseline = record(lambda _: Response(status, (), b"logo"), Request(method, target))
    assert plan(baseline, DEFAULT, (), (PROBE,)) == []
