"""A baseline gives its request and the answer that was recorded."""

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline


def test_it_gives_both_sides_of_its_exchange():
    baseline = Baseline("bl_1", Exchange(Request("GET", b"/"), Response(200)))
    assert (baseline.request.method, baseline.response.status) == ("GET", 200)
    assert Baseline("bl_2", Exchange(Request("GET", b"/"))).response is None
