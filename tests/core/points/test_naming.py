"""Names are distinct whatever the fields are called, plain where they can be, and never depend on values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.points.codec import CONTAINER, Part
from gatecrash.core.points.naming import bracketed, distinct, number_fields


@pytest.mark.parametrize(
    ("names", "steps"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a"], ["a/array/0", "a/array/1"]),
        (["a[]"], ["a/array/0"]),
        (["a[]", "a", "a[]"], ["a/array/0", "a/array/1", "a/array/2"]),
        (["a[b]", "a[c]"], ["a/hash/b", "a/hash/c"]),
        (["a[b]", "a[b]"], ["a/hash/b/array/0", "a/hash/b/array/1"]),
        (["a[b][c]", "a[b]"], ["a/hash/b/hash/c", "a/hash/b/array/0"]),
        (["a", "a[b]"], ["a/array/0", "a/hash/b"]),
        (["a[][b]", "a[][b]"], ["a/array/0/hash/b", "a/array/1/hash/b"]),
        (["a[0]"], ["a/hash/0"]),
        (["a[", "a]", "[a]", "a[b]c", "a[[b]]"], ["a[", "a]", "[a]", "a[b]c", "a[[b]]"]),
        (["a" + "[b]" * 31], ["a" + "[b]" * 31]),
    ],
)
def test_fields_are_told_apart(names: list[str], steps: list[str]) -> None:
    assert ["/".join(walk) for walk in number_fields([bracketed(name) for name in names])] == steps


@given(st.lists(st.text(alphabet="ab[]", max_size=8), max_size=12))
def test_fields_are_always_distinct(names: list[str]) -> None:
    steps = number_fields([bracketed(name) for name in names])
    assert len(set(steps)) == len(names)


def test_parts_in_repeated_containers_are_numbered_with_them() -> None:
    def part(*steps: str) -> Part:
        return Part(steps, 0, 0, b"", 0, 0, CONTAINER)

    parts = [part(), part("o", "a"), part("o", "a", "o", "x"), part("o", "a"), part("o", "a", "o", "x"), part("o", "b")]
    assert ["/".join(numbered.steps) for numbered in distinct(parts)] == [
        "",
        "o/a/array/0",
        "o/a/array/0/o/x",
        "o/a/array/1",
        "o/a/array/1/o/x",
        "o/b",
    ]
