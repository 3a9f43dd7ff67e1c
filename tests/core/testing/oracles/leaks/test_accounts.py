"""A password counts in the record of somebody, and nowhere else."""

import base64
import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.leaks.accounts import (
    passwords_in,
    passwords_listed_in,
    reads_as_a_code,
    recovery_codes_in,
)

JSON = ((b"Content-Type", b"application/json"),)


def shown(document: object) -> frozenset[str]:
    return passwords_in(Response(200, JSON, json.dumps(document).encode()))


@pytest.mark.parametrize(
    "document",
    [
        [{"id": 1, "username": "ann", "password": "sesame1"}],
        {"users": [{"email": "ann@example.com", "passwordHash": "sesame1"}]},
        {"data": {"user": {"name": "ann", "pwd": "sesame1", "role": "admin"}}},
        [{"id": 1, "name": "ann", "pass_phrase": "sesame1"}],
        [{"id": 1, "name": "ann", "passwort": "sesame1"}],
        {"id": 1, "email": "ann@example.com", "kennwortHash": "sesame1"},
        {"id": 1, "login": "ann", "contraseña": "sesame1"},
        {"id": 1, "login": "ann", "senha": "sesame1"},
        {"id": 1, "cardNo": "R-7", "email": "ann@example.com", "pinHash": "sesame1"},
        {"id": 1, "login": "ann", "mot_de_passe": "sesame1"},
    ],
)
def test_a_record_of_somebody_shows_its_password(document):
    assert shown(document) == {"sesame1"}


@pytest.mark.parametrize(
    "value",
    [
        "5f4dcc3b5aa765d61d8327deb882cf99",
        "5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8",
        "$2y$04$jwbBDXLElqOUoxLGZQ0Kke4y5drGui2ALbdTSJ3BmCojTt",
        "pbkdf2_sha256$600000$salt$Zm9vYmFyYmF6",
    ],
)
def test_a_hash_is_a_password_under_a_short_name_too(value: str):
    assert shown({"id": 1, "login": "ann", "pass": value}) == shown({"email": "a@b.example", "pw": value}) == {value}
    assert shown({"id": 1, "login": "ann", "avatar": value}) == shown({"pw": value}) == set()


@pytest.mark.parametrize(
    "document",
    [
        {"id": 7, "name": "ann", "pass": "gold"},
        {"id": 7, "name": "ann", "pw": "kW"},
        {"errors": {"name": "is missing", "password": "is too short"}},
        {"fields": {"username": "string", "password": "string"}},
        {"labels": {"login": "Login", "password": "Password"}},
        {"labels": {"name": "Name", "passwort": "Passwort"}},
        {"labels": {"login": "Login", "contraseña": "Contraseña", "senha": "Senha", "kennwort": "Kennwort"}},
        {"labels": {"login": "Login", "mot_de_passe": "Mot de passe", "pass_phrase": "Passphrase"}},
        {"id": 7, "name": "Hopp", "phrase": "hopp-hopp"},
        {"password": "sesame1"},
        {"id": 4, "name": "ann", "pin": "560001"},
        {"username": "ann", "password": None},
        {"username": "ann", "password": "********"},
        {"username": "ann", "password": "[removed]"},
        {"username": "ann", "password_reset": "https://example.com/reset"},
        "password",
        [],
    ],
)
def test_what_only_has_a_member_of_that_name_shows_none(document):
    assert shown(document) == frozenset()


def test_answers_that_are_no_json_show_none():
    assert passwords_in(Response(200, (), b"<p>name: ann, password: sesame1</p>")) == frozenset()


@pytest.mark.parametrize(
    ("document", "codes"),
    [
        ({"otp": 4711}, {"4711"}),
        ({"detail": "A PIN was sent by e-mail", "pin": "611358"}, {"611358"}),
        ({"pin": "sent"}, set()),
        ({"data": {"resetToken": "9f0cbb51aa"}}, {"9f0cbb51aa"}),
        ({"reset_link": "https://a.example/reset?t=8f2"}, {"https://a.example/reset?t=8f2"}),
        ({"token": "9f0cbb51aa", "code": 12345}, set()),
        ({"reset_url": "http://127.0.0.1:8080/r/9f0cbb51aa"}, {"http://127.0.0.1:8080/r/9f0cbb51aa"}),
        ({"reset_url": "http://127.0.0.1:8080/reset-password"}, set()),
        ({"reset_url": "https://a1.example/v2/recover"}, set()),
        ({"otp": "sent_to_+49******12"}, set()),
        ({"sent_to": "ann@example.com", "code": 4711}, {"4711"}),
        ({"message": "sent", "debug": {"code": "0815"}}, {"0815"}),
        ({"message": "sent", "code": "611358"}, {"611358"}),
        ({"message": "sent", "code": 2001}, set()),
        ({"message": "sent", "code": "100000"}, set()),
        ({"code": 1200}, set()),
        ({"code": "sent"}, set()),
        ({"otp": "sent", "reset_token": None, "otp_length": 6}, set()),
        ([], set()),
    ],
)
def test_what_sets_a_forgotten_password_is_known_by_its_name_and_its_form(document, codes):
    assert recovery_codes_in(Response(200, JSON, json.dumps(document).encode())) == codes


def token_of(claims: dict[str, object]) -> str:
    return (
        ".".join(
            base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=").decode()
            for each in ({"alg": "HS256"}, claims)
        )
        + ".c2ln"
    )


def test_claims_of_a_token_are_read():
    record = {"data": {"id": 2, "email": "ann@example.com", "password": "5f4dcc3b5aa765d61d8327deb882cf99"}}
    told = Response(200, (), json.dumps({"authentication": {"token": token_of(record)}}).encode())
    assert passwords_in(told) == {"5f4dcc3b5aa765d61d8327deb882cf99"}


@pytest.mark.parametrize(
    "token", [token_of({"sub": "2", "pwd_changed": 1700000000}), "eyJhbGciOiJub25lIn0.eyJpZCI6Mn0xxxx.x"]
)
def test_other_tokens_tell_no_password(token):
    assert not passwords_in(Response(200, (), json.dumps({"token": token}).encode()))


@pytest.mark.parametrize(
    ("page", "codes"),
    [
        (b"<p>Reset link: <a href='/reset.php?user=ann&token=9f2c77ab10'>here</a>", {"9f2c77ab10"}),
        (b"<!-- debug: reset link http://a.example/password/new?code=0471 -->", {"0471"}),
        (b"Password reset URL: /account/recover?reset_token=77ab-9931-kd", {"77ab-9931-kd"}),
        (b"<p>Your reset code is <b>471105</b>.", {"471105"}),
        # It names the attempt; the code comes by mail.
        (b"<p>We have sent you a letter. <a href='/reset?token=9f2c77ab10'>Enter its code</a>", set()),
        (
            b"<p>We have sent the reset link to ann@x.example.</p><form action=/forgot><input name=csrf value=9f2c77ab10>",
            set(),
        ),
        (b"<p>We have sent the reset link <a href='/reset?token=9f2c77ab10'>to you</a>", set()),
        (b"<p>A reset link is on its way. <a href='/reset?token=9f2c77ab10'>Enter its code</a>", set()),
        (b"<p>Your reset link is on its way. <a href='/password/resend?token=9f2c77ab10'>Send it again</a>", set()),
        (b"<p>Your reset link is on its way <a href='/password/resend?token=9f2c77ab10'>Send it again</a>", set()),
        (b"<p>Ask for a new reset link: <a href='/password/resend?token=9f2c77ab10'>here</a>", set()),
        (b"<p>Recovery code: 12345678 characters or more", set()),
        (b"<p>The reset code was sent. It holds for 3600 seconds.", set()),
        (b"<p>Enter your reset code: <input name=code placeholder=471105>", set()),
    ],
)
def test_pages_tell_what_resets_a_password(page: bytes, codes: set[str]) -> None:
    assert recovery_codes_in(Response(200, ((b"Content-Type", b"text/html"),), page)) == codes


@pytest.mark.parametrize(
    ("value", "reads"),
    [
        ("482913", True),
        ("9f0cbb51aa", True),
        ("sent", False),
        ("123", False),
        ("*****1", False),
        ("see your mail 1", False),
    ],
)
def test_a_drawn_code_is_told_from_words_and_from_what_is_masked(value: str, reads: bool):
    assert reads_as_a_code(value) is reads


@pytest.mark.parametrize(
    ("own", "told"),
    [("Gc-0123456789-Xq7!", {"Gc-0123456789-Xq7!", "silver"}), ("gold", set())],
    ids=["beside what was drawn", "a ticket"],
)
def test_what_holds_a_password_that_a_scan_drew_holds_those_of_others(own: str, told: set[str]) -> None:
    rows = [{"email": "gc@example.com", "pass": own}, {"email": "ann@example.com", "pass": "silver"}]
    assert shown({"rows": [*rows, {"email": "ben@example.com", "pass": "***"}]}) == told


ANN, BERT = ({"name": name, "password": f"{name}-4711"} for name in ("ann", "bert"))


@pytest.mark.parametrize(
    ("document", "number"),
    [
        ([ANN, BERT], 2),
        ({"data": {"users": [ANN, BERT]}}, 2),
        ({"data": {"users": {"edges": [{"node": ANN}, {"node": BERT}]}}}, 2),
        ({"ann": ANN, "bert": BERT, "cleo": ANN}, 2),
        ({"data": {"message": {"sender": ANN, "to": BERT}}}, 0),
        ({"data": {"messages": [{"id": 1, "sender": ANN, "to": BERT}]}}, 0),
        ({"notes": [{"id": 1, "owner": ANN}, {"id": 2, "owner": BERT}]}, 0),
        ({"teams": [{"members": [ANN]}, {"members": [BERT]}]}, 1),
    ],
)
def test_passwords_of_one_list_of_accounts(document, number):
    told = Response(200, JSON, json.dumps(document).encode())
    assert (passwords_listed_in(told), len(passwords_in(told))) == (number, 2)
