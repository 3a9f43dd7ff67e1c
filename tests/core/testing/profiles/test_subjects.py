"""Credentials that name whom they belong to."""

import base64
import json

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.recorded import RecordedIdentities
from gatecrash.core.testing.profiles.subjects import basic_user, called_by, subject_of

PLACE = ("header", "AUTHORIZATION")


def token(**claims: object) -> str:
    parts = (b'{"alg":"HS256"}', json.dumps(claims).encode(), b"sig")
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def test_tokens_name_their_subject_and_their_issuer_one_level_down_too() -> None:
    assert subject_of({PLACE: "Bearer " + token(iss="shop", sub="ann")}) == "jwt shop ann"
    assert subject_of({PLACE: token(data={"id": 7})}) == "jwt None 7"
    assert subject_of({PLACE: token(scope="all")}) == ""


def test_basic_names_its_user_and_what_is_neither_names_nobody() -> None:
    encoded = base64.b64encode(b"ann:secret").decode()
    assert subject_of({PLACE: f"Basic {encoded}"}) == "basic ann" == basic_user(encoded)
    assert subject_of({PLACE: "Bearer 8d5f2a90cc1e47ab"}) == ""
    assert basic_user("A") == ""


def test_a_name_and_a_password_are_known_without_the_word_of_basic() -> None:
    encoded = base64.b64encode(b"ann@club.test:sesame").decode()
    assert subject_of({("header", "AUTHORIZATION-TOKEN"): encoded}) == "basic ann@club.test"


def test_two_users_of_such_a_header_are_told_apart() -> None:
    identities = RecordedIdentities(compile_recogniser())
    for user in ("ann", "bert"):
        held = (b"Authorization-Token", base64.b64encode(f"{user}:sesame".encode()))
        request = Request("GET", b"/dogs/" + user.encode(), (held,), b"", "https", "club.example", 443)
        identities.see(Exchange(request, Response(200, body=b"{}")))
    profile = identities.profile()
    assert profile is not None
    assert len(profile.identities) == 2


def test_names_by_which_credentials_call_their_holder() -> None:
    named = "Bearer " + token(iss="https://id.test", sub="Ann", org="acme", uid="7")
    assert called_by([named]) == {"ann", "acme", "tenant=acme"}
    assert called_by(["Basic bGFrZWhvdXNlOnNlc2FtZQ==", "3f9a0c77de114b02"]) == {"lakehouse"}
