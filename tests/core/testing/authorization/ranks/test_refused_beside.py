"""Functions of a section that is for others, at an application that is a function, asked as somebody of a lower rank."""

from random import Random

import orjson
import pytest
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.driving import answered as played
from tests.core.testing.probes.as_tenants import drive_as
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.ranks.refused_beside import refused_to_himself
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.probes.auth_function import PROBE
from gatecrash.core.testing.verdict import Outcome

MASTER, CLERK = OPAQUE["ida"].encode(), OPAQUE["ann"].encode()
PEOPLE = [
    {"username": name, "email": f"{name}@a.example", "role": role}
    for name, role in (("ann", "clerk"), ("ben", "clerk"), ("ida", "harbourer"))
]
PILOTS = [{"name": name, "email": f"{name}@a.example", "role": role} for name, role in (("pia", "pilot"), ("lou", "chief"), ("max", "pilot"))]  # fmt: skip
DEBTS = [{"berth": 4, "iban": "DE1"}, {"berth": 7, "iban": "DE2"}]
HALLS = [{"hall": 4, "seats": 12}, {"hall": 5, "seats": 30}]
PAGES = {
    "/office/users": PEOPLE,
    "/office/halls": HALLS,
    "/office/debts": DEBTS,
    "/office/pilots": PILOTS,
    "/office/contact": DEBTS,
    "/members/all": PEOPLE,
    "/harbour/debts": DEBTS,
    "/harbour/halls": HALLS,
    "/broken/debts": DEBTS,
}
REFUSED = {
    "/office/statistics": "harbour office only",
    "/members/bills": "team admins only",
    "/harbour/statistics": "not for you",
    "/broken/statistics": "for the broken",
}


def ferry(request: Request) -> Response:
    path, who = request.path.decode(), request.first(b"Authorization")
    if who not in (MASTER, CLERK):
        return answered(401, {"error": "sign in"})
    if path in REFUSED and (who == CLERK or path.startswith("/broken/")):
        return answered(403, {"error": REFUSED[path]})
    if request.method == "POST":
        return answered(201, {"id": 4, "berth": "closed"})
    if path in REFUSED:
        return answered(200, {"berths": 12})
    return answered(200, PAGES[path]) if path in PAGES else answered(404, {"error": "nothing there"})


def answered(status: int, content: object) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), orjson.dumps(content))


def run_at(method: str, path: str, *beside: str, role: str = "harbourer") -> Run:
    """As the harbour master, of whose section other pages are known; a clerk stands below him."""
    body = b'{"berth": 4}' if method == "POST" else b""
    request = Request(method, path.encode(), headers=((b"Authorization", MASTER),), body=body, host="a")
    known = (Identity("ida", 9, ("ida", f"is={role}")), Identity("ann", 1, ("ann",)))
    targets = tuple(each.encode() for each in beside)
    (check,) = plan(
        record(ferry, request), DEFAULT, credentials_of(request), (PROBE,), identities=known, alongside=targets
    )
    return drive_as(check, ferry)


@pytest.mark.parametrize(
    ("method", "path", "beside", "found"),
    [
        ("GET", "/office/users", "/office/statistics", True),
        ("GET", "/office/debts", "/office/statistics", True),
        ("GET", "/harbour/debts", "/harbour/statistics", True),
        ("POST", "/office/berths", "/office/statistics", True),
        ("POST", "/harbour/berths", "/harbour/statistics", True),
        ("GET", "/office/halls", "/office/statistics", False),
        ("GET", "/office/pilots", "/office/statistics", False),
        ("GET", "/office/users", "/office/halls", False),
        ("GET", "/members/all", "/members/bills", False),
        ("GET", "/harbour/halls", "/harbour/statistics", False),
        ("GET", "/broken/debts", "/broken/statistics", False),
        ("POST", "/members/guests", "/members/bills", False),
        ("POST", "/office/messages", "/office/statistics", False),
    ],
)
def test_whom_a_section_is_for_is_told_by_its_role_or_by_its_refusal(method, path, beside, found):
    run = run_at(method, path, beside, role="harbourer")
    assert (run.verdict.outcome is Outcome.VULNERABLE) is found
    assert not found or f"{beside}, right beside it, is refused" in run.verdict.proof.verified_by


def test_a_section_that_has_something_for_everybody_says_nothing_of_what_changes():
    run = run_at("POST", "/office/berths", "/office/halls", "/office/statistics")
    assert run.verdict.outcome is Outcome.SAFE
    assert [each.request.method for each in run.sent if each.identity == "ann"] == ["GET"] * len(run.sent)


def test_a_role_that_stands_beside_others_says_nothing():
    assert run_at("GET", "/harbour/debts", "/harbour/statistics", role="driver").verdict.outcome is Outcome.SAFE


def test_a_refusal_counts_that_is_given_twice():
    run = run_at("GET", "/office/users", "/office/statistics")
    asked = [each.request.path for each in run.sent if each.identity == "ann"]
    assert asked.count(b"/office/statistics") == 2


@pytest.mark.parametrize(
    ("path", "barred", "told"),
    [
        ("/office/debts", "/office/statistics", True),
        ("/office/halls", "/office/statistics", False),
        ("/harbour/debts", "/harbour/statistics", False),
        ("/office/debts", "/office/halls", False),
        ("/office/pilots", "/office/statistics", False),
        ("/members/all", "/members/bills", False),
    ],
)
def test_a_clerk_who_reads_what_is_for_others_is_told_so_right_beside_it(path, barred, told):
    request = Request("GET", path.encode(), ((b"Authorization", CLERK),), host="a")
    situation = Situation(
        baseline=record(ferry, request), point=Point(()), value=b"", credentials=credentials_of(request), policy=DEFAULT,
        random=Random(1), identities=(Identity("ann", 1, ("ann",)),), barred=(barred.encode(),),
    )  # fmt: skip
    words = played(refused_to_himself(situation), ferry)
    assert words == (
        f"{barred}, right beside it, is refused to the same caller, in words that it is for 'office'." if told else ""
    )
