"""What is walked once is what would be walked each time."""

from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.walked_points import LONGEST, walked


def test_equal_requests_have_the_same_points_as_their_walk_finds() -> None:
    one, other = (Request("GET", b"/orders/7?q=a&page=2", ((b"Host", b"h"),)) for _ in range(2))
    assert list(walked(one)) == list(walk(one).points)
    assert walked(one) is walked(other)


def test_another_value_is_another_request() -> None:
    assert walked(Request("GET", b"/orders/7")) != walked(Request("GET", b"/orders/8"))


def test_a_long_body_is_not_held() -> None:
    request = Request("POST", b"/", ((b"Content-Type", b"text/plain"),), b"a" * (LONGEST + 1))
    assert walked(request) == walked(request)
    assert walked(request) is not walked(request)
