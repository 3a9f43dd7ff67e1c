"""The values that an expression of comparisons holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import LIMITS, Limits, Unreadable, splice
from gatecrash.core.points.formats.literal import LITERAL
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read, walk

EXPRESSIONS = [
    (b"Name eq 'x'", [b"x"]),
    (b"contains(Name,'it''s') and (Price gt 3)", [b"it's", b"3"]),
    (b"not substringof('x',Name) eq true", [b"x"]),
    (b"status = 'Open' AND owner = \"bob\"", [b"Open", b"bob"]),
    (b"Path eq 'C:\\'", [b"C:\\"]),
    (b'name=="x \\" y",size=in=a', [b'x " y', b"a"]),
    (b"(name==x*;age=gt=3)", [b"x*", b"3"]),
    (b"title:x AND kind:'y z'", [b"x", b"y z"]),
]


@pytest.mark.parametrize(("data", "values"), EXPRESSIONS)
def test_each_value_is_read_as_the_language_writes_it(data: bytes, values: list[bytes]) -> None:
    assert LITERAL.looks(data)
    assert [part.value for part in LITERAL.parts(data, LIMITS, 1)] == values


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"tea",
        b"O'Brien",
        b"user:7",
        b"10:30",
        b"a=1;b=2",
        b"http://x.example/y",
        b"Price gt 3",
        b'He said: "hello" and left',
        b'{"a":"x"}',
        b'O:5:"Thing":1:{i:0;i:1;}',
        b"Name eq 'x",
        b"Name eq 'x' " * 200,
    ],
)
def test_other_values_are_no_expressions(data: bytes) -> None:
    assert not LITERAL.looks(data)


@given(value=st.binary(max_size=30), told=st.sampled_from(EXPRESSIONS), place=st.integers(0, 1))
def test_any_value_is_read_again_and_changes_no_other(
    value: bytes, told: tuple[bytes, list[bytes]], place: int
) -> None:
    data, values = told
    place %= len(values)
    part = LITERAL.parts(data, LIMITS, 1)[place]
    assert LITERAL.encode(data, part, part.value) == data[part.start : part.end]
    changed = splice(data, part.start, part.end, LITERAL.encode(data, part, value))
    assert [each.value for each in LITERAL.parts(changed, LIMITS, 1)] == [
        *values[:place],
        value,
        *values[place + 1 :],
    ]


def test_a_point_names_one_and_nothing_is_taken_for_an_expression_unasked() -> None:
    request = Request("GET", b"/odata?$filter=Name%20eq%20'x'%20and%20Kind%20eq%20'y'")
    second = Point.of("get", "$filter", "literal", "1")
    assert Point.parse(second) == second
    assert read(request, second) == b"y"
    assert b"Kind%20eq%20%27a%27%27%20b%27" in rewrite(request, second, b"a' b").target
    assert not any("literal" in each.point or each.container for each in walk(request).points)


def test_what_is_none_is_unreadable_and_values_are_bounded() -> None:
    with pytest.raises(Unreadable):
        LITERAL.parts(b"tea", LIMITS, 1)
    assert len(LITERAL.parts(b"a==b;" * 20 + b"a==b", Limits(points=5), 1)) == 6
    (part,) = LITERAL.parts(b"Name eq 'x'", LIMITS, 1)
    assert LITERAL.remove(b"Name eq 'x'", part) is None
