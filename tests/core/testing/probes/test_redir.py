"""The probe redir, driven against the range's places over a real port."""

from urllib.parse import urlsplit

import pytest
from tests.core.testing.driving import record, runs
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.redir import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "redir"
    probe = PROBE


def test_the_way_back_to_where_the_browser_came_from_is_left_alone():
    headers = ((b"Referer", b"http://h.example/list"), (b"X-Back", b"/list"))
    request = Request("GET", b"/save?name=tea", headers, host="h.example")
    checks = plan(record(lambda _: Response(302, ((b"Location", b"/list"),)), request), THOROUGH, (), (PROBE,))
    points = {str(check.point) for check in checks}
    assert "header/X-BACK" in points
    assert "header/REFERER" not in points


@pytest.mark.parametrize(("query", "asked"), [(b"page=2", False), (b"page=about", True), (b"next=2", True)])
def test_a_page_by_its_number_is_one_of_a_list(query: bytes, asked: bool):
    baseline = Baseline("bl_1", Exchange(Request("GET", b"/teas?" + query, host="a"), Response(200)))
    assert bool(plan(baseline, DEFAULT, (), (PROBE,))) is asked


def reading_addresses(written: str):
    """A router that takes what begins with two slashes for an address, and leads to what was asked for with a slash more."""

    def respond(request: Request) -> Response:
        path = urlsplit(request.target.decode("latin-1")).path
        if path not in ("/teas", "/teas/"):
            return Response(404)
        more = {"raw": request.target.decode("latin-1"), "read": path}[written] + "/"
        return Response(200) if path.endswith("/") else Response(308, ((b"Location", more.encode("latin-1")),))

    return respond


@pytest.mark.parametrize(("written", "outcome"), [("raw", Outcome.VULNERABLE), ("read", Outcome.SAFE)])
def test_a_path_that_is_read_as_an_address_leads_to_its_host_with_a_slash_more(written: str, outcome: Outcome):
    made = runs(reading_addresses(written), Request("GET", b"/teas"), (PROBE,))
    assert [run.verdict.outcome for run in made if str(run.check.point) == "uri"] == [outcome]
