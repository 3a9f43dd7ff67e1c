"""What a site's one script is asked for."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.one_script import page_asked


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
