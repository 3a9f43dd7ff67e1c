"""What is described without fields is asked for them, and known by a password among them."""

import asyncio
import json
from typing import Any

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.entrance import fields
from gatecrash.formats.draft import SECURED_ITSELF, Draft, Hole
from gatecrash.node.scan.accounts.enrolment import Enrolment
from gatecrash.node.scan.accounts.untold_fields import told_fields, without_fields

HEADERS = ((b"Host", b"x"), (b"Content-Type", b"application/json"))


def draft(path: str, body: bytes = b"{}", method: str = "POST", **more: Any) -> Draft:
    return Draft(
        request=Request(method, path.encode(), HEADERS, body, "http", "127.0.0.1", 9),
        drafted=True,
        operation=True,
        **more,
    )


class Practice:
    """Tells one missing field after the other. wanted: the fields of what makes accounts; in: of what lets them in."""

    def __init__(self, wanted: tuple[str, ...] = ("email", "name", "password")) -> None:
        self.wanted = wanted
        self.people: dict[str, str] = {}
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def send(self, request: Request) -> Answer:
        await asyncio.sleep(0)
        given = json.loads(request.body or b"{}")
        self.asked.append((request.path.decode(), given))
        status, body = self._answer(request, given)
        return Answer(
            Exchange(request, Response(status, ((b"Content-Type", b"application/json"),), json.dumps(body).encode()))
        )

    def _answer(self, request: Request, given: dict[str, Any]) -> tuple[int, Any]:
        path = request.path.decode()
        if path == "/account/login" and self.people.get(given.get("email", "")) != given.get("password", ""):
            return 401, {"detail": "wrong address or password"}
        path = {"/account/register": "/people", "/account/login": "/enter"}.get(path, path)
        fields_of = {"/people": self.wanted, "/notes": ("text",), "/enter": ("email", "password")}.get(path)
        if fields_of is None:
            token = (request.first(b"Authorization") or b"").removeprefix(b"Bearer of-").decode()
            return (200, {"email": token}) if token in self.people else (401, {"detail": "sign in"})
        for name in fields_of:
            if not given.get(name):
                return 422, {"detail": f"field '{name}' is required"}
        if path == "/people":
            if given["email"] in self.people:
                return 409, {"detail": "already registered"}
            self.people[given["email"]] = given["password"]
            return 201, {"id": len(self.people)}
        if path == "/enter":
            known = self.people.get(given["email"]) == given["password"]
            return (200, {"token": "of-" + given["email"]}) if known else (401, {"detail": "no"})
        return 201, {"id": 1}


def test_fields_are_told_one_after_the_other() -> None:
    request = asyncio.run(told_fields(draft("/people"), Practice().send))
    assert request is not None
    assert sorted(str(point[-1]) for point in fields(request)) == ["email", "name", "password"]


def test_what_asks_for_no_password_lets_nobody_in() -> None:
    assert asyncio.run(told_fields(draft("/notes"), Practice().send)) is None


@pytest.mark.parametrize(
    "other",
    [
        draft("/people", b'{"name":"example"}'),
        draft("/people?name=example"),
        draft("/people", method="PUT"),
        draft("/people/1/notes", holes=(Hole("id", Point(("path", "1"))),)),
        draft("/people", secured=SECURED_ITSELF),
        draft("/people", kept=True),
        draft("/admin/people"),
        draft("/password/reset"),
        draft("/system/restart"),
        draft("/account/mail"),
        draft("/graphql", b'{"query": "query Me { me { id } }"}'),
    ],
)
def test_what_tells_fields_names_a_thing_or_is_for_others_is_not_asked(other: Draft) -> None:
    assert without_fields([draft("/notes"), other, draft("/signup")]) == [draft("/signup"), draft("/notes")]


@pytest.mark.parametrize("body", [b"{}", b""])
def test_accounts_are_made_by_a_registration_without_described_fields(body: bytes) -> None:
    practice = Practice()
    login = draft("/enter", b'{"email":"user@example.com","password":"Example-Password-1"}')
    registration = draft("/people", body)
    enrolment = Enrolment([draft("/notes"), registration, login, draft("/me", b"", "GET", wants=("bearer",))])
    assert enrolment.possible
    asyncio.run(enrolment.run(practice.send))
    assert {account.mail for account in enrolment.accounts} < set(practice.people)
    assert len(enrolment.accounts) == 2
    filled = json.loads(enrolment.filled_in(registration).request.body)
    assert set(filled) == {"email", "name", "password"}
    assert filled["email"] not in practice.people
    assert [path for path, _ in practice.asked].count("/notes") <= 2


def test_both_are_found_where_neither_tells_fields() -> None:
    practice = Practice()
    enrolment = Enrolment([draft("/people"), draft("/enter"), draft("/me", b"", "GET", wants=("bearer",))])
    asyncio.run(enrolment.run(practice.send))
    assert len(enrolment.accounts) == 2


def test_nothing_is_asked_for_its_fields_where_both_are_described() -> None:
    login = draft("/login", b'{"email":"user@example.com","password":"Example-Password-1"}')
    registration = msgspec.structs.replace(
        draft("/register"), request=msgspec.structs.replace(login.request, target=b"/register")
    )
    assert Enrolment([registration, login, draft("/notes")]).untold == []


def test_who_is_let_in_by_nothing_told_has_no_trouble_to_tell() -> None:
    enrolment = Enrolment([draft("/notes")])
    asyncio.run(enrolment.run(Practice().send))
    assert (enrolment.profile, enrolment.trouble) == (None, "")


ACCOUNT_PATHS = [
    draft("/account/register", b""),
    draft("/account/login", b""),
    draft("/me", b"", "GET", wants=("bearer",)),
]


def test_what_makes_an_account_below_a_path_of_accounts_changes_none() -> None:
    assert without_fields(ACCOUNT_PATHS) == ACCOUNT_PATHS[:2]


def test_a_login_that_tells_no_fields_is_asked_by_the_names_of_the_registration() -> None:
    practice = Practice()
    enrolment = Enrolment(ACCOUNT_PATHS)
    asyncio.run(enrolment.run(practice.send))
    assert {account.mail for account in enrolment.accounts} < set(practice.people)
    assert len(enrolment.accounts) == 2
    headers = (*ACCOUNT_PATHS[1].request.headers, (b"Cookie", b"theme=dark"))
    read_again = msgspec.structs.replace(ACCOUNT_PATHS[1].request, headers=headers)
    filled = json.loads(enrolment.filled_in(msgspec.structs.replace(ACCOUNT_PATHS[1], request=read_again)).request.body)
    assert filled == {"email": enrolment.accounts[0].mail, "password": enrolment.accounts[0].password}


def test_what_is_called_no_login_is_asked_by_no_names_of_a_registration() -> None:
    practice = Practice()
    enrolment = Enrolment([ACCOUNT_PATHS[0], draft("/account/notes", b"")])
    asyncio.run(enrolment.run(practice.send))
    assert not [path for path, given in practice.asked if path == "/account/notes" and given]
