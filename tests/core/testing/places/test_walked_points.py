"""What is walked once is what would be walked each time."""

from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.places.walked_points import LONGEST, walked


def test_equal_requests_have_the_same_points_as_their_walk_finds() -> None:
    one, other = (Request("GET", b"/orders/7?q=a&page=2", ((b"Host", b"h"),)) for _ in range(2))
    assert list(walked(one)) == list(walk(one).points)
    assert walked(one) is walked(other)


def test_another_value_is_another_request() -> None:
    assert walked(Request("GET", b"/orders/7")) != walked(Request("GET", b"/orders/8"))


def test_of_long_bodies_the_last_alone_is_held() -> None:
    one, other = (
        Request("POST", b"/", ((b"Content-Type", b"text/plain"),), letter * (LONGEST + 1)) for letter in (b"a", b"b")
    )
    first = walked(one)
    assert walked(one) is first
    assert walked(other) != first
    assert walked(one) == first
    assert walked(one) is not first


def test_declarations_of_namespaces_are_no_values() -> None:
    body = b'<a xmlns="urn:a" xmlns:b="urn:b" kind="new"><b:c>tea</b:c></a>'
    found = walked(Request("POST", b"/", ((b"Content-Type", b"text/xml"),), body))
    assert [each.value for each in found if each.point[0] == "post" and not each.container] == [b"new", b"tea"]
