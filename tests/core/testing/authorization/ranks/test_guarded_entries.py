"""Lists that tell what the address of one entry refuses, at an application that is a function, asked as somebody of a lower rank."""

import orjson
import pytest
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_function import PROBE
from gatecrash.core.testing.verdict import Outcome

KEEPER, BORROWER = OPAQUE["ida"].encode(), OPAQUE["ann"].encode()
USERS = [
    {"id": at, "login": name, "email": f"{name}@a.example"} for at, name in enumerate(("ann", "ben", "ida"), start=7)
]
REFUSED = Response(403, (), b'{"error": "not yours"}')


def depot(request: Request) -> Response:
    """The first part of an address says what the address of one entry tells, and whom."""
    place, kind, *more = [*request.path.decode().split("/")[1:], ""]
    who, more = request.first(b"Authorization"), more[:-1]
    if who not in (KEEPER, BORROWER):
        return Response(401)
    if kind not in ("users", "tools"):
        return Response(404)
    if kind == "tools":
        return answered([{"id": 3, "name": "drill"}, {"id": 4, "name": "saw"}]) if not more else REFUSED
    if not more:
        return answered({"users": USERS})
    one = next((each for each in USERS if str(each["id"]) == more[0]), None)
    if one is None:
        return Response(404)
    if place == "guarded" and who == BORROWER and one["login"] != "ann":
        return REFUSED
    if place == "guarded-for-all" and one["login"] != "ann":
        return REFUSED
    if place == "says-more":
        return answered({**one, "phone": "0160 1", "notes": "late"}) if who == KEEPER else REFUSED
    return answered(one)


def answered(content: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(content))


def run_at(path: str, *known: str) -> Run:
    request = Request("GET", path.encode(), headers=((b"Authorization", KEEPER),), host="a")
    identities = (Identity("ida", 9, ("ida",)), Identity("ann", 1, known))
    (check,) = plan(record(depot, request), DEFAULT, credentials_of(request), (PROBE,), identities=identities)
    return drive_as(check, depot)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/guarded/users", True),
        ("/open/users", False),
        ("/guarded-for-all/users", False),
        ("/says-more/users", False),
        ("/guarded/tools", False),
    ],
)
def test_a_list_is_for_whom_its_entries_are(path: str, found: bool):
    run = run_at(path, "ann", "7")
    assert (run.verdict.outcome is Outcome.VULNERABLE) is found
    assert not found or f"{path}/8, which says of one entry" in run.verdict.proof.verified_by


def test_who_is_listed_himself_is_passed_over_where_nobody_knows_what_he_is_called():
    run = run_at("/guarded/users")
    assert run.verdict.outcome is Outcome.VULNERABLE
    asked = [each.request.path for each in run.sent if each.identity == "ann"]
    assert [path for path in asked if path[-2:-1] == b"/"] == [
        b"/guarded/users/7",
        b"/guarded/users/8",
        b"/guarded/users/8",
    ]
