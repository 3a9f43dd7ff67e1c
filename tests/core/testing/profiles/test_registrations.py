"""Which roles an application gives to whoever registers."""

import json

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.registrations import Registrations

JSON = ((b"Content-Type", b"application/json"),)
ANN = {"email": "Ann@crane.example", "password": "k-41"}


def registered(told: object, path: bytes = b"/auth/register", status: int = 201) -> Registrations:
    seen = Registrations()
    request = Request("POST", path, JSON, json.dumps(ANN).encode(), "https", "crane.example", 443)
    seen.see(Exchange(request, Response(status, JSON, json.dumps(told).encode())))
    return seen


@pytest.mark.parametrize(
    ("told", "path", "status", "roles"),
    [
        ({"id": 7, "role": "operator"}, b"/auth/register", 201, {"operator"}),
        ({"id": 7, "role": "ROLE_OPERATOR"}, b"/sign-up", 200, {"operator"}),
        ({"id": 7, "role": "admin"}, b"/auth/register", 201, set()),
        ({"id": 7}, b"/auth/register", 201, set()),
        ({"role": "operator"}, b"/auth/register", 409, set()),
        ({"role": "operator"}, b"/auth/login", 200, set()),
    ],
    ids=["told", "a prefix", "whoever came first", "untold", "refused", "a login"],
)
def test_what_a_registration_tells(told: object, path: bytes, status: int, roles: set[str]) -> None:
    assert registered(told, path, status).ordinary([]) == roles


def test_the_role_of_who_registered_is_told_later() -> None:
    users = [({"ann@crane.example", "7"}, "operator"), ({"ida@crane.example"}, "dispatcher"), ({"max"}, "")]
    assert registered({"id": 7}).ordinary(users) == {"operator"}
    assert Registrations().ordinary(users) == frozenset()
