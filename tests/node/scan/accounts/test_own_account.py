"""What our own account is called stands where a description asks for an account; what takes something away stays as it was."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.accounts.own_account import (
    about_nobody_met,
    accounts_of,
    as_oneself,
    where_accounts_are_made,
)

HEADERS = ((b"Host", b"x"), (b"Content-Type", b"application/json"))


def request(method: str, path: str, body: Any) -> Request:
    return Request(method, path.encode(), HEADERS, json.dumps(body).encode(), "http", "127.0.0.1", 9)


REGISTERED = request("POST", "/register", {"username": "gcours", "password": "secret", "phone": "555", "plan": "free"})
NAMED = {"username": "example", "phone": "1", "note": "example"}
OURS = {"username": "gcours", "phone": "555", "note": "example"}


def asked(method: str, path: str, body: Any, spare: Any = None) -> tuple[Any, Any]:
    """The bodies of what is sent first, and of what is sent where that is refused."""
    draft = Draft(
        request=request(method, path, body), drafted=True, spare=None if spare is None else request(method, path, spare)
    )
    found = as_oneself(draft, REGISTERED)
    return json.loads(found.request.body), None if found.spare is None else json.loads(found.spare.body)


@pytest.mark.parametrize("path", ["/profile", "/contacts"])
def test_a_change_is_sent_with_our_account_first(path: str) -> None:
    assert asked("PUT", path, NAMED) == (OURS, NAMED)
    assert asked("PATCH", path, NAMED, {"phone": "1"}) == (OURS, {"phone": "1"})


def test_what_makes_something_is_sent_so_where_the_description_is_refused() -> None:
    assert asked("POST", "/lookups", NAMED) == (NAMED, OURS)
    assert asked("POST", "/lookups", NAMED, {"username": "example"}) == (NAMED, {"username": "gcours"})


def test_what_the_login_calls_its_users_names_says_whose_account_it_is() -> None:
    registered = request("POST", "/register", {"callsign": "gcours", "password": "secret"})
    draft = Draft(request=request("PUT", "/boats", {"callsign": "example", "colour": "x"}), drafted=True)
    assert json.loads(as_oneself(draft, registered, {"callsign"}).request.body)["callsign"] == "gcours"
    assert as_oneself(draft, registered) is draft


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/register", NAMED),
        ("POST", "/login", {"username": "example", "password": "x"}),
        ("PUT", "/profile", {"username": "example", "new_password": "x"}),
        ("PUT", "/users/update_role", {"username": "example", "level": "x"}),
        ("PUT", "/members", {"username": "example", "is_admin": False}),
        ("PUT", "/members/ban", {"username": "example"}),
        ("POST", "/accounts/delete", {"username": "example"}),
        ("PUT", "/settings", {"phone": "1", "plan": "example"}),
    ],
)
def test_logins_passwords_rights_and_what_names_nobody_stay(method: str, path: str, body: Any) -> None:
    assert asked(method, path, body) == (body, None)


def at(method: str, path: str, hole: str, place: int = 1, *, given: bool = False) -> bytes:
    """Where a draft is sent that asks for an account there."""
    point = Point.of("path", str(place))
    draft = Draft(request=request(method, path, {"note": "x"}), drafted=True, holes=(Hole(hole, point, given),))
    return as_oneself(draft, request("POST", "/players", json.loads(REGISTERED.body))).request.target


def test_an_account_is_asked_for_by_what_was_registered() -> None:
    assert at("GET", "/users/example", "username") == b"/users/gcours"
    assert at("PATCH", "/players/example", "username") == b"/players/gcours", "accounts are made there"
    assert at("GET", "/accounts/example/orders", "username") == b"/accounts/gcours/orders"
    assert at("GET", "/games/example", "username") == b"/games/example"
    assert at("GET", "/users/example", "reference") == b"/users/example"
    assert at("PUT", "/users/example/role", "username") == b"/users/example/role"
    assert at("DELETE", "/users/example", "username") == b"/users/example"


def test_a_change_takes_it_for_the_name_that_the_description_shows() -> None:
    assert at("PUT", "/users/fern/email", "username", given=True) == b"/users/gcours/email"
    assert at("GET", "/users/fern", "username", given=True) == b"/users/fern"


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ({"from": "example", "text": "hi"}, {"from": "gcours", "text": "hi"}),
        ({"author": "example", "rating": 5}, {"author": "gcours", "rating": 5}),
        ({"from": "Vienna", "to": "example"}, {"from": "Vienna", "to": "example"}),
    ],
)
def test_who_sends_something_is_our_account_where_the_description_names_nobody(sent: Any, found: Any) -> None:
    assert asked("POST", "/messages", sent, {"text": "hi", **sent}) == (found, {"text": "hi", **found})


def test_a_code_for_a_forgotten_password_is_asked_for_by_our_account() -> None:
    registered = request("POST", "/register", {"email": "gcours@example.com", "password": "secret"})
    forgotten = Draft(request=request("POST", "/auth/forget-password", {"email": "adam@example.com"}), drafted=True)
    assert json.loads(as_oneself(forgotten, registered).request.body) == {"email": "gcours@example.com"}
    for field, expected in (("requestPasswordReset", "gcours@example.com"), ("inviteReader", "adam@example.com")):
        query = f"mutation R($email: String!) {{ {field}(email: $email) {{ sent }} }}"
        message = {"query": query, "variables": {"email": "adam@example.com"}}
        mutation = Draft(request=request("POST", "/graphql", message), drafted=True)
        assert json.loads(as_oneself(mutation, registered).request.body)["variables"] == {"email": expected}
    confirmed = {"email": "adam@example.com", "otp": "9969", "password": "x"}
    code = Draft(request=request("POST", "/auth/reset", confirmed), drafted=True)
    assert as_oneself(code, registered) is code


@pytest.mark.parametrize(
    ("field", "own"),
    [("changePhone", True), ("updateProfile", True), ("setUserRole", False), ("addNote", False), ("deleteUser", False)],
)
def test_a_mutation_that_writes_over_an_account_is_sent_about_our_own(field: str, own: bool) -> None:
    query = (
        f"mutation C($username: String!, $phone: String!) {{ {field}(username: $username, phone: $phone) {{ ok }} }}"
    )
    draft = Draft(request=request("POST", "/graphql", {"query": query, "variables": NAMED}), drafted=True)
    found = as_oneself(draft, REGISTERED)
    assert json.loads(found.request.body)["variables"] == (OURS if own else NAMED)
    assert (found.spare == draft.request) is own, "and as it is described where that is refused"


@pytest.mark.parametrize(
    ("registration", "accounts"),
    [
        ("/knitters/register", (("knitters", "register"), ("knitters",))),
        ("/knitters/sign-up", (("knitters", "sign-up"), ("knitters",))),
        ("/users", (("users",),)),
        ("/signup", (("signup",),)),
    ],
)
def test_accounts_are_above_the_word_that_makes_them(registration: str, accounts: tuple[tuple[str, ...], ...]) -> None:
    assert accounts_of(request("POST", registration, NAMED)) == accounts


def test_a_change_of_somebody_among_the_accounts_is_one_of_our_own() -> None:
    registered = request("POST", "/knitters/register", {"username": "gcours", "password": "secret"})
    hole = Hole("username", Point(("path", "1")), given=True)
    change = Draft(request=request("PUT", "/knitters/ann/email", {"email": "a@b.example"}), drafted=True, holes=(hole,))
    assert as_oneself(change, registered).request.target == b"/knitters/gcours/email"


def test_accounts_are_made_by_registrations_alone() -> None:
    def posted(path: bytes, body: bytes, method: str = "POST") -> Request:
        return Request(method, path, ((b"Content-Type", b"application/json"),), body)

    entrance = b'{"username": "a", "password": "b"}'
    asked = [
        posted(b"/members/register", entrance),
        posted(b"/notes", b'{"text": "a"}'),
        posted(b"/users", entrance, "PUT"),
    ]
    assert list(where_accounts_are_made(asked)) == [("members", "register"), ("members",)]
    more = b'{"username": "a", "password": "b", "city": "c"}'
    asked = [posted(b"/fans/join", more), posted(b"/fans/enter", entrance), posted(b"/notes", b'{"text": "a"}')]
    assert list(where_accounts_are_made(asked)) == [("fans", "join"), ("fans",)]


def test_who_joins_is_called_as_nobody_who_is_met_meanwhile_and_all_else_may_be_filled_in() -> None:
    body = {"username": "example", "password": "x", "club_id": 1}
    handle, club = (Hole(name, Point(("post", "json_doc", "json_obj", name))) for name in ("username", "club_id"))
    joins = Draft(request=request("POST", "/register", body), drafted=True, holes=(handle, club))
    assert about_nobody_met(joins).holes == (club,)
    other = Draft(request=request("POST", "/invitations", {"username": "example"}), drafted=True, holes=(handle,))
    assert about_nobody_met(other) is other


def test_an_account_is_asked_for_by_what_the_login_calls_its_name() -> None:
    """`POST /crew/settle` is known as a registration by its fields alone, so that accounts may stand above its last word."""
    body = {"badge": "gcours", "phrase": "secret", "mail": "gcours@example.com"}
    registered = request("POST", "/crew/settle", body)
    hole = Hole("badge", Point.of("path", "1"))
    change = Draft(request=request("PUT", "/crew/example/mail", {"mail": "x"}), drafted=True, holes=(hole,))
    assert as_oneself(change, registered, {"badge"}).request.target == b"/crew/gcours/mail"
    assert as_oneself(change, registered).request.target == b"/crew/example/mail"


def test_what_the_registration_left_empty_is_put_nowhere() -> None:
    registered = request("POST", "/register", {"username": "gcours", "password": "secret", "phone": ""})
    draft = Draft(request=request("PUT", "/profile", {"username": "example", "phone": "0151"}), drafted=True)
    assert json.loads(as_oneself(draft, registered).request.body) == {"username": "gcours", "phone": "0151"}
