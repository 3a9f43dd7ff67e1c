"""Which recorded pages stand around an endpoint."""

import pytest

from gatecrash.core.testing.addresses.sections import (
    above,
    around,
    folder_of,
    in_part_for_some,
    names_the_object,
    right_beside,
    section_of,
)


@pytest.mark.parametrize(
    ("path", "target", "found"),
    [
        (b"/threads/4/reply", b"/threads/4/reply", True),
        (b"/notes/41/share", b"/notes/41", True),
        (b"/notes/41/share", b"/notes/42", False),
        (b"/teacher/roster.csv", b"/teacher/roster?page=2", True),
        (b"/orders.csv", b"/orders", True),
        (b"/teacher/grades", b"/teacher/roster", True),
        (b"/staff/fees/waive", b"/staff/members", True),
        (b"/shop/compare", b"/shop/orders", False),
        (b"/compare.php", b"/account.php", False),
        (b"/api/v1/scan", b"/api/v1/me", False),
        (b"/api/v1/scan", b"/api/v1", False),
        (b"/backend/parts", b"/backend/orders", True),
        (b"/backend/v1/parts", b"/backend/v1/orders", False),
        (b"/backend/v1/desk/parts", b"/backend/v1/desk/orders", True),
        (b"/admin/v1/parts", b"/admin/v1/orders", True),
        (b"/admin", b"/admin/orders", False),
        (b"/me/picture", b"/me", True),
        (b"/order_print.php", b"/order.php?id=7", True),
        (b"/shop/printOrder", b"/shop/order?id=7", True),
        (b"/order.php", b"/order_print.php?id=7", False),
        (b"/order_print.php", b"/orders.php", False),
        (b"/print.php", b"/order.php", False),
    ],
)
def test_what_stands_around_a_path(path, target, found):
    assert around(path, [target]) == ((target,) if found else ())
    assert not found or section_of(path) == section_of(target.partition(b"?")[0])


def test_the_nearest_come_first_and_they_are_few():
    targets = [b"/admin/a", b"/admin/orders", b"/admin/orders/7", b"/admin/b", b"/admin/orders/7/note"]
    assert around(b"/admin/orders/7/note", targets) == (
        b"/admin/orders/7/note",
        b"/admin/orders/7",
        b"/admin/orders",
    )


def test_the_page_that_is_printed_goes_before_other_printed_ones():
    printed = [b"/order_print?id=%d" % number for number in range(4)]
    assert around(b"/order_print", [*printed, b"/order?id=9"])[0] == b"/order?id=9"


def test_what_all_of_an_application_stands_below_is_not_above():
    assert above(b"/api/v2/notes/41/share") == (b"/api/v2/notes/41", b"/api/v2/notes")
    assert above(b"/en/app/index.php") == ()


def test_parts_for_some_and_one_object():
    assert in_part_for_some(b"/hr/salaries")
    assert not in_part_for_some(b"/staff")
    assert names_the_object(b"/notes/41/print", b"/notes/41")
    assert not names_the_object(b"/notes/41/print", b"/notes")
    assert not names_the_object(b"/notes/41/print", b"/notes/42")


def test_around_the_root_stands_nothing():
    assert around(b"/", [b"/staff", b"/", b"/api/me", b""]) == ()
    assert around(b"/staff", [b"/", b""]) == ()


def test_pages_of_the_same_folder_stand_right_beside_it_but_for_one_of_many():
    targets = [
        b"/office/users?page=2",
        b"/office/users",
        b"/office/users/7",
        b"/office/7",
        b"/office/halls?x=1",
        b"/hall",
    ]
    assert right_beside(b"/office/debts", targets) == (b"/office/users", b"/office/halls?x=1")
    assert right_beside(b"/office/users", targets) == (b"/office/halls?x=1",)
    assert right_beside(b"/office/7", targets) == right_beside(b"/api/v1/users", [b"/api/v1/halls"]) == ()
    assert (folder_of(b"/office/users/"), folder_of(b"/api/users")) == (b"/office", None)
