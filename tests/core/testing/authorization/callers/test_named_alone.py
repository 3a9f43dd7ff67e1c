"""Requests that set the password of whom they name."""

import orjson
import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.named_alone import filled, set_by_name

JSON = ((b"Content-Type", b"application/json"),)


def _request(method: str, path: str, **sent: str) -> Request:
    return Request(method, path.encode(), JSON, orjson.dumps(sent))


@pytest.mark.parametrize(
    ("method", "path", "sent", "name"),
    [
        ("POST", "/forgot", {"email": "ann@a.example", "new_password": "k1"}, "email"),
        ("PUT", "/api/accounts/password", {"email": "ann@a.example", "password": "k1"}, "email"),
        ("POST", "/recover/finish", {"login": "ann", "code": "123", "password": "k1", "password2": "k1"}, "login"),
        ("POST", "/auth/reset", {"userId": "7", "newPassword": "k1"}, "userId"),
        ("POST", "/auth/reset", {"userId": "7", "email": "ann@a.example", "newPassword": "k1"}, "email"),
        ("PUT", "/users/7/password", {"password": "k1"}, "1"),
        ("POST", "/boards/7/password", {"password": "k1"}, None),
        ("POST", "/reset", {"board_id": "7", "password": "k1"}, None),
        ("POST", "/reset", {"userId": "7", "old_password": "k0", "new_password": "k1"}, None),
        ("POST", "/reset", {"email": "ann@a.example", "password": "k1", "password2": "k2"}, None),
        ("POST", "/login", {"email": "ann@a.example", "password": "k1"}, None),
        ("POST", "/users", {"email": "ann@a.example", "password": "k1"}, None),
        ("POST", "/password", {"email": "ann@a.example", "old_password": "k0", "new_password": "k1"}, None),
        ("POST", "/password", {"password": "k1"}, None),
        ("POST", "/forgot", {"email": "ann@a.example"}, None),
        ("GET", "/forgot", {"email": "ann@a.example", "password": "k1"}, None),
        ("POST", "/wifi", {"user": "ann", "password": "k1"}, None),
    ],
)
def test_whose_password_is_set_by_a_name(method: str, path: str, sent: dict[str, str], name: str | None):
    found = set_by_name(_request(method, path, **sent))
    assert (None if found is None else found.account.name[-1]) == name


def test_it_is_filled_for_somebody_else_in_all_its_places():
    request = _request("POST", "/reset", email="ann@a.example", code="1", password="k1", password_confirm="k1")
    named = set_by_name(request)
    assert named is not None
    asked = filled(request, named, "ben@a.example", "k2")
    assert asked is not None
    assert orjson.loads(asked.body) == {
        "email": "ben@a.example",
        "code": "1",
        "password": "k2",
        "password_confirm": "k2",
    }


@pytest.mark.parametrize(
    ("path", "sent", "called"),
    [
        ("/auth/reset", {"uid": "7", "newPassword": "k1"}, "uid"),
        ("/users/7/password", {"password": "k1"}, "the number in the path"),
    ],
)
def test_a_number_stands_in_the_place_of_a_name(path: str, sent: dict[str, str], called: str):
    request = _request("POST", path, **sent)
    named = set_by_name(request)
    assert (named.numbered, named.account.value, named.called) == (True, "7", called)
    asked = filled(request, named, "9", "k2")
    assert b"9" in asked.target + asked.body
    assert b"7" not in asked.target + asked.body
