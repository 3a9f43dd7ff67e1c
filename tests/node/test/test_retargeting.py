"""A baseline aimed at another origin."""

import pytest

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


def _moved(*headers: tuple[bytes, bytes], target: str = "http://127.0.0.1:5000") -> dict[bytes, bytes]:
    request = Request("POST", b"/x", ((b"Host", b"shop.test"), *headers), b"", "https", "shop.test", 443)
    return dict(retargeted(Baseline("bl_1", Exchange(request)), target).request.headers)


def test_a_form_is_sent_from_a_page_of_the_other_target() -> None:
    moved = _moved((b"origin", b"https://shop.test"), (b"Referer", b"https://shop.test/basket?at=//shop.test/"))
    assert moved[b"origin"] == b"http://127.0.0.1:5000"
    assert moved[b"Referer"] == b"http://127.0.0.1:5000/basket?at=//shop.test/"


def test_the_scheme_in_front_of_a_proxy_is_its_own_too() -> None:
    assert _moved((b"Origin", b"http://shop.test"), target="https://b.test")[b"Origin"] == b"https://b.test"


@pytest.mark.parametrize(
    "elsewhere",
    [b"https://shop.test.evil.test", b"https://front.test", b"http://shop.test:3000", b"null", b"", b"x/shop.test"],
)
def test_what_was_sent_from_elsewhere_stays_so(elsewhere: bytes) -> None:
    moved = _moved((b"Origin", elsewhere), (b"Referer", elsewhere + b"/a"))
    assert (moved[b"Origin"], moved[b"Referer"]) == (elsewhere, elsewhere + b"/a")
