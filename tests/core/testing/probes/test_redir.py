"""The probe redir, driven against the range's places over a real port."""

import pytest
from tests.core.testing.driving import record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.redir import PROBE


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
