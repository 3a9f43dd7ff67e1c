"""Pairs with percent codes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.points.codec import Limits
from gatecrash.core.points.pairs import decode, encode, pair_parts, without_pair


@given(st.binary(), st.sampled_from([b"+", b"%20"]))
def test_every_value_can_be_held(value: bytes, space: bytes) -> None:
    encoded = encode(value, space)
    assert decode(encoded) == value
    assert not set(encoded) & set(b"&=# \"'<>[]{}")


def test_only_the_first_equals_sign_divides() -> None:
    parts = pair_parts(b"a=b=c&d", 0, (), Limits())
    assert [(part.steps, part.value) for part in parts] == [(("a",), b"b=c"), (("d",), b"")]


@pytest.mark.parametrize(("position", "left"), [(0, b"x?b=2&&c=3"), (1, b"x?a=1&&c=3"), (2, b"x?a=1&b=2&")])
def test_a_pair_goes_with_one_ampersand(position: int, left: bytes) -> None:
    data = b"x?a=1&b=2&&c=3"
    assert without_pair(data, pair_parts(data, 2, (), Limits())[position]) == left


def test_a_few_more_than_allowed_are_read_and_no_more() -> None:
    assert len(pair_parts(b"a&" * 100, 0, (), Limits(points=5))) == 6
