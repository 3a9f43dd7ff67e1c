"""Which parts of a request claim rights, and what more they could claim."""

from base64 import b64decode, b64encode
from random import Random

import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.ranks.claimed_rights import (
    UNSENT,
    claiming,
    claims_of,
    with_added,
    with_written,
)


def claims(target: bytes = b"/", cookie: bytes = b"", body: bytes = b""):
    headers = ((b"Cookie", cookie), (b"Content-Type", b"application/json"))
    return claims_of(Request("GET", target, headers, body))


@pytest.mark.parametrize(
    ("name", "value", "higher"),
    [
        ("role", "user", ["admin", "administrator"]),
        ("userRole", "USER", ["ADMIN", "ADMINISTRATOR"]),
        ("role", "ROLE_user", ["ROLE_admin", "ROLE_administrator"]),
        ("access_level", "2", ["1", "0", "99"]),
        ("ruolo", "Socio", ["Amministrazione", "Amministratore", "Admin", "Administrator"]),
        ("is_admin", "False", ["True"]),
        ("isSuperUser", "n", ["y"]),
        ("admin", "0", ["1"]),
    ],
)
def test_what_could_be_claimed_is_written_as_what_is(name: str, value: str, higher: list[str]):
    (claim,) = claims(f"/x?{name}={value}".encode())
    assert (claim.name, claim.higher(b"/x")) == (name, higher)


@pytest.mark.parametrize(
    "query",
    [
        "role=admin",
        "is_admin=true",
        "type=user",
        "level=2",
        "q=user",
        "role=a%20b",
        "role=123456",
        "admin=ann",
        "roleplay=no",
    ],
)
def test_other_parameters_claim_nothing_more(query: str):
    assert claims(b"/x?" + query.encode()) == []


def test_words_of_the_path_say_what_a_rank_is_called_there():
    (claim,) = claims(b"/captains/log?role=sailor")
    assert claim.higher(b"/captains/log")[0] == "captain"


def test_a_cookie_may_call_a_rank_by_a_plain_word():
    assert [claim.name for claim in claims(cookie=b"level=user; theme=dark")] == ["level"]


def test_claims_are_found_within_encodings_and_never_within_signed_tokens():
    encoded = claims(cookie=b"p=eyJhZG1pbiI6IGZhbHNlfQ==")
    assert [(claim.name, claim.value) for claim in encoded] == [("admin", "false")]
    signed = claims(cookie=b"t=eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoidXNlciJ9.c2lnbmF0dXJl")
    assert signed == []


def test_a_claim_is_replaced_where_it_stands():
    request = Request("GET", b"/x", ((b"Cookie", b"a=1; role=member; b=2"),))
    (claim,) = claims_of(request)
    assert claiming(request, claim, "admin").first(b"Cookie") == b"a=1; role=admin; b=2"


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("user:ann|role:member", "user:ann|role:admin"),
        ("ann;id=7;level=user;x=1", "ann;id=7;level=admin;x=1"),
        ("user=ann,is_admin=false", "user=ann,is_admin=true"),
        ("level=user", "level=admin"),
    ],
)
def test_a_claim_among_the_pairs_of_a_cookies_text_is_replaced_there(text: str, changed: str):
    request = Request("GET", b"/x", ((b"Cookie", b"a=1; who=" + b64encode(text.encode()).rstrip(b"=")),))
    (claim,) = claims_of(request)
    crumbs = (claiming(request, claim, claim.higher(b"/x")[0]).first(b"Cookie") or b"").rpartition(b"who=")[2]
    assert b64decode(crumbs + b"==").decode() == changed


def test_a_role_that_is_called_in_another_language_is_raised_in_it():
    (claim,) = claims(cookie=b"perfil=" + b64encode(b"rol=socio&idioma=es"))
    assert claim.name == "rol"
    assert claim.higher(b"/x") == ["administracion", "administrador", "admin", "administrator"]


@pytest.mark.parametrize("text", ["my role: member of the club", "user:ann|roleplay:no", "user:ann|role:admin"])
def test_a_text_without_pairs_or_without_a_lower_rank_claims_nothing(text: str):
    assert claims(cookie=b"who=" + b64encode(text.encode())) == []


def test_a_made_up_rank_looks_like_the_own_one_and_a_flag_has_none():
    word, number = claims(b"/x?role=USER&user_level=3")
    assert word.made_up(Random(1)).isupper()
    assert int(number.made_up(Random(1))) > 99
    assert claims(b"/x?admin=0")[0].made_up(Random(1)) is None


def test_what_nobody_sends_stands_beside_what_is_sent():
    changed = with_added(Request("GET", b"/x?a=1", ((b"Cookie", b"sid=7"), (b"Accept", b"*/*"))), UNSENT)
    assert changed.target == b"/x?a=1&admin=true&isAdmin=true&role=admin"
    assert changed.first(b"Cookie") == b"sid=7; admin=true; isAdmin=true; role=admin"
    assert (changed.first(b"X-Role"), changed.first(b"Accept")) == (b"admin", b"*/*")
    assert [each.point[-1] for each in UNSENT[:3]] == ["admin", "isAdmin", "role"]
    assert UNSENT[-1].point == ("header", "ROLE")


def test_one_pair_in_plain_text_claims_nothing():
    assert claims(cookie=b"who=role:member") == []


def test_the_most_that_can_be_claimed_is_a_claim_where_it_is_asked_for():
    request = Request("GET", b"/", ((b"Cookie", b"role=admin; is_staff=true; sid=3f9a0c77de114b02"),))
    assert claims_of(request) == []
    assert [(each.name, each.value) for each in claims_of(request, high=True)] == [
        ("role", "admin"),
        ("is_staff", "true"),
    ]


def test_what_is_written_over_stands_where_the_request_has_it_and_nowhere_else():
    request = Request("GET", b"/", ((b"Cookie", b"role=driver; sid=a"),))
    there, elsewhere = Point.of("header", "COOKIE", "cookie", "role"), Point.of("header", "COOKIE", "cookie", "rank")
    changed = with_written(request, ((there, b"manager"), (elsewhere, b"9")))
    assert changed.first(b"Cookie") == b"role=manager; sid=a"
