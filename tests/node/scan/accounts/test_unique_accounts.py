"""Registrations that want more of their own than a name, against an application that takes each telephone number once."""

import asyncio
import json
from typing import Any

import pytest
from tests.node.scan.accounts.test_enrolment import BEARER, Club, draft, enrolled

from gatecrash.core.message import Request, Response
from gatecrash.node.scan.accounts.unique_accounts import is_taken_by_another, registered_anew, with_its_own

SIGN_UP = {
    "username": "example",
    "email": "user@example.com",
    "password": "x",
    "phone": "+43 660 6915656974",
    "age": 30,
}


def test_the_second_account_has_a_telephone_number_of_its_own() -> None:
    taken: list[str] = ["+43 660 6915656974"]

    def strict(given: dict[str, Any]) -> bool:
        is_new = given["phone"] not in taken
        taken.append(given["phone"])
        return is_new and given["age"] == 30

    class Strict(Club):
        def _answer(self, path: str, request: Request) -> tuple[int, Any]:
            status, body = super()._answer(path, request)
            return (409, {"detail": "Number already registered"}) if status == 422 else (status, body)

    listed = [
        draft("POST", "/register", SIGN_UP),
        draft("POST", "/login", {"username": "example", "password": "x"}),
        draft("GET", "/me", wants=("bearer",), places=(BEARER,)),
    ]
    club = Strict(strict=strict)
    enrolment = enrolled(club, listed)
    assert len(enrolment.accounts) == 2
    assert len(set(taken)) == 3
    assert all(len(number) == len(taken[0]) for number in taken)
    registered = asyncio.run(club.send(enrolment.filled_in(listed[0]).request)).exchange.response
    assert registered is not None
    assert registered.status == 201, "the registration is tested with another one"


@pytest.mark.parametrize(
    ("status", "words", "taken"),
    [
        (409, "", True),
        (500, "", True),
        (400, "Phone is already in use", True),
        (403, "Number already registered!", True),
        (403, "Registration is closed", False),
        (400, "Phone is missing", False),
        (201, "exists", False),
    ],
)
def test_a_refusal_says_that_somebody_is_there(status: int, words: str, *, taken: bool) -> None:
    assert is_taken_by_another(Response(status, (), words.encode())) is taken


def test_what_holds_no_body_stays() -> None:
    request = Request("POST", b"/register")
    assert with_its_own(request, "gcbcdfgh") is request
    body = json.loads(with_its_own(draft("POST", "/register", {"company": "Acme", "phone": "12"}).request, "gcb").body)
    assert body == {"company": "Acme", "phone": "12"}


@pytest.mark.parametrize(
    ("path", "told", "is_sent"),
    [
        (b"/api/members", "UNIQUE constraint failed: members.email", True),
        (b"/api/members", "This address is already registered", True),
        (b"/api/members", "The address is no address", False),
        (b"/login", "You are already signed in", False),
    ],
)
def test_an_example_that_is_there_already_is_registered_under_another_name(
    path: bytes, told: str, is_sent: bool
) -> None:
    kind = ((b"Content-Type", b"application/json"),)
    registration = Request("POST", path, kind, json.dumps(SIGN_UP).encode())
    anew = registered_anew(registration, Response(400, kind, json.dumps({"message": told}).encode()))
    assert (anew is not None) is is_sent
    if anew is not None:
        body = json.loads(anew.body)
        assert body["email"] != SIGN_UP["email"]
        assert body["password"] == SIGN_UP["password"]
