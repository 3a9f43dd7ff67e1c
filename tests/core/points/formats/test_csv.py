"""Tables of text: values by row and column, written without moving any other."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.points.codec import LIMITS, Limits, Part, Unreadable, splice
from gatecrash.core.points.formats.csv import CSV

VALUES = st.text(st.sampled_from("ab ,;\t|\"'\n\r<>ä%="), max_size=8)
TABLES = st.lists(st.lists(VALUES, min_size=1, max_size=4), min_size=1, max_size=4)


def parts(data: bytes) -> list[Part]:
    return CSV.parts(data, LIMITS, 32)


def rows(data: bytes) -> dict[tuple[int, int], bytes]:
    return {(int(part.steps[1]), int(part.steps[3])): part.value for part in parts(data)}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a,b\r\n1,2\r\n", {(0, 0): b"a", (0, 1): b"b", (1, 0): b"1", (1, 1): b"2"}),
        (b"\xef\xbb\xbfa;b\n1;", {(0, 0): b"a", (0, 1): b"b", (1, 0): b"1", (1, 1): b""}),
        (b'"x ""y"", z"\t2\n\n\n3\t', {(0, 0): b'x "y", z', (0, 1): b"2", (1, 0): b"3", (1, 1): b""}),
        (b'"a\nb"|c', {(0, 0): b"a\nb", (0, 1): b"c"}),
        (b"alone", {(0, 0): b"alone"}),
        (b",,", {(0, 0): b"", (0, 1): b"", (0, 2): b""}),
        (b"", {}),
    ],
)
def test_rows_and_columns_by_what_stands_between_them(data: bytes, expected: dict[tuple[int, int], bytes]) -> None:
    assert rows(data) == expected


@given(TABLES, VALUES, st.data())
def test_a_written_value_is_what_another_reader_sees_and_no_other_moves(
    table: list[list[str]], value: str, draw: st.DataObject
) -> None:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(table)
    data = text.getvalue().encode()
    place = draw.draw(st.sampled_from(parts(data)))
    changed = splice(data, place.start, place.end, CSV.encode(data, place, value.encode()))
    expected = [list(row) for row in table]
    expected[int(place.steps[1])][int(place.steps[3])] = value
    assert list(csv.reader(io.StringIO(changed.decode(), newline=""))) == expected
    assert rows(changed) == rows(data) | {(int(place.steps[1]), int(place.steps[3])): value.encode()}


@pytest.mark.parametrize(
    ("value", "written"), [(b"x'", b"x'"), (b"x;y", b'"x;y"'), (b'"', b'""""'), (b" x", b'" x"'), (b"", b"")]
)
def test_quotes_are_added_where_a_value_would_be_divided(value: bytes, written: bytes) -> None:
    data = b"a,b\n1,2\n"
    assert CSV.encode(data, parts(data)[2], value) == written


def test_a_removed_value_leaves_its_place() -> None:
    data = b'a,"b",c\n'
    assert CSV.remove(data, parts(data)[1]) == b"a,,c\n"


@pytest.mark.parametrize("data", [b'a,"b\n', b'a,"b"c\n', b'"'])
def test_a_quote_that_is_not_closed_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parts(data)


def test_values_are_bounded() -> None:
    assert len(CSV.parts(b"1," * 100_000, Limits(points=10), 32)) < 13


@pytest.mark.parametrize(
    ("data", "clear"),
    [
        (b"name,city\nAnna,Berlin\nBen,Kiel\n", True),
        (b'"first name";age\r\n"x; y";3', True),
        (b"name,city\nAnna\n", False),
        (b"Dear Anna, hello\nhow are you, and the others, too?\n", False),
        (b"name,city\n", False),
        (b"a sentence\nand another\n", False),
        (b"name,city\nAnna,\x00\n", False),
    ],
)
def test_a_value_is_a_table_where_names_stand_above_rows_of_the_same_length(data: bytes, clear: bool) -> None:
    assert CSV.looks(data) == clear
