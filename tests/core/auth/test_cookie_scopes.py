"""Which hosts share a cookie."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.cookie_scopes import scope_of, scopes_of, without_port


@pytest.mark.parametrize(
    ("host", "domain", "scope"),
    [
        ("shop.example", b"", "shop.example"),
        ("shop.example:8443", b"", "shop.example"),
        ("[::1]:3000", b"", "[::1]"),
        ("api.shop.example", b".Shop.Example", ".shop.example"),
        ("shop.example", b"shop.example", ".shop.example"),
        ("shop.example", b"other.example", None),
        ("myshop.example", b"shop.example", None),
        ("shop.example", b"example", None),
        ("shop.example", b"api.shop.example", None),
        ("localhost:3000", b"localhost", "localhost"),
        ("127.0.0.1:3000", b"0.0.1", None),
        ("127.0.0.1:3000", b"127.0.0.1", "127.0.0.1"),
    ],
)
def test_the_scope_of_a_cookie(host, domain, scope):
    assert scope_of(host, domain) == scope


def test_the_scopes_of_a_host():
    assert scopes_of("api.shop.example:8443") == ("api.shop.example", ".api.shop.example", ".shop.example")
    assert scopes_of("localhost:3000") == ("localhost",)
    assert scopes_of("[::1]:3000") == ("[::1]",)
    assert len(scopes_of("a." * 500 + "example")) <= 12


@given(st.text(max_size=60), st.binary(max_size=60))
def test_a_scope_is_always_one_of_its_hosts(host, domain):
    scope = scope_of(host, domain)
    assert scope is None or scope.startswith(".") or scope == without_port(host)
    if scope is not None and len(without_port(host).split(".")) <= 12:
        assert scope in scopes_of(host)
