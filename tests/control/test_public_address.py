"""What stands in front of the service is named as a browser would, and nothing else is taken."""

import pytest

from gatecrash.control.public_address import read
from gatecrash.core.errors import UserError


@pytest.mark.parametrize(
    ("given", "address"),
    [
        (None, ""),
        (" ", ""),
        ("https://gatecrash.example.com", "https://gatecrash.example.com"),
        ("https://gatecrash.example.com:8443/", "https://gatecrash.example.com:8443"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_an_address_is_read_as_a_browser_tells_it(given: str | None, address: str) -> None:
    assert read(given) == address


@pytest.mark.parametrize(
    "given",
    ["gatecrash.example.com", "ftp://a", "https://", "https://a/gatecrash", "https://a?b", "https://[a", "https://a:b"],
)
def test_what_no_browser_calls_an_origin_is_refused_with_the_way_out(given: str) -> None:
    with pytest.raises(UserError, match="is no address such as https://"):
        read(given)
