"""Who somebody is, by his credentials and by what the application tells him."""

from base64 import b64encode

import pytest
from tests.range.place import answer

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.callers.oneself import (
    MADE_UP,
    asks_about_oneself,
    his_alone,
    is_privileged,
    known_values,
    self_values,
    stands_in_his,
    tells_of_oneself,
    wordless_user,
)
from gatecrash.core.testing.authorization.tokens.jwt import compact, with_hmac
from gatecrash.formats.descriptions.sample_text import text_for

AUTHORIZATION = Point.of("header", "AUTHORIZATION")


def bearer(**claims: object) -> Request:
    token = compact({"alg": "HS256"}, claims, with_hmac("HS256", b"k"))
    return Request("GET", b"/", ((b"Authorization", b"Bearer " + token),))


def test_credentials_say_who_their_holder_is():
    request = bearer(sub="7", email="Ann@example.com", exp=99, role="admin", ok=True)
    assert known_values(request, (AUTHORIZATION,)) == {"7", "ann@example.com"}
    basic = Request("GET", b"/", ((b"Authorization", b"Basic " + b64encode(b"ann:sesame")),))
    assert known_values(basic, (AUTHORIZATION,)) == {"ann"}
    assert known_values(Request("GET", b"/", ((b"Authorization", b"Bearer 3f9a"),)), (AUTHORIZATION,)) == frozenset()


def test_a_name_and_a_password_are_known_without_the_word_of_basic():
    encoded = b64encode(b"Ann@club.test:sesame")
    request = Request("GET", b"/", ((b"Authorization-Token", encoded),))
    assert known_values(request, (Point.of("header", "AUTHORIZATION-TOKEN"),)) == {"ann@club.test"}
    for other in (b"7:sesame", b"ann", b"ann:", b"a n n:sesame", b"\x9fann:sesame"):
        assert wordless_user(b64encode(other).decode()) == ""
    assert wordless_user("no base64 at all") == ""


def test_who_manages_others_is_known_by_the_token():
    assert is_privileged(bearer(role="admin"), [AUTHORIZATION])
    assert not is_privileged(bearer(role="user"), [AUTHORIZATION])


def test_an_answer_about_oneself_says_who_one_is():
    assert self_values(answer({"id": 7, "username": "Ann", "theme": "dark"})) == {"7", "ann"}
    assert self_values(answer({"_id": "65f0a1c2", "login": "ann"})) == {"65f0a1c2", "ann"}


def test_what_a_scan_made_up_for_an_account_is_nobodys_name():
    assert text_for({}) == MADE_UP
    told = {"id": 7, "username": "ann", "name": "example", "company": "example", "team": "Example"}
    assert self_values(answer(told)) == {"7", "ann"}


@pytest.mark.parametrize(
    "told",
    [
        {"data": {"me": {"id": 7, "name": "Ann"}, "latest": [{"id": 31, "name": "Song"}]}},
        [{"data": {"me": {"id": 7, "name": "Ann"}}}, {"data": {"song": {"id": 31, "name": "Song"}}}],
        {"data": {"me": {"id": 7, "profile": {"name": "Ann"}, "orders": [{"id": 31}], "club": {"id": 32}}}},
    ],
)
def test_of_what_graphql_answers_only_the_field_about_oneself_says_who_one_is(told: object):
    assert self_values(answer(told)) == {"7", "ann"}


def test_what_somebody_keeps_or_follows_does_not_say_who_he_is():
    kept = [{"id": 31, "name": "Blue vase"}, {"id": 32, "name": "Red vase"}]
    assert self_values(answer({"id": 7, "name": "Ann", "favorites": kept})) == {"7", "ann"}
    homes = [{"tenantId": "acme"}, {"tenantId": "wren"}]
    assert {"tenant=acme", "tenant=wren"} <= self_values(answer({"id": 7, "memberships": homes}))


def test_a_customers_number_says_who_he_is_and_not_what_kind_of_customer_he_is() -> None:
    told = {"customer": "C100", "member_no": "M-17", "client": "gold", "employee": False}
    assert self_values(answer(told)) == {"c100", "m-17"}


def test_what_nobody_shares_is_ones_own_by_its_kind():
    about = self_values(answer({"id": 7, "basketId": 22, "wallet": 50, "theme": "dark"}))
    assert about == {"7", "basket=22", "wallet=50"}
    assert stands_in_his(answer({"data": {"id": 31, "BasketId": 22, "quantity": 1}}), about)
    assert not stands_in_his(answer({"data": {"id": 22, "BasketId": 23, "quantity": 22}}), about)


def test_an_answer_about_oneself_says_which_tenant_one_belongs_to():
    assert self_values(answer({"tenantId": "T-acme", "theme": "dark"})) == {"t-acme", "tenant=t-acme"}
    assert self_values(answer({"id": 7, "active_organization": 1})) == {"7", "present tenant=1"}
    assert self_values(answer({"id": 7, "teamId": 10, "group": "Reds"})) == {
        "7",
        "together team=10",
        "together group=reds",
    }


@pytest.mark.parametrize(
    ("target", "body", "asks"),
    [
        (b"/api/me", b"", True),
        (b"/users/me/", b"", True),
        (b"/account", b"", True),
        (b"/account?id=7", b"", False),
        (b"/profile.php", b"", True),
        (b"/account.jsp", b"", True),
        (b"/profile.png", b"", False),
        (b"/accounts", b"", False),
        (b"/graphql", b'{"query": "query Who { viewer { email } }"}', True),
        (b"/graphql", b'{"query": "query One { order(id: 7) { total } }"}', False),
        (b"/graphql", b'{"query": "query Mine {\\n  profile { email } }"}', True),
        (b"/graphql", b'{"query": "{ profile(id: 7) { email } }"}', False),
        (b"/graphql", b'{"query": "{ post(id: 7) { profile { email } } }"}', False),
        (b"/rpc/session.whoami", b"{}", True),
        (b"/rpc/user.getMe", b"{}", True),
        (b"/rpc/user.get", b'{"id": 7}', False),
        (b"/rpc/user.setMe", b"{}", False),
    ],
)
def test_who_asks_about_himself(target, body, asks):
    assert asks_about_oneself(Request("POST" if body else "GET", target, (), body)) is asks


@pytest.mark.parametrize(
    ("method", "target", "tells"),
    [("PATCH", b"/api/me", True), ("PUT", b"/profile", True), ("GET", b"/api/me", True), ("PATCH", b"/users/7", False)],
)
def test_a_change_of_oneself_is_answered_with_who_one_is(method, target, tells):
    assert tells_of_oneself(Request(method, target)) is tells


def test_claims_one_level_down_say_who_their_holder_is():
    token = bearer(status="success", data={"id": 9, "email": "Eva@x.example", "theme": "dark"}).first(b"Authorization")
    request = Request("GET", b"/", ((b"Authorization", token),))
    known = known_values(request, (Point.of("header", "AUTHORIZATION"),))
    assert known >= {"9", "eva@x.example"}
    assert not known & {"dark", "success"}


@pytest.mark.parametrize(
    ("told", "own"),
    [
        ({"id": 7, "organization": "Acme"}, {"7"}),
        ({"id": 7, "active_organization": 1, "team_id": 3}, {"7"}),
        ({"email": "ann@x.example", "tenant": {"id": "t-1", "company": "Acme"}}, {"ann@x.example", "t-1"}),
        ({"company": "Acme"}, set()),
    ],
)
def test_the_tenant_and_the_groups_of_somebody_are_not_his_alone(told: object, own: set[str]) -> None:
    assert his_alone(self_values(answer(told))) == own
