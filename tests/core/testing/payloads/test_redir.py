"""Every address leads a browser to the host of ours, and to none that somebody can own."""

from urllib.parse import urljoin, urlsplit

import pytest

from gatecrash.core.testing.oracles.pages.landing import host_of
from gatecrash.core.testing.payloads.redir import FIRST, WHERE_REDIRECTED


@pytest.mark.parametrize(
    "pattern", [each for each in FIRST + WHERE_REDIRECTED if not each.startswith(("{value}", "@", "/."))]
)
def test_a_browser_lands_on_our_host(pattern):
    landed = host_of(
        pattern.format(host="bcdf.example", own="shop.test", value="/home", scheme="http", site="shop.test:81")
    )
    assert landed in ("bcdf.example", "shop.test.bcdf.example")


def test_what_is_put_behind_a_value_lands_on_us_where_the_value_is_a_host():
    for pattern in WHERE_REDIRECTED:
        if pattern.startswith("{value}"):
            landed = host_of(pattern.format(host="bcdf.example", own="", value="https://shop.test"))
            assert landed in ("bcdf.example", "shop.test.bcdf.example")


def test_what_is_a_path_of_ones_own_lands_on_us_once_it_was_read_as_an_address():
    (pattern,) = [each for each in WHERE_REDIRECTED if each.startswith("/.")]
    read = urlsplit(urljoin("http://shop.test/", pattern.format(host="bcdf.example")))
    assert (read.netloc, host_of(read.path)) == ("shop.test", "bcdf.example")
