"""Credentials that name whom they belong to."""

import base64
import json

from gatecrash.core.testing.profiles.subjects import basic_user, subject_of

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
