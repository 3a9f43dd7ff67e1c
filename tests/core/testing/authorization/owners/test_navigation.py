"""Members' pages, to which the navigation of their site leads them, driven as two tenants."""

import pytest
from tests.core.testing.driving import record
from tests.core.testing.probes.as_tenants import check_of, drive_as
from tests.range.place import page
from tests.range.tenants_store import BY_TOKEN, SIGNED, asked

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

MEMBERS = {"7": "ann", "8": "ben"}
SAID = {"7": "gardening and old maps", "8": "long walks by the sea"}
FORM = "<h1>Settings</h1><form>Language <select><option>English</option></select></form>"


def forum(*, everywhere: bool, kept: str = ""):
    """Every page, or that of one's settings alone, leads to one's own page. kept: what a member's page says besides."""

    def respond(request: Request) -> Response:
        own = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        number = next((each for each, name in MEMBERS.items() if name == own), "")
        if not number:
            return page("<h1>Sign in</h1>", 401)
        link = f'<nav><a href="/members/{number}/{own}">My page</a></nav>'
        if request.path == b"/members":
            return page(link + FORM)
        frame = link if everywhere else "<nav><a href='/'>Home</a></nav>"
        shown = request.path.decode().split("/")[2:3]
        if not request.path.startswith(b"/members/") or not shown or shown[0] not in MEMBERS:
            return page(frame + "<h1>Not found</h1>", 404)
        said = SAID[shown[0]]
        return page(f"{frame}<h1>About {MEMBERS[shown[0]]}</h1><p>Likes {said}</p><p>Wrote twelve messages</p>{kept}")

    return respond


@pytest.mark.parametrize(
    ("application", "outcome"),
    [
        (forum(everywhere=True), Outcome.SAFE),
        (forum(everywhere=False), Outcome.VULNERABLE),
        (forum(everywhere=True, kept="<dl><dt>Phone</dt><dd>+44 20 7946 0000</dd></dl>"), Outcome.VULNERABLE),
    ],
    ids=["led-to-everywhere", "on-one-page-alone", "what-is-kept"],
)
def test_the_page_that_a_navigation_leads_to_is_no_ones_alone(application, outcome: Outcome) -> None:
    request = asked("/members/7/ann", tokens=SIGNED)("")
    pages = Pages()
    pages.add(record(application, asked("/members", tokens=SIGNED)("")).exchange)
    check = check_of(request, application, probe=PROBE, beside=pages)
    assert check is not None
    assert drive_as(check, application).verdict.outcome is outcome
