"""Requests that differ in nothing but numbers are of one kind, and the first of each kind goes first."""

import pytest

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.selection.alike import each_kind_first, kind_of


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (b"/items?id=7", b"/items?id=12", True),
        (b"/items/7/notes", b"/items/7f3a-11/notes", True),
        (b"/list?sort=name&page=1", b"/list?sort=name&page=2", True),
        (b"/img/p-1.png", b"/img/p-2.png", True),
        (b"/list?sort=name", b"/list?sort=price", False),
        (b"/index?do=show", b"/index?do=edit", False),
        (b"/items/lathe", b"/items/drill", False),
        (b"/items?id=7", b"/items?id=7&note=1", False),
    ],
)
def test_what_differs_in_numbers_alone_is_alike(one: bytes, other: bytes, alike: bool) -> None:
    assert (kind_of(Request("GET", one)) == kind_of(Request("GET", other))) is alike


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (Request("POST", b"/a", body=b'{"id":1}'), Request("POST", b"/a", body=b'{"id":2}'), True),
        (Request("POST", b"/a", body=b'{"do":"add"}'), Request("POST", b"/a", body=b'{"do":"take"}'), False),
        (Request("PUT", b"/a/1"), Request("DELETE", b"/a/2"), False),
        (Request("GET", b"/a", host="one.example"), Request("GET", b"/a", host="two.example"), False),
    ],
)
def test_method_host_and_words_of_a_body_tell_kinds_apart(one: Request, other: Request, alike: bool) -> None:
    assert (kind_of(one) == kind_of(other)) is alike


def test_each_kind_comes_once_before_any_comes_again_and_else_all_stay_in_their_order() -> None:
    targets = (b"/items?id=1", b"/items?id=2", b"/items?id=3", b"/find?q=lamp", b"/orders/1", b"/orders/2", b"/")
    recorded = [Baseline(str(number), Exchange(Request("GET", target))) for number, target in enumerate(targets)]
    assert [each.request.target for each in each_kind_first(recorded)] == [
        b"/items?id=1", b"/find?q=lamp", b"/orders/1", b"/", b"/items?id=2", b"/orders/2", b"/items?id=3",
    ]  # fmt: skip
