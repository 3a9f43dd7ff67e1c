"""Several values in one."""

import pytest

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import LIMITS, Limits, Unreadable
from gatecrash.core.points.formats.list import LIST
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.points.walk import read, walk


@pytest.mark.parametrize(
    ("data", "values"),
    [
        (b"1,2,3", [b"1", b"2", b"3"]),
        (b"203.0.113.7, 198.51.100.2", [b"203.0.113.7", b"198.51.100.2"]),
        (b"de-DE,de;q=0.9", [b"de-DE", b"de;q=0.9"]),
        (b"a;b|c", [b"a", b"b|c"]),
        (b"x|y", [b"x", b"y"]),
    ],
)
def test_values_stand_between_the_first_kind_of_mark(data: bytes, values: list[bytes]) -> None:
    assert LIST.looks(data)
    assert [part.value for part in LIST.parts(data, LIMITS, 32)] == values


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"alone",
        b"Dear Ann, hello there",
        b"a,,b",
        b"a,",
        b"1," * 400 + b"1",
        b'O:5:"Thing":1:{i:0;i:1;}',
        b"f(1,2)",
    ],
)
def test_texts_are_no_lists(data: bytes) -> None:
    assert not LIST.looks(data)


def test_one_value_is_written_and_the_rest_stays() -> None:
    request = Request("GET", b"/?ids=1,2,3", ((b"X-Forwarded-For", b"10.0.0.1, 10.0.0.2"),))
    first, caller = Point.of("get", "ids", "list", "0"), Point.of("header", "X-FORWARDED-FOR", "list", "1")
    assert Point.parse(first) == first
    assert rewrite(request, first, b"1' b").target == b"/?ids=1%27%20b%2C2%2C3"
    assert read(rewrite(request, first, b"1' b"), first) == b"1' b"
    assert rewrite(request, caller, b"x").headers[0][1] == b"10.0.0.1, x"
    assert rewrite(request, first, b"1") == request
    assert remove(request, first).target == b"/?ids=2%2C3"
    assert remove(request, caller).headers[0][1] == b"10.0.0.1"
    with pytest.raises(UnwritableValue):
        rewrite(request, first, b"1,2")


def test_what_has_no_mark_is_unreadable_and_values_are_bounded() -> None:
    with pytest.raises(Unreadable):
        LIST.parts(b"alone", LIMITS, 32)
    assert len(LIST.parts(b"1," * 1000, Limits(points=5), 32)) == 6


def test_no_value_is_taken_for_a_list_unasked() -> None:
    found = walk(Request("GET", b"/?ids=1,2,3")).points
    assert not any("list" in each.point or each.container for each in found)
