"""What the query of an address chooses stands in the list above that address, where its entry there says the same of it."""

import json

import msgspec
import pytest
from tests.core.testing.driving import Application, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, drive_as, identities

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes import idor
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")


def jobs(*, shared: bool = False, reports: bool = False, private: bool = True, chosen: bool = False) -> Application:
    """Repairs at `/jobs`, one's own or all (shared), and of each a report for whoever asks at `/jobs/report?report_id=7`; or
    such of a kind of their own (reports), which are counted as they are. chosen: the list is of what each follows.
    """
    kind = "streams" if chosen else "jobs"

    def application(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        kept = {"7": "ann", "9": "ann", "8": "ben"}
        if not caller:
            return Response(401)
        if request.path == f"/{kind}".encode():
            own = [number for number, owner in kept.items() if shared or owner == caller]
            told: object = [{"id": int(each), "state": "open", "problem": f"Leak {each}"} for each in own]
        else:
            number = (request.query or b"").decode().removeprefix("report_id=")
            said = "Engine is worn" if reports else f"Leak {number}"
            more = {"email": f"{kept.get(number)}@a.example"} if private else {"boat": "Gannet"}
            told = {"id": int(number), "state": "open", "problem": said, **more} if number in kept else None
        return Response(200 if told is not None else 404, (JSON,), json.dumps(told).encode())

    return application


@pytest.mark.parametrize(
    ("given", "claimed"),
    [
        ({}, {"idor"}),
        ({"shared": True}, set()),
        ({"reports": True}, set()),
        ({"private": False}, set()),
        ({"private": False, "chosen": True}, set()),
    ],
    ids=str,
)
@pytest.mark.parametrize("was_empty", [False, True])
def test_a_list_above_shows_what_a_query_chooses_where_its_entry_says_the_same(
    given: dict, claimed: set[str], *, was_empty: bool
):
    application, pages = jobs(**given), Pages()
    headers = ((b"Authorization", OPAQUE["ann"].encode()),)
    kind = "streams" if given.get("chosen") else "jobs"
    request = Request("GET", f"/{kind}/report?report_id=7".encode(), headers)
    recorded = record(application, Request("GET", f"/{kind}".encode(), headers)).exchange
    if was_empty:
        recorded = msgspec.structs.replace(recorded, response=Response(200, (JSON,), b"[]"))
    pages.meet(recorded, visited=False)
    (check,) = plan(
        record(application, request), DEFAULT, credentials_of(request), (idor.PROBE,),
        identities=identities(request), pages=pages.beside(request), around=pages.around(request),
    )  # fmt: skip
    verdict = drive_as(check, application).verdict
    assert {verdict.type for _ in "." if verdict.outcome is Outcome.VULNERABLE} == claimed
