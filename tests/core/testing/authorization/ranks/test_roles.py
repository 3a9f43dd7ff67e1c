"""Roles that tokens and answers name."""

import orjson
import pytest
from tests.range.jwt_tokens import issued

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.ranks.roles import claims, fields, is_managers_name, low_role, manages


@pytest.mark.parametrize(
    ("told", "managing", "low"),
    [
        ([("role", "admin")], True, ""),
        ([("roles", "ROLE_USER"), ("roles", "ROLE_ADMIN")], True, ""),
        ([("is_admin", "true"), ("role", "user")], True, ""),
        ([("isAdmin", "1")], True, ""),
        ([("isAdmin", "false")], False, "not isAdmin"),
        ([("role", "customer")], False, "customer"),
        ([("role", "captain")], False, ""),
        ([("manager", "1")], False, ""),
        ([("level", "3"), ("email", "admin@shop.example")], False, None),
        ([], False, None),
    ],
)
def test_what_a_role_says(told: list[tuple[str, str]], managing: bool, low: str | None) -> None:
    assert (manages(told), low_role(told)) == (managing, low)


def test_claims_and_fields_are_read_in_objects_and_lists() -> None:
    token = issued({"realm": {"roles": ["user", "admin"]}, "n": 1.5}, b"k")
    request = Request("GET", b"/", ((b"Authorization", f"Bearer {token}".encode()),))
    told = claims(request, [Point.of("header", "AUTHORIZATION")])
    assert told == [("roles", "user"), ("roles", "admin")]
    assert manages(told)
    response = Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps({"user": {"role": "staff"}}))
    assert manages(fields(response))
    assert claims(Request("GET", b"/"), [Point.of("header", "AUTHORIZATION")]) == []


@pytest.mark.parametrize("name", ["admin", "administrator@shop.example", "superadmin", "root", "admin1"])
def test_names_that_only_those_who_manage_have(name: str) -> None:
    assert is_managers_name(name)


@pytest.mark.parametrize("name", ["", "ann", "badminton@shop.example", "ann@admin.example", "rooter"])
def test_other_names(name: str) -> None:
    assert not is_managers_name(name)
