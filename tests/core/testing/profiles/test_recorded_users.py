"""Users who came with credentials of their own, beside others who sign in again."""

import json

import pytest
from tests.core.testing.profiles.recording import ALICE, BOB, jwt, names

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.profile import AuthProfile, Holder, Placed
from gatecrash.core.testing.profiles.recorded import RecordedIdentities
from gatecrash.core.testing.profiles.recorded_users import (
    MOST_IDENTITIES,
    RecordedUser,
    apart_by_kind,
    as_identities,
    know_owners,
    placed,
    told_apart,
)

_HOST = "shop.example"
_FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
_ANNS, _BENS = "kw_51c1a8be03d2f4960ab7", "kw_9e07d4b16cf8325a4e10"


def _request(method: str, path: bytes, header: tuple[bytes, bytes], body: bytes = b"") -> Request:
    return Request(method, path, ((b"Host", b"shop.example"), header), body, "https", _HOST, 443)


def _key(value: str) -> tuple[bytes, bytes]:
    return (b"X-Api-Key", value.encode())


def _user(value: str, first: int, last: int, subject: str = "") -> RecordedUser:
    point = ("header", "X-API-KEY")
    user = RecordedUser({point: value}, subject, first, last, frozenset())
    user.carried.add((point, value))
    return user


def _recorded(*asked: tuple[str, bytes], handed_out: str = "") -> AuthProfile | None:
    """A clerk who signs in and out, and others who come with keys. handed_out: what the clerk is given for somebody."""
    identities = RecordedIdentities(compile_recogniser())
    token = jwt("clerk", 1)
    exchanges = [
        (_request("POST", b"/login", _FORM, b"user=clerk&password=k"), {"token": token.removeprefix("Bearer ")}),
        (_request("GET", b"/desk", (b"Authorization", token.encode())), {}),
    ]
    if handed_out:
        made = _request("POST", b"/keys", (b"Authorization", token.encode()), b"label=site")
        exchanges.append((made, {"secret": handed_out}))
    exchanges.append((_request("POST", b"/logout", (b"Authorization", token.encode())), {}))
    exchanges += [(_request("GET", path, _key(value)), {}) for value, path in asked]
    for request, told in exchanges:
        identities.see(Exchange(request, Response(200, (), json.dumps(told).encode())))
    return identities.profile()


_BY_TURNS = ((_ANNS, b"/orders/1"), (_BENS, b"/orders/2"), (_ANNS, b"/orders/3"))


def test_who_comes_with_a_key_of_his_own_is_somebody_beside_those_who_sign_in_again() -> None:
    profile = _recorded(*_BY_TURNS)
    assert names(profile) == ["recorded 1", "recorded 2", "recorded 3"]
    assert profile is not None
    clerk, *others = profile.identities
    assert clerk.login
    assert not any(each.login for each in others)
    assert [each.values for each in others] == [(Placed(("header", "X-API-KEY"), key),) for key in (_ANNS, _BENS)]
    held = {each.identity: each.values for each in profile.holders}
    assert [held[each.name] for each in others] == [each.values for each in others], "their requests are known by these"


@pytest.mark.parametrize("asked", [(), ((_ANNS, b"/orders/1"),), ((_ANNS, b"/orders/1"), (_BENS, b"/orders/2"))])
def test_who_is_not_told_apart_from_another_is_nobody_beside_them(asked: tuple[tuple[str, bytes], ...]) -> None:
    assert names(_recorded(*asked)) == ["recorded 1"]


def test_a_key_that_an_answer_handed_out_is_no_user_s_own() -> None:
    assert names(_recorded(*_BY_TURNS, handed_out=_ANNS)) == ["recorded 1"]


def test_users_by_turns_are_told_apart_and_no_more_than_a_record_may_have() -> None:
    by_turns = [_user(f"k{number}", 1, 9) for number in range(MOST_IDENTITIES + 2)]
    assert len(told_apart(by_turns)) == MOST_IDENTITIES
    assert len(told_apart([_user("a", 1, 2), _user("b", 3, 4)])) == 1
    assert len(told_apart([_user("a", 1, 9, "ann"), _user("b", 2, 8, "ann")])) == 1


def test_the_only_one_of_a_kind_counts_where_it_is_known_who_he_is() -> None:
    alone = _user("a", 1, 2)
    alone.told = {"ann"}
    assert [*apart_by_kind([alone])] == [alone]
    assert [*apart_by_kind([alone], known_alone=False)] == []


def test_what_only_one_of_them_opened_is_his() -> None:
    one, other = _user("a", 1, 9), _user("b", 2, 8)
    opened = _request("GET", b"/orders/71", _key("a"))
    one.shown.see(Exchange(opened, Response(200, (), b'{"id": 71}')))
    know_owners([one, other])
    assert not other.known


def test_each_is_sent_with_what_he_came_with_last_and_held_what_he_came_with_before() -> None:
    user = _user(ALICE, 1, 9)
    user.carried.add((("header", "X-API-KEY"), BOB))
    identities, holders = as_identities([(f"{_HOST}:443", user)], 2)
    assert [(each.name, each.hosts, each.cookies) for each in identities] == [("recorded 3", f"{_HOST}:443", False)]
    assert identities[0].values == placed(user.values.items())
    assert holders == (Holder("recorded 3", placed([(("header", "X-API-KEY"), BOB)])),)


def test_what_stands_beside_his_own_key_is_about_himself():
    identities = RecordedIdentities(compile_recogniser())
    for number, key in ((7041, _ANNS), (7042, _BENS)):
        told = {"id": number, "email": f"u{number}@shop.example", "api_key": key}
        request = _request("GET", b"/accounts/%d" % number, _key(key))
        identities.see(Exchange(request, Response(200, (), json.dumps(told).encode())))
    profile = identities.profile()
    assert profile is not None
    assert ["7041" in each.known for each in profile.identities] == [True, False]


def test_users_are_called_what_all_of_their_pages_greet_them_with():
    users = [_user(_ANNS, 1, 9), _user(_BENS, 10, 19)]
    for user, name in zip(users, ("Ann Lee", "Ben Ray"), strict=True):
        for number in range(4):
            page = f"<b>{name}</b><h1>Harbour Club</h1>".encode()
            response = Response(200, ((b"Content-Type", b"text/html"),), page)
            user.greetings.see(Exchange(_request("GET", b"/p%d" % number, _key(_ANNS)), response))
    know_owners(users)
    assert [user.known for user in users] == [{"ann lee"}, {"ben ray"}]
    know_owners(users[:1])
    assert users[0].known == {"ann lee"}
