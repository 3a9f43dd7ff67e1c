"""Pages that lead one rank alone to what people keep to themselves, at an application that is a function."""

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

KEEPER, MEMBER = OPAQUE["ida"].encode(), OPAQUE["ann"].encode()
LIST = (
    "<table><tr><th>Name</th><th>E-mail</th><th>Fee</th></tr><tr><td>Ann Marsh</td><td>ann@a.example</td><td>paid</td></tr>"
    "<tr><td>Ben Frost</td><td>ben@a.example</td><td>owes 40</td></tr><tr><td>Ida Crown</td><td>ida@a.example</td><td>paid</td></tr></table>"
)
NIGHTS = "<table><tr><th>Night</th><th>Dome</th></tr><tr><td>Friday</td><td>north</td></tr><tr><td>Sunday</td><td>south</td></tr></table>"
MENU = '<nav><a href="{place}/dome/members">Members</a></nav>'


def page(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), f"<h1>Dome</h1>{text}".encode())


def dome(request: Request) -> Response:
    """The first part of an address says whom the menu is shown to, and what stands at the address."""
    _, place, *more = request.path.decode().split("/")
    who = request.first(b"Authorization")
    if who not in (KEEPER, MEMBER):
        return Response(401)
    if more == ["dome", "members"]:
        return Response(403) if place == "guarded" and who == MEMBER else page(NIGHTS if place == "nights" else LIST)
    if more == ["dome", "plan"]:
        shown = who == KEEPER or place == "for-all"
        if place == "kept" and who == MEMBER:
            return Response(302, ((b"Location", b"/login"),))
        return page("Friday" + MENU.format(place=f"/{place}") * (shown and place != "nowhere"))
    return Response(404)


def driven(place: str) -> Run:
    request = Request("GET", f"/{place}/dome/members".encode(), ((b"Authorization", KEEPER),))
    known = (Identity("ida", 10), Identity("ann", 0, ("ann@a.example",)))
    beside = (f"/{place}/dome/plan".encode(),)
    (check,) = plan(
        record(dome, request), DEFAULT, credentials_of(request), (PROBE,), identities=known, alongside=beside
    )
    return drive_as(check, dome)


def test_what_a_menu_offers_to_the_higher_identity_alone_is_for_it() -> None:
    run = driven("offered")
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert "/offered/dome/plan leads the higher identity there, and not the lower one" in run.verdict.proof.verified_by


@pytest.mark.parametrize("place", ["for-all", "nowhere", "nights", "guarded", "kept"])
def test_all_else_says_nothing(place: str) -> None:
    assert driven(place).verdict.outcome is Outcome.SAFE
