"""Which passwords of an account a record shows, and the logins that bring them."""

import json

import pytest

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.known_passwords import password_set
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns

OLD, NEW, LATER = "harbour-1", "harbour-2", "harbour-3"
GIVEN = {OLD: "at-111122223333", NEW: "at-444455556666"}


def posted(target: str, body: dict[str, str], answer: Response | None = None, token: str = "") -> Exchange:
    headers: Headers = ((b"Host", b"shop.example"), (b"Content-Type", b"application/json"))
    headers += ((b"Authorization", f"Bearer {token}".encode()),) if token else ()
    request = Request("POST", target.encode(), headers, json.dumps(body).encode(), "http", "shop.example", 80)
    return Exchange(request, answer or Response(200, body=b'{"done": true}'))


def login(password: str) -> Exchange:
    answer = Response(200, body=json.dumps({"token": GIVEN[password]}).encode())
    return posted("/login", {"email": "ann@shop.example", "password": password}, answer)


def change(old: str, new: str, answer: Response | None = None) -> Exchange:
    return posted("/me/password", {"currentPassword": old, "newPassword": new}, answer, GIVEN[old])


def tried(*exchanges: Exchange) -> list[str]:
    """The passwords that the user signs in with, in order."""
    sign_ins = SignIns([("shop.example:80", b"/login")])
    for exchange in exchanges:
        sign_ins.see(exchange)
    profile = sign_ins.profile()
    assert profile is not None
    (identity,) = profile.identities
    return [json.loads(way[0].body or "")["password"] for way in (identity.login, *identity.otherwise)]


@pytest.mark.parametrize(
    ("exchanges", "passwords"),
    [
        ((login(OLD),), [OLD]),
        ((login(OLD), login(OLD)), [OLD]),
        ((login(OLD), change(OLD, NEW)), [OLD, NEW]),
        ((login(OLD), change(OLD, NEW, Response(422, body=b"too short"))), [OLD]),
        ((login(OLD), change(OLD, NEW), login(NEW)), [NEW, OLD]),
        (
            (login(OLD), change(OLD, NEW), login(NEW), change(NEW, LATER), change(NEW, "harbour-4")),
            [NEW, "harbour-4", OLD],
        ),
    ],
    ids=["one", "again", "changed", "not changed", "changed and signed in", "the last change, no more than two"],
)
def test_a_user_signs_in_by_his_login_and_by_what_his_password_was_and_became(
    exchanges: tuple[Exchange, ...], passwords: list[str]
) -> None:
    assert tried(*exchanges) == passwords


def test_a_forms_token_beside_the_new_password_tells_nothing_against_it() -> None:
    assert password_set(posted("/password", {"token": "5b40bf26", "new": NEW, "again": NEW}), "ann") == NEW.encode()


def test_a_password_that_is_set_for_another_is_not_ones_own() -> None:
    for_ben = posted("/password", {"email": "ben@shop.example", "newPassword": NEW})
    assert password_set(for_ben, "ann@shop.example") == b""
    assert password_set(for_ben, "ben@shop.example") == NEW.encode()
