"""A baseline aimed at another origin."""

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.node.test.retargeting import retargeted


def test_another_target_changes_where_it_goes_and_the_host() -> None:
    request = Request("GET", b"/x", ((b"A", b"1"), (b"hOst", b"old")), b"", "https", "old", 443)
    moved = retargeted(Baseline("bl_1", Exchange(request)), "http://127.0.0.1:5000").request
    assert moved.url == "http://127.0.0.1:5000/x"
    assert moved.headers == ((b"A", b"1"), (b"hOst", b"127.0.0.1:5000"))


def test_without_another_target_it_stays_as_it_is() -> None:
    baseline = Baseline("bl_1", Exchange(Request("GET", b"/x", host="a")))
    assert retargeted(baseline, None) is baseline
