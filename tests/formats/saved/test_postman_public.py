"""What a collection says of who may send its requests."""

import pytest

from gatecrash.formats.saved.postman_public import brings_by_hand
from tests.formats.saved.test_postman import read, saved


def test_a_request_that_is_an_address_alone_brings_nothing() -> None:
    assert not brings_by_hand({"request": "http://h.example/"})


@pytest.mark.parametrize(
    ("name", "value", "public"),
    [
        ("X-Shop-Token", "{{token}}", True),
        ("Authorization", "Bearer {{token}}", True),
        ("X-Shop-Token", "abc", False),
        ("X-CSRF-Token", "{{token}}", False),
        ("Idempotency-Key", "{{key}}", False),
    ],
)
def test_what_brings_none_where_others_bring_credentials_by_hand_is_for_everybody(
    name: str, value: str, *, public: bool
) -> None:
    with_it = saved("http://h.example/a", header=[{"key": name, "value": value}])
    one, other = read(with_it, saved("http://h.example/b"))
    assert (one.public, other.public) == (False, public)
