"""What a draft asks for."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.asked_for import (
    asks_for_one,
    care,
    found_nothing,
    is_filtered,
    names_its_end,
    spared,
    unknown,
)


def asked(method: str, target: bytes, *holes: Hole, spare: bytes = b"") -> Draft:
    shorter = Request(method, spare) if spare else None
    return Draft(Request(method, target), Response(200), holes=holes, spare=shorter)


FILTER = Hole("state", Point(("get", "state")), loose=True)
ORDER = Hole("order_id", Point(("path", "1")))


def test_a_filter_is_what_may_be_left_out() -> None:
    listed = asked("GET", b"/orders?state=open", FILTER, spare=b"/orders")
    assert is_filtered(listed)
    assert spared(listed).request.target == b"/orders"
    assert not is_filtered(asked("GET", b"/orders?state=open", FILTER)), "nobody said that it may"
    assert (asks_for_one(listed), asks_for_one(asked("GET", b"/orders/7", ORDER))) == (False, True)


@pytest.mark.parametrize(("target", "ends"), [(b"/orders/7", True), (b"/orders/7/items", False)])
def test_a_path_ends_in_what_it_names_or_asks_for_something_of_it(target: bytes, ends: bool) -> None:
    assert names_its_end(asked("GET", target, ORDER)) is ends


def test_what_is_made_goes_before_what_is_changed_and_known_values_before_unknown_ones() -> None:
    make, change = asked("POST", b"/orders"), asked("PUT", b"/orders/7", ORDER)
    assert care(make) < care(change)
    assert unknown(make) < unknown(change)


@pytest.mark.parametrize(("status", "holes", "nothing"), [(404, (), True), (403, (ORDER,), True), (403, (), False)])
def test_who_may_not_have_what_the_path_names_may_have_another(
    status: int, holes: tuple[Hole, ...], nothing: bool
) -> None:
    found = Draft(Request("GET", b"/orders/7"), Response(status), holes=holes)
    assert found_nothing(found) is nothing
    assert not found_nothing(asked("GET", b"/orders/7", *holes))
