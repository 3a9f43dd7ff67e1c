"""What members say of themselves for others to read."""

import json
from random import Random

import orjson
import pytest
from tests.core.testing.authorization.openness.test_exposure import JSON as AS_JSON
from tests.core.testing.authorization.openness.test_exposure import KEY, situation
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, identities
from tests.range.tenants_store import OPAQUE, asked

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.exposure import Stake, stake_of
from gatecrash.core.testing.authorization.openness.member_cards import shows_member_cards
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = ((b"Content-Type", b"application/json"),)


def shown(body: bytes, headers: tuple[tuple[bytes, bytes], ...] = JSON) -> bool:
    return shows_member_cards(Response(200, headers, body))


@pytest.mark.parametrize(
    "body",
    [
        b'{"id": 7, "name": "eva", "city": "Graz", "about": "plays the oboe", "listings": 2}',
        b'{"data": {"users": [{"id": "VTox", "displayName": "Eva", "about": "walks far"}]}}',
        b'{"total": 1, "items": [{"username": "eva", "bio": "", "avatarUrl": "/a/1.png", "followerCount": 12}]}',
        b'{"code": 0, "message": "ok", "data": {"id": 501, "name": "Eva Graf", "city": "Graz", "followers": 3}}',
        b'{"data": {"id": 501, "name": "Eva", "followers": 3}, "trace": "5be1a9", "timestamp": 1796000000123}',
    ],
)
def test_a_name_and_a_text_about_oneself_are_for_others(body: bytes) -> None:
    assert shown(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'[{"id": 7, "username": "eva"}]', id="accounts: nobody wrote anything for others"),
        pytest.param(b'{"id": 7, "name": "eva", "bio": "oboe", "email": "eva@home.example"}', id="an address"),
        pytest.param(b'{"id": 7, "name": "eva", "bio": "oboe", "role": "admin"}', id="a role"),
        pytest.param(b'{"id": 7, "name": "eva", "followers": [{"id": 3}]}', id="who follows her"),
        pytest.param(b'{"id": 7, "name": "eva", "bio": "oboe", "orders": [{"id": 3}]}', id="what is hers"),
        pytest.param(b'{"id": 7, "name": "eva", "bio": "oboe", "rating": "unfit for duty"}', id="a word on her"),
        pytest.param(b'[{"id": 7, "name": "eva", "bio": "oboe", "page": "x"}]', id="a page of hers"),
    ],
)
def test_all_else_is_somebodys_business(body: bytes) -> None:
    assert not shown(body)


def test_an_address_may_say_by_itself_that_it_is_a_card() -> None:
    name = b'{"id": 12, "name": "Eva Graf"}'
    assert stake(b"/api/members/12/card", name) is Stake.PERHAPS
    for target in (b"/api/members/12/settings", b"/api/members/me/card", b"/admin/members/12/card", b"/orders/12/card"):
        assert stake(target, name) is Stake.SURE, target
    assert stake(b"/api/members/12/card", b'{"id": 12, "name": "Eva Graf", "email": "eva@home.example"}') is Stake.SURE


def test_pages_are_judged_elsewhere() -> None:
    assert not shown(b'{"name": "eva", "about": "oboe"}', ((b"Content-Type", b"text/html"),))


CARD = b'{"id": 7, "name": "eva", "about": "plays the oboe", "listings": 2}'


def stake(target: bytes, told: bytes = CARD, *, everywhere: bool = True) -> Stake:
    """What is at stake where a token comes along, with everything or there alone."""
    answer = Response(200, JSON, told)
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(Request("GET", target), answer)), point=Point(), value=b"", policy=DEFAULT,
        credentials=(Point.of("header", "AUTHORIZATION"),), random=Random(1), everywhere=everywhere,
    )  # fmt: skip
    return stake_of(situation, answer)


def test_what_a_member_says_of_himself_may_be_for_visitors_too() -> None:
    assert stake(b"/api/users/7") is Stake.PERHAPS
    assert stake(b"/api/users", b'{"users": [%s]}' % CARD) is Stake.PERHAPS


@pytest.mark.parametrize(
    "target", [b"/admin/users/7", b"/api/user", b"/users/me", b"/accounts/7", b"/users/7/messages"]
)
def test_not_at_an_address_that_is_somebodys_own(target: bytes) -> None:
    assert stake(target) is Stake.SURE


def test_nor_beside_a_word_that_is_none_for_others_or_where_a_program_was_told_to_send_a_key() -> None:
    assert stake(b"/api/users/7", CARD.replace(b"listings", b"balance")) is Stake.SURE
    assert stake(b"/api/users/7", everywhere=False) is Stake.SURE


SHOP = b'{"username": "eva", "name": "Eva", "email": "eva@home.example", "about": "plays the oboe"}'


@pytest.mark.parametrize("target", [b"/profiles/eva", b"/shops/eva", b"/@eva"])
def test_how_to_write_to_a_member_may_stand_on_the_one_page_of_his_handle(target: bytes) -> None:
    assert stake(target, SHOP) is Stake.PERHAPS


@pytest.mark.parametrize(
    ("target", "told"),
    [
        (b"/users/7", SHOP),
        (b"/profiles/adam", SHOP),
        (b"/profiles/eva", SHOP.replace(b"about", b"phone")),
        (b"/profiles/eva", SHOP.replace(b'"plays the oboe"', b'""')),
        (b"/profiles/eva", SHOP.replace(b'"name"', b'"role"')),
        (b"/profiles", b"[%s]" % SHOP),
    ],
    ids=["a number", "somebody else", "a telephone", "nothing said", "a role", "a list of all"],
)
def test_his_e_mail_is_his_own_business_elsewhere(target: bytes, told: bytes) -> None:
    assert stake(target, told) is Stake.SURE


@pytest.mark.parametrize(
    ("beside", "outcome"),
    [
        ({}, Outcome.SAFE),
        ({"bio": "rows on the lake"}, Outcome.SAFE),
        ({"phone": "+44 20 7946 0101"}, Outcome.VULNERABLE),
    ],
    ids=["a name", "a card", "a telephone number"],
)
@pytest.mark.parametrize("address", ["/users/710733", "/users/710733/card"])
def test_who_somebody_is_others_may_look_up(address, beside, outcome):
    own = {b"/me": {"id": 710733, "username": "annmarsh", "email": "ann@example.com"}}
    own[address.encode()] = {"id": 710733, "username": "annmarsh", "room": "2.17", **beside}

    def office(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        if token not in OPAQUE.values() or request.path not in own:
            return Response(404 if token in OPAQUE.values() else 401)
        told = own[request.path] if token == OPAQUE["ann"] or request.path != b"/me" else {"id": 8, "username": "ben"}
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())

    request = asked(address)("")
    pages = Pages()
    pages.add(record(office, asked("/me")("")).exchange)
    known = (Identity("ann", 0, ("710733", "annmarsh")), *identities(request)[1:])
    (check,) = plan(
        record(office, request),
        DEFAULT,
        credentials_of(request),
        (PROBE,),
        identities=known,
        pages=pages.beside(request),
    )
    assert drive_as(check, office).verdict.outcome is outcome


BENS_CARD = {"id": "7", "username": "ben", "bio": "I row", "avatar": "/a/7.png"}


def called_stake(document: str, told: object, *, everywhere: bool = False, **variables: object) -> Stake:
    body = orjson.dumps({"query": document, "variables": variables})
    response = Response(200, (AS_JSON,), orjson.dumps({"data": told}))
    exchange = Exchange(Request("POST", b"/graphql", (AS_JSON,), body), response)
    return stake_of(situation(exchange, (KEY,), everywhere=everywhere), response)


@pytest.mark.parametrize("everywhere", [True, False])
def test_an_opinion_may_be_every_visitors(*, everywhere: bool):
    """As it may be where it has an address of its own; what else is changed is somebody's."""
    told = {"likePost": {"id": "7", "likes": 4}}
    assert called_stake("mutation { likePost(id: 7) { id likes } }", told, everywhere=everywhere) is Stake.PERHAPS
    told = {"movePost": {"id": "7", "likes": 4}}
    assert called_stake("mutation { movePost(id: 7) { id likes } }", told, everywhere=everywhere) is Stake.SURE


def test_what_one_member_says_of_himself_is_for_others_where_he_is_asked_for():
    query = "query U($u: String!) { user(username: $u) { id username bio avatar } }"
    assert called_stake(query, {"user": BENS_CARD}, u="ben") is Stake.PERHAPS
    assert (
        called_stake('{ userByName(name: "ben") { id username bio avatar } }', {"userByName": BENS_CARD})
        is Stake.PERHAPS
    )
    assert called_stake(query, {"user": {**BENS_CARD, "email": "ben@post.example"}}, u="ben") is Stake.SURE
    assert called_stake("{ user { id username bio avatar } }", {"user": BENS_CARD}) is Stake.SURE
    assert (
        called_stake("query ($u: String!) { userOrders(of: $u) { id } }", {"userOrders": [{"id": "7"}]}, u="b")
        is Stake.SURE
    )


CHAT = b'{"handle": "@eva:graz.example", "display_name": "Eva", "status": "around"}'


@pytest.mark.parametrize(
    ("target", "body", "stake"),
    [
        (b"/api/profile/@eva:graz.example", CHAT, Stake.PERHAPS),
        (b"/api/profile/%40eva%3Agraz.example", CHAT, Stake.PERHAPS),
        (b"/api/profile/eva", CHAT, Stake.SURE),
        (b"/api/profile/@eva:graz.example/devices", CHAT, Stake.SURE),
        (b"/api/profile/@eva:graz.example", b'{"display_name": "Eva", "email": "eva@home.example"}', Stake.SURE),
        (b"/api/profile/@eva:graz.example", b'{"display_name": "Eva", "role": "admin"}', Stake.SURE),
    ],
)
def test_whoever_is_named_with_his_server_is_told_of_to_other_servers(target, body, stake):
    exchange = Exchange(Request("GET", target, ((b"X-Api-Key", b"k-81f0"),)), Response(200, JSON, body))
    assert stake_of(situation(exchange, (KEY,)), exchange.response) is stake
