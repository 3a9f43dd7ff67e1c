"""What a site's one script is asked for."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.operations.one_script import asks_for_page, page_asked, spoken_path


@pytest.mark.parametrize(
    ("target", "page"),
    [
        (b"/index.php?page=message&id=7", "message"),
        (b"/?do=orders", "orders"),
        (b"/shop/index.php?module=orders&action=view&id=7", "orders/view"),
        (b"/index.php?page=message.php", "message"),
        (b"/main.aspx?r=account/orders", "account/orders"),
        (b"/index.php?id=7", ""),
        (b"/index.php?page=2", ""),
        (b"/index.php?page=../etc/passwd", ""),
        # The address itself says what it is about.
        (b"/orders?view=all", ""),
        (b"/orders.php?page=first", ""),
        (b"/index.php", ""),
    ],
)
def test_the_page_is_named_in_the_query(target, page):
    assert page_asked(Request("GET", target, host="a")) == page


def test_the_page_stands_behind_the_path_as_elsewhere():
    assert spoken_path(Request("GET", b"/shop/index.php?page=basket&id=7")) == "/shop/index.php/basket"
    assert spoken_path(Request("GET", b"/basket?id=7")) == "/basket"


@pytest.mark.parametrize(
    ("target", "alone"),
    [(b"/index.php?page=basket", True), (b"/index.php?page=basket&id=7", False), (b"/index.php?id=7", False)],
)
def test_a_query_may_say_nothing_but_the_page(target, alone):
    assert asks_for_page(Request("GET", target)) is alone
