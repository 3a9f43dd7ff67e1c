"""Tables of people whose columns have no names."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.ranks.sections_of_roles import may_list_others, role_of_section
from gatecrash.core.testing.authorization.ranks.unnamed_columns import unnamed_columns

PEOPLE = [
    ["Greta Ohm", "0170 11", "singer"],
    ["Bruno &amp; Co", "0170 22", "singer"],
    ["<b>Paula</b> <i>Kern</i>", "0170 33", "Board"],
]


def page(rows: list[list[str]], *, head: str = "", kind: bytes = b"text/html") -> Response:
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return Response(200, ((b"Content-Type", kind),), f"<p>All</p><table>{head}{body}</table><p>x</p>".encode())


def test_columns_are_told_apart_by_what_they_hold():
    (told,) = unnamed_columns(page(PEOPLE))
    assert told == {
        "column_0": ["greta ohm", "bruno & co", "paula kern"],
        "phone_1": ["0170 11", "0170 22", "0170 33"],
        "role": ["singer", "singer", "board"],
    }


def test_a_section_is_called_after_a_role_in_such_a_table():
    assert may_list_others(page(PEOPLE))
    assert role_of_section("board", page(PEOPLE), frozenset({"greta ohm"})) == "board"
    assert role_of_section("board", page(PEOPLE), frozenset({"paula kern"})) == ""


def test_of_a_long_cell_no_more_is_read_than_names_have():
    (told,) = unnamed_columns(page([[f"{name}a<b>" * 5_000, phone] for name, phone, _ in PEOPLE]))
    assert max(map(len, told["column_0"])) < 1000


@pytest.mark.parametrize(
    "answer",
    [
        page(PEOPLE, head="<tr><th>Name</th><th>Phone</th><th>Role</th></tr>"),
        page(PEOPLE, kind=b"text/plain"),
        page(PEOPLE[:2]),
        page([*PEOPLE, ["Kim Lo", "0170 44"]]),
        page([["one"], ["two"], ["three"]]),
        Response(200, ((b"Content-Type", b"text/html"),), b"<td>a</td><tr><td>b</td>"),
    ],
    ids=["with names", "no page", "two rows", "uneven", "one column", "no table"],
)
def test_other_tables_are_read_otherwise(answer: Response):
    assert unnamed_columns(answer) == []


@pytest.mark.parametrize(
    "values", [["2026-12-01", "2026-12-08", "2026-12-15"], ["84.00", "12.00", "9.50"], ["0170 11"] * 3]
)
def test_days_amounts_and_one_number_for_all_reach_nobody(values: list[str]):
    rows = [[name, value, role] for (name, _, role), value in zip(PEOPLE, values, strict=True)]
    assert not may_list_others(page(rows))
