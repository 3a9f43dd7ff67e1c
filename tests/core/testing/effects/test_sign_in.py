"""Logins, and pages of logins."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.sign_in import shows_a_login, shows_an_entrance, signs_in


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        (b"/login", b"mail=a%40b.example&password=x", True),
        (b"/login.php", b"mail=a%40b.example&pw=x", True),
        (b"/sign-in", b'{"name": "a", "userPwd": "x"}', True),
        (b"/login", b"name=a&kennwort=x", True),
        (b"/login", b"mail=a%40b.example", False),
        (b"/login", b'{"badge": 2, "pin": 1002}', True),
        (b"/login", b"card=2&pinCode=1002", True),
        (b"/login", b'{"mail": "a", "secret": "x"}', True),
        (b"/login", b"client_secret=x", False),
        (b"/login", b"clientSecret=x", False),
        (b"/login", b"power=3", False),
        (b"/login", b"spin=3", False),
        (b"/orders", b"pw=x", False),
    ],
)
def test_what_signs_in_has_a_password_by_any_of_its_usual_names(path, body, expected):
    assert signs_in(Request("POST", path, (), body)) is expected
    assert signs_in(Request("GET", path + b"?" + body)) is expected, "as some APIs have it"


def test_a_login_is_known_by_the_name_of_its_page():
    assert shows_a_login(Request("GET", b"/wiki.php?id=start&do=login"))
    assert not shows_a_login(Request("POST", b"/login"))
    assert not shows_a_login(Request("GET", b"/orders"))


@pytest.mark.parametrize(
    ("method", "target", "expected"),
    [
        ("GET", b"/login", True),
        ("GET", b"/signup", True),
        ("GET", b"/index.php?page=register", True),
        ("GET", b"/accounts/registration.html", True),
        ("GET", b"/join", True),
        ("GET", b"/registers/7", False),
        ("GET", b"/joined", False),
        ("GET", b"/settings", False),
        ("POST", b"/signup", False),
    ],
)
def test_a_page_that_lets_in_is_one_of_a_login_or_of_a_registration(method, target, expected):
    assert shows_an_entrance(Request(method, target)) is expected
