"""Which objects headers and cookies name."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.objects.named_headers import named_beside


def named(name: bytes, value: bytes, *own: str) -> list[str]:
    request = Request("GET", b"/statement", ((name, value),), host="shop.example")
    return [found for _, found in named_beside(request, frozenset(own))]


@pytest.mark.parametrize(
    ("name", "value"),
    [(b"X-Order-Id", b"31"), (b"X-Account", b"WD-4471"), (b"X-Active-Profile", b"7"), (b"Cookie", b"shelf=11")],
)
def test_numbers_of_things_in_headers_and_cookies_are_named(name: bytes, value: bytes) -> None:
    assert named(name, value) == [value.decode().rpartition("=")[2]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (b"X-Request-Id", b"31"),
        (b"X-Client-Version", b"31"),
        (b"X-User-Key", b"k7d8f9a1"),
        (b"X-Account", b"premium"),
        (b"X-Theme", b"7"),
        (b"X-Tenant", b"acme"),
    ],
)
def test_what_names_the_request_the_program_or_a_kind_is_not(name: bytes, value: bytes) -> None:
    assert named(name, value) == []


def test_words_that_are_known_to_be_names_are() -> None:
    assert named(b"X-Tenant", b"acme", "acme") == ["acme"]
    assert named(b"X-User", b"ann", "ann") == ["ann"]
    assert named(b"X-Policyholder", b"PH-3305", "ph-3305") == ["PH-3305"]
    assert named(b"X-Policyholder", b"PH-3305") == named(b"X-Mode", b"ann", "ann") == []
