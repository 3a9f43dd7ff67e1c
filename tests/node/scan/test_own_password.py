"""What sets a password by an account's name sets the scan's own to what it is."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.entrance import Account
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.own_password import keeping_the_password

OURS = Account(user="gcours", mail="gcours@example.com", password="Gc-1")
JSON = (b"Content-Type", b"application/json")


def draft(path: str, body: Any, *holes: Hole, method: str = "PUT") -> Draft:
    return Draft(request=Request(method, path.encode(), (JSON,), json.dumps(body).encode()), drafted=True, holes=holes)


def hole(name: str, place: int) -> Hole:
    return Hole(name, Point(("path", str(place))))


@pytest.mark.parametrize(
    ("name", "path"),
    [("username", b"/users/gcours/password"), ("userEmail", b"/users/gcours@example.com/password")],
)
def test_an_account_that_the_path_names_is_our_own_and_its_password_stays(name: str, path: bytes) -> None:
    kept = keeping_the_password(draft("/users/example/password", {"password": "example"}, hole(name, 1)), OURS)
    assert (kept.request.path, json.loads(kept.request.body)) == (path, {"password": "Gc-1"})
    assert [each.given for each in kept.holes] == [True], "no answer puts another in its place"


def test_an_account_that_the_body_names_is_our_own() -> None:
    body = {"username": "example", "newPassword": "a", "confirm_password": "a", "hint": "b"}
    kept = keeping_the_password(draft("/change-password", body, method="POST"), OURS)
    assert json.loads(kept.request.body) == {
        "username": "gcours", "newPassword": "Gc-1", "confirm_password": "Gc-1", "hint": "b"
    }  # fmt: skip


@pytest.mark.parametrize(
    "asked",
    [
        draft("/users/1/password", {"password": "a"}, hole("user_id", 1)),
        draft("/me/password", {"password": "a"}),
        draft("/users/example/password", {"hint": "a"}, hole("username", 1)),
        draft("/users/example/email", {"email": "a"}, hole("username", 1)),
        draft("/users/example/password/reset", {"password": "a", "otp": "1"}, hole("username", 1)),
        draft("/admin/users/example/password", {"password": "a"}, hole("username", 2)),
        draft("/login/password", {"username": "a", "password": "a"}, method="POST"),
        draft("/users/example/password", {"password": "a"}, hole("username", 1), method="DELETE"),
    ],
    ids=[
        "by number",
        "nobody named",
        "no password",
        "an address",
        "with a code",
        "by an administrator",
        "a login",
        "deletes",
    ],
)
def test_anything_else_stays_as_the_description_has_it(asked: Draft) -> None:
    assert keeping_the_password(asked, OURS) is asked
