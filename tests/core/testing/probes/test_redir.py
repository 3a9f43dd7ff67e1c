"""The probe redir, driven against the range's places over a real port."""

from tests.core.testing.driving import record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
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
