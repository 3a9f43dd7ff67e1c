"""Of a list the first value is a place of its own."""

import pytest

from gatecrash.core.point import Point
from gatecrash.core.testing.places.list_values import firsts_of_lists


@pytest.mark.parametrize(
    ("point", "value", "found"),
    [
        (("get", "ids"), b"1,2,3", {"0": b"1"}),
        (("get", "filter"), b"city:Ulm,sku:A1,n:3", {"0": b"city:Ulm", "1": b"sku:A1"}),
        (("post", "json_doc", "json_obj", "tags"), b"a;b", {"0": b"a"}),
        (("header", "X-FORWARDED-FOR"), b"10.0.0.1, 10.0.0.2", {"0": b"10.0.0.1"}),
        (("header", "ACCEPT-LANGUAGE"), b"de-DE,de;q=0.9", {"0": b"de-DE"}),
        (("header", "COOKIE", "cookie", "seen"), b"7|8", {"0": b"7"}),
        (("header", "ACCEPT"), b"text/html,application/json", {}),
        (("header", "SEC-CH-UA"), b"a,b", {}),
        (("get", "a,b", "name"), b"a,b", {}),
        (("post", "multipart", "file", "filename"), b"a,b.txt", {}),
        (("get", "q"), b"hello, dear world", {}),
        (("uri",), b"/a,b", {}),
    ],
)
def test_the_first_value_of_a_list(point: tuple[str, ...], value: bytes, found: dict[str, bytes]) -> None:
    assert firsts_of_lists({Point(point): value}) == {
        Point((*point, "list", number)): value for number, value in found.items()
    }
