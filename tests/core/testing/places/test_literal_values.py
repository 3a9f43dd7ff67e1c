"""Of an expression that filters its values are places of their own."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.injectable import injectable
from gatecrash.core.testing.places.literal_values import literals
from gatecrash.core.testing.policy import DEFAULT


@pytest.mark.parametrize(
    ("point", "value", "found"),
    [
        (("get", "$filter"), b"Name eq 'x' and Kind eq 'y'", [b"x", b"y"]),
        (("post", "json_doc", "json_obj", "where"), b"a==b;c==d;e==f;g==h", [b"b", b"d", b"f"]),
        (("header", "X-FILTER"), b"Name eq 'x'", []),
        (("uri",), b"Name eq 'x'", []),
        (("get", "q"), b"tea for two", []),
    ],
)
def test_the_first_values_of_an_expression(point: tuple[str, ...], value: bytes, found: list[bytes]) -> None:
    expected = {Point((*point, "literal", str(number))): one for number, one in enumerate(found)}
    assert literals({Point(point): value}) == expected


def test_they_stand_beside_the_whole_value() -> None:
    request = Request("GET", b"/odata?$filter=Name%20eq%20'x'&$top=3")
    places = injectable(Baseline("bl_1", Exchange(request, Response(200))), DEFAULT, ())
    assert [(*point[1:], value) for point, value in places if point[0] == "get"] == [
        ("$filter", b"Name eq 'x'"),
        ("$top", b"3"),
        ("$filter", "literal", "0", b"x"),
    ]
