"""A row means one point, and a point is shown by the row that means it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.control.policies.point_rows import KINDS, MOST_ROWS, Row, pattern, row, sent
from gatecrash.core.point import PointPattern


@pytest.mark.parametrize(
    ("kind", "text", "point"),
    [
        ("get", "q|search", ["get", "q|search"]),
        ("json", " note ", ["post", "json_doc", "json_obj", "note"]),
        ("form", "a", ["post", "form_urlencoded", "a"]),
        ("multipart", "file", ["post", "multipart", "file"]),
        ("cookie", "theme", ["header", "COOKIE", "cookie", "theme"]),
        ("path", "0", ["path", "0"]),
        ("body", "ignored", ["post"]),
        ("uri", "", ["uri"]),
        ("steps", '["post", "json_doc", ".*", "id"]', ["post", "json_doc", ".*", "id"]),
        ("steps", "get q.*", ["get", "q.*"]),
        ("unheard of", "get q", ["get", "q"]),
        ("get", "  ", None),
        ("steps", "", None),
    ],
)
def test_what_a_row_means(kind: str, text: str, point: list[str] | None) -> None:
    assert pattern(kind, text) == point


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("X-Trace-Id", "X-TRACE-ID"),
        (r"x-\d+-(?:a|b)", r"X-\d+-(?:A|B)"),
        ("x-(?P<n>a)", "X-(?P<n>A)"),
    ],
)
def test_a_header_s_name_is_meant_in_capitals(text: str, meant: str) -> None:
    assert pattern("header", text) == ["header", meant]
    assert PointPattern.parse(["header", meant])


@given(
    kind=st.sampled_from([kind.name for kind in KINDS if kind.named and kind.name != "steps"]),
    text=st.text(st.characters(codec="ascii", exclude_characters="abcdefghijklmnopqrstuvwxyz ", exclude_categories=["Cc"]), min_size=1),
)  # fmt: skip
def test_a_point_is_shown_by_the_row_that_meant_it(kind: str, text: str) -> None:
    point = pattern(kind, text)
    assert point is not None
    assert row(point) == Row(kind, text)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=5))
def test_any_point_can_be_shown_and_meant_again(point: list[str]) -> None:
    shown = row(point)
    assert pattern(shown.kind, shown.text) == point or shown.kind != "steps"


def test_empty_rows_are_left_out_and_their_number_is_bounded() -> None:
    assert sent(["get", "get", "uri"], ["", "q", ""]) == [Row("get", "q"), Row("uri", "")]
    assert len(sent(["get"] * 900, ["q"] * 900)) == MOST_ROWS
