"""A browser brings the same along wherever a page leads."""

from gatecrash.core.message import Request
from gatecrash.node.scan.crawl_steps import led, place_of

PAGE = Request(
    "POST", b"/a", ((b"Host", b"a.example"), (b"Cookie", b"s=1"), (b"X-Own", b"1")), b"x=1", host="a.example"
)


def test_what_a_page_leads_to_is_asked_for_with_the_page_as_its_referer() -> None:
    request = led(PAGE, b"/b?x=1")
    assert (request.method, request.target, request.body) == ("GET", b"/b?x=1", b"")
    assert (request.first(b"Cookie"), request.first(b"X-Own")) == (b"s=1", None)
    assert request.first(b"Referer") == b"http://a.example/a"


def test_a_token_makes_no_other_place_and_a_header_of_a_script_does() -> None:
    one, other = (led(PAGE, b"/b?csrf_token=" + each) for each in (b"5f3c9a", b"81d0e2"))
    assert place_of(one) == place_of(other)
    assert place_of(one) != place_of(PAGE)
