"""The query of the target."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.points.codec import LIMITS, splice
from gatecrash.core.points.formats.query import QUERY

TARGET = b"/p?a=1&b[]=%20&b[]=+&flag&&c=x=y"


def test_fields_stand_behind_the_first_question_mark() -> None:
    assert [("/".join(part.steps), part.value) for part in QUERY.parts(TARGET, LIMITS, 32)] == [
        ("get/a", b"1"),
        ("get/b/array/0", b" "),
        ("get/b/array/1", b" "),
        ("get/flag", b""),
        ("get/c", b"x=y"),
    ]
    assert QUERY.parts(b"/p", LIMITS, 32) == []
    assert [part.value for part in QUERY.parts(b"/p?a=b?c=d", LIMITS, 32)] == [b"b?c=d"]


@given(st.integers(0, 4), st.binary())
def test_what_is_written_is_read_and_the_rest_stays(position: int, value: bytes) -> None:
    before = QUERY.parts(TARGET, LIMITS, 32)
    place = before[position]
    after = QUERY.parts(splice(TARGET, place.start, place.end, QUERY.encode(TARGET, place, value)), LIMITS, 32)
    assert [part.steps for part in after] == [part.steps for part in before]
    assert [part.value for part in after] == [value if n == position else part.value for n, part in enumerate(before)]


@pytest.mark.parametrize(("target", "left"), [(b"/?a=1", b"/"), (b"/?a=?", b"/"), (b"/?a=1&b=?", b"/?b=?")])
def test_the_question_mark_goes_with_the_only_field(target: bytes, left: bytes) -> None:
    assert QUERY.remove(target, QUERY.parts(target, LIMITS, 32)[0]) == left
