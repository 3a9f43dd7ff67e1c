"""Users that a record shows by itself."""

import base64
import json

import pytest
from tests.core.testing.profiles.recording import ALICE, BOB, basic, jwt, names, seen

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.belonging import own_first
from gatecrash.core.testing.profiles.profile import MANAGER, RECORDED, AuthProfile, Placed, ProfileIdentity, Step
from gatecrash.core.testing.profiles.recorded import RecordedIdentities
from gatecrash.core.testing.selection.hosts import AllowedHosts


@pytest.mark.parametrize(
    ("credentials", "found"),
    [
        ((ALICE, BOB, ALICE), 2),
        ((jwt("a", 1), jwt("b", 2)), 2),
        ((basic("a"), basic("b")), 2),
        ((ALICE, BOB), 0),
        ((jwt("a", 1), jwt("a", 2), jwt("a", 1)), 0),
        ((ALICE, ALICE), 0),
        (
            (
                basic("a"),
                'Hawk id="b", ts="1353832234", nonce="j4h3g2", mac="6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxmo1vpMofpLAE="',
            ),
            0,
        ),
    ],
    ids=["in turns", "by token", "by name", "one after the other", "one signed in anew", "one", "a signature"],
)
def test_who_is_told_apart(credentials: tuple[str, ...], found: int) -> None:
    assert names(seen(*credentials)) == [f"recorded {number}" for number in range(1, found + 1)]


def test_each_has_its_values_its_host_and_an_address_to_ask_at() -> None:
    profile = seen(ALICE, BOB, ALICE, key=b"k3y-of-the-app-00")
    assert profile is not None
    assert profile.recorded
    first, second = profile.identities
    assert {tuple(placed.point): placed.value for placed in first.values} == {
        ("header", "AUTHORIZATION"): ALICE, ("header", "X-API-KEY"): "k3y-of-the-app-00",
    }  # fmt: skip
    assert (first.rank, first.hosts, second.hosts) == (0, "shop.example:443", "shop.example:443")
    assert second.check is not None
    assert second.check.url == "https://shop.example/orders/1"


def test_a_token_that_is_given_for_a_fresh_one_takes_no_ones_place() -> None:
    identities = RecordedIdentities(compile_recogniser())
    for method, path, token in (
        ("GET", b"/orders", jwt("a", 1)),
        ("POST", b"/token/refresh", jwt("a", 2)),
        ("GET", b"/orders", jwt("b", 3)),
    ):
        headers = ((b"Host", b"shop.example"), (b"Authorization", token.encode()))
        request = Request(method, path, headers, b"", "https", "shop.example", 443)
        identities.see(Exchange(request, Response(200, body=b"{}")))
    profile = identities.profile()
    assert profile is not None
    assert [each.values[0].value for each in profile.identities] == [jwt("a", 1), jwt("b", 3)]
    assert [one.value for holder in profile.holders for one in holder.values] == [jwt("a", 2)]


def test_what_is_good_for_a_fresh_token_alone_is_no_user_beside_its_owner() -> None:
    identities = RecordedIdentities(compile_recogniser())
    host, form = (b"Host", b"shop.example"), (b"Content-Type", b"application/json")
    for name in ("ann", "ben"):
        handed = json.dumps({"token": jwt(name, 1).removeprefix("Bearer "), "refresh_token": f"rt-0123456789-{name}"})
        for path, body in (
            (b"/login", {"email": f"{name}@a.example", "password": "k"}),
            (b"/refresh", {"refresh_token": f"rt-0123456789-{name}"}),
        ):
            request = Request("POST", path, (host, form), json.dumps(body).encode(), "https", "shop.example", 443)
            identities.see(Exchange(request, Response(200, (), handed.encode())))
        asked = Request(
            "GET", b"/orders", (host, (b"Authorization", jwt(name, 1).encode())), b"", "https", "shop.example", 443
        )
        identities.see(Exchange(asked, Response(200, body=b"{}")))
    profile = identities.profile()
    assert profile is not None
    assert [each.values[0].value for each in profile.identities] == [jwt("ann", 1), jwt("ben", 1)]


def test_what_was_refused_shows_nobody() -> None:
    assert seen(jwt("a", 1), jwt("b", 2), status=401) is None


def test_the_host_is_written_as_lists_of_hosts_want_it() -> None:
    profile = seen(jwt("a", 1), jwt("b", 2), host="::1")
    assert profile is not None
    assert AllowedHosts(profile.identities[0].hosts).allows("::1", 443)


def test_users_of_different_hosts_are_not_mixed() -> None:
    identities = RecordedIdentities(compile_recogniser())
    for host, value in (("a.example", jwt("a", 1)), ("b.example", jwt("b", 2))):
        request = Request("GET", b"/", ((b"Authorization", value.encode()),), b"", "https", host, 443)
        identities.see(Exchange(request, Response(200)))
    assert identities.profile() is None


def test_a_given_profile_is_told_whether_the_record_is_bare_and_users_stand_in_for_none() -> None:
    given = AuthProfile(id="p", name="p", identities=())
    for signed_in in (False, True):
        identities = RecordedIdentities(compile_recogniser())
        headers = ((b"Authorization", ALICE.encode()),) if signed_in else ()
        identities.see(Exchange(Request("GET", b"/", headers, b"", "https", "a.example", 443), Response(200)))
        completed = identities.complete(given)
        assert completed is not None
        assert completed.bare is identities.bare is not signed_in
        assert identities.complete(None) is None


def test_two_that_follow_each_other_are_told_apart_by_their_logins() -> None:
    identities = RecordedIdentities(compile_recogniser())
    for name, token in (("ann", ALICE), ("ben", BOB)):
        form = (b"Content-Type", b"application/x-www-form-urlencoded")
        request = Request("POST", b"/login", (form,), f"user={name}&password=k".encode(), "https", "shop.example", 443)
        body = json.dumps({"token": token.removeprefix("Bearer ")}).encode()
        identities.see(Exchange(request, Response(200, (), body)))
        asked = Request("GET", b"/orders", ((b"Authorization", token.encode()),), b"", "https", "shop.example", 443)
        identities.see(Exchange(asked, Response(200, (), b"{}")))
    assert names(identities.profile()) == ["recorded 1", "recorded 2"]


@pytest.mark.parametrize(
    ("path", "first", "second", "found"),
    [
        (b"/me", {"id": 7, "email": "ann@x.example"}, {"id": 8, "email": "ben@x.example"}, 2),
        (b"/me", {"id": 7, "email": "ann@x.example"}, {"id": 9, "email": "ann@x.example"}, 1),
        (b"/me", {"id": 7, "org_id": 1}, {"id": 8, "org_id": 1}, 2),
        (b"/me", {"theme": "dark"}, {"theme": "light"}, 0),
        (b"/session", {"id": 7}, {"id": 8}, 0),
    ],
)
def test_two_that_follow_each_other_are_told_apart_by_what_they_are_told(path, first, second, found) -> None:
    identities = RecordedIdentities(compile_recogniser())
    for value, told in ((ALICE, first), (BOB, second)):
        request = Request("GET", path, ((b"Authorization", value.encode()),), b"", "https", "shop.example", 443)
        identities.see(Exchange(request, Response(200, body=json.dumps(told).encode())))
    assert len(names(identities.profile())) == found


def test_two_keys_that_follow_each_other_are_told_apart_by_whose_data_they_open() -> None:
    identities = RecordedIdentities(compile_recogniser())
    for key, shown in (
        (b"k3y-0f-ann-4410", {"id": 1, "member_id": 7}),
        (b"k3y-0f-ben-9027", {"id": 2, "member_id": 8}),
    ):
        request = Request("GET", b"/bookings", ((b"X-Api-Key", key),), b"", "https", "shop.example", 443)
        json_ = ((b"Content-Type", b"application/json"),)
        identities.see(Exchange(request, Response(200, json_, json.dumps([shown]).encode())))
    profile = identities.profile()
    assert profile is not None
    assert [one.known for one in profile.identities] == [(each, f"owned by member_id={each}") for each in "78"]


def test_one_who_was_told_who_he_is_is_known_by_that_alone() -> None:
    identities = RecordedIdentities(compile_recogniser())
    request = Request("GET", b"/me", ((b"Authorization", ALICE.encode()),), b"", "https", "shop.example", 443)
    identities.see(Exchange(request, Response(200, body=b'{"id": 7, "basket_id": 4}')))
    (one,) = identities.profile().identities
    assert (one.name, one.known, one.rank) == ("recorded 1", ("7", "basket=4"), 0)


def test_one_whose_login_names_him_is_known_by_that_name() -> None:
    identities = RecordedIdentities(compile_recogniser())
    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    login = Request("POST", b"/login", (form,), b"user=ann&password=k", "https", "shop.example", 443)
    body = json.dumps({"token": ALICE.removeprefix("Bearer ")}).encode()
    identities.see(Exchange(login, Response(200, (), body)))
    asked = Request("GET", b"/orders", ((b"Authorization", ALICE.encode()),), b"", "https", "shop.example", 443)
    identities.see(Exchange(asked, Response(200, (), b"{}")))
    assert [each.known for each in identities.profile().identities] == [("ann",)]


def test_a_key_and_a_password_may_be_one_users() -> None:
    """Those of the same kind are told apart, all the same."""
    identities = RecordedIdentities(compile_recogniser())
    keys = [((b"X-Api-Key", key),) for key in (b"key-of-ann-48c1f0a7", b"key-of-ben-90bb13e6", b"key-of-ann-48c1f0a7")]
    for headers in (*keys, *(((b"Authorization", basic(name).encode()),) for name in ("ann", "ben"))):
        request = Request("GET", b"/orders", headers, b"", "https", "shop.example", 443)
        identities.see(Exchange(request, Response(200, body=b"{}")))
    found = identities.profile()
    assert found is not None
    assert [placed.point for each in found.identities for placed in each.values] == [
        ("header", "X-API-KEY"), ("header", "X-API-KEY"), ("header", "AUTHORIZATION"), ("header", "AUTHORIZATION"),
    ]  # fmt: skip


def test_tokens_without_a_subject_name_their_holder_otherwise() -> None:
    def token(claims: dict[str, object]) -> str:
        parts = (b'{"alg":"HS256"}', json.dumps(claims).encode(), b"sig")
        return "Bearer " + ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)

    assert len(names(seen(token({"data": {"id": 1}}), token({"data": {"id": 2}})))) == 2
    assert len(names(seen(token({"username": "a"}), token({"username": "b"})))) == 2
    assert names(seen(token({"username": "a", "iat": 1}), token({"username": "a", "iat": 2}))) == []


WRITTEN = AuthProfile(
    id="p",
    name="p",
    identities=(
        ProfileIdentity(name="chief", rank=9, variables=(("user", "Ida@shop.example"), ("password", "one two 1"))),
        ProfileIdentity(name="buyer", rank=1, variables=(("user", "ann"), ("password", "one two 2"))),
        ProfileIdentity(name="robot", rank=1, values=(Placed(("header", "X-API-KEY"), "k-0123456789abcdef"),)),
    ),
)


def completed(*exchanges: Exchange) -> AuthProfile:
    identities = RecordedIdentities(compile_recogniser())
    for exchange in exchanges:
        identities.see(exchange)
    return identities.complete(WRITTEN)


def login(user: str, token: str) -> Exchange:
    kind = ((b"Content-Type", b"application/json"),)
    body = json.dumps({"user": user, "password": "x"}).encode()
    answer = Response(200, kind, json.dumps({"token": token}).encode())
    return Exchange(Request("POST", b"/login", kind, body, "https", "shop.example", 443), answer)


def with_header(name: bytes, value: str, path: bytes = b"/orders", body: bytes = b"{}") -> Exchange:
    return Exchange(
        Request("GET", path, ((name, value.encode()),), b"", "https", "shop.example", 443), Response(200, body=body)
    )


def whose(profile: AuthProfile, exchange: Exchange) -> str:
    return own_first(profile, exchange.request)[0].name


def test_a_given_profile_learns_who_sent_what_by_logins_tokens_names_and_keys():
    sent = {
        "buyer": with_header(b"Authorization", ALICE),
        "chief": with_header(b"Authorization", jwt("ida@shop.example", 1)),
        "robot": with_header(b"X-API-Key", "k-0123456789abcdef"),
    }
    profile = completed(login("ann", ALICE.removeprefix("Bearer ")), *sent.values())
    assert {name: whose(profile, exchange) for name, exchange in sent.items()} == {name: name for name in sent}
    assert profile.identities[1].known == ("ann",)


def test_whose_nobody_knows_is_sent_as_the_first():
    stranger = with_header(b"Authorization", BOB)
    assert whose(completed(stranger), stranger) == "chief"


def test_what_let_him_in_goes_before_what_a_broken_application_says_of_him():
    me = with_header(b"Authorization", ALICE, b"/api/me", b'{"username": "ida@shop.example"}')
    profile = completed(login("ann", ALICE.removeprefix("Bearer ")), me)
    assert whose(profile, me) == "buyer"


def test_an_identity_that_was_not_recorded_is_called_what_its_variables_call_it():
    assert completed(with_header(b"Authorization", BOB)).identities[0].known == ("ida@shop.example",)


def test_an_identity_is_known_by_the_name_that_its_login_puts_together():
    """Its token names an address of which the profile's variable is a part."""
    step = Step(method="POST", url="/login", json='{"email": "${user}@cars.example", "password": "${user}-pass"}')
    given = AuthProfile(
        id="",
        name="",
        identities=tuple(
            ProfileIdentity(name=name, variables=(("user", name),), login=(step,)) for name in ("pia", "raul")
        ),
    )
    identities = RecordedIdentities(compile_recogniser())
    for place, user in enumerate(("raul@cars.example", "pia@cars.example")):
        request = Request(
            "GET", b"/%d" % place, ((b"Authorization", jwt(user, place).encode()),), b"", "https", "a.example"
        )
        identities.see(Exchange(request, Response(200, body=b"{}")))
    completed = identities.complete(given)
    assert [holder.identity for holder in completed.holders] == ["raul", "pia"]
    assert all("pass" not in name for each in completed.identities for name in each.known)


def _ranks(profile: AuthProfile | None) -> list[int]:
    assert profile is not None
    return [identity.rank for identity in profile.identities]


def _with_role(subject: str, role: str) -> str:
    parts = (b'{"alg":"HS256"}', json.dumps({"sub": subject, "role": role}).encode(), b"sig")
    return "Bearer " + ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


@pytest.mark.parametrize(
    ("credentials", "ranks"),
    [
        ((_with_role("a", "user"), _with_role("b", "admin")), [0, 1]),
        ((_with_role("a", "superuser"), _with_role("b", "admin")), [1, 1]),
        ((_with_role("a", "captain"), _with_role("b", "seaman")), [0, 0]),
        ((_with_role("a", "customer"), _with_role("b", "customer"), _with_role("c", "chef")), [0, 0, 1]),
        ((_with_role("a", "buyer"), _with_role("c", "seller")), [0, 0]),
    ],
)
def test_who_manages_by_the_role_in_his_token_has_a_higher_rank(credentials: tuple[str, ...], ranks: list[int]) -> None:
    assert _ranks(seen(*credentials)) == ranks


@pytest.mark.parametrize(
    ("name", "answered", "told", "rank"),
    [
        ("ben", {"user": {"role": "admin"}}, {}, 1),
        ("ben", {}, {"isStaff": True}, 1),
        ("admin@shop.example", {}, {}, 1),
        ("ben", {"user": {"role": "customer"}}, {"groups": ["buyers"]}, 0),
    ],
    ids=["by the login's answer", "by what he is told of himself", "by his name", "a customer"],
)
def test_who_manages_by_what_the_application_says_has_a_higher_rank(
    name: str, answered: object, told: object, rank: int
) -> None:
    identities = RecordedIdentities(compile_recogniser())
    for user, token in (("ann", ALICE), (name, BOB)):
        form = (b"Content-Type", b"application/x-www-form-urlencoded")
        request = Request("POST", b"/login", (form,), f"user={user}&password=k".encode(), "https", "shop.example", 443)
        said = {"token": token.removeprefix("Bearer ")} | (answered if user == name else {})
        identities.see(Exchange(request, Response(200, (), json.dumps(said).encode())))
        asked = Request("GET", b"/me", ((b"Authorization", token.encode()),), b"", "https", "shop.example", 443)
        identities.see(Exchange(asked, Response(200, (), json.dumps(told if user == name else {}).encode())))
    assert _ranks(identities.profile()) == [0, rank]


def test_ranks_that_somebody_wrote_down_stay() -> None:
    identities = RecordedIdentities(compile_recogniser())
    token = _with_role("ben", "admin")
    asked = Request("GET", b"/orders", ((b"Authorization", token.encode()),), b"", "https", "shop.example", 443)
    identities.see(Exchange(asked, Response(200, (), b"{}")))
    ben = ProfileIdentity(name="ben", values=(Placed(("header", "AUTHORIZATION"), token),))
    completed = identities.complete(AuthProfile(id="p", name="p", identities=(ben,)))
    assert _ranks(completed) == [0]
    recorded = identities.complete(AuthProfile(id=RECORDED, name="p", identities=(ben,)))
    assert _ranks(recorded) == [1]
    ann = ProfileIdentity(name="buyer", variables=(("user", "ann@shop.example"),))
    assert _ranks(identities.complete(AuthProfile(id="p", name="p", identities=(ben, ann)))) == [1, 0], (
        "nobody wrote any"
    )


def told(token: str, path: bytes, body: bytes, status: int = 200) -> Exchange:
    request = Request("GET", path, ((b"Authorization", token.encode()),), b"", "https", "shop.example", 443)
    return Exchange(request, Response(status, ((b"Content-Type", b"application/json"),), body))


def told_beside(*beside: Exchange) -> AuthProfile | None:
    identities = RecordedIdentities(compile_recogniser())
    identities.see(told(ALICE, b"/orders", b"[]"))
    identities.see(told(BOB, b"/bills", b"[]"))
    for each in beside:
        identities.tell(each)
    return identities.profile()


def test_whom_the_record_does_not_tell_apart_what_was_asked_beside_it_does() -> None:
    who = [
        told(ALICE, b"/me", b'{"email": "a@shop.example"}'),
        told(BOB, b"/me", b'{"email": "b@shop.example"}'),
    ]
    profile = told_beside(*who)
    assert names(profile) == ["recorded 1", "recorded 2"]
    assert profile is not None
    assert [one.known for one in profile.identities] == [("a@shop.example",), ("b@shop.example",)]


def test_two_tokens_of_one_user_are_not_two_users_in_whatever_turns_they_are_asked() -> None:
    me = b'{"email": "a@shop.example"}'
    profile = told_beside(told(BOB, b"/me", me), told(ALICE, b"/me", me), told(BOB, b"/me", me))
    assert names(profile) == ["recorded 1"]


def test_who_is_refused_is_told_nothing_and_a_stranger_is_none_of_the_record() -> None:
    other = "Bearer 0c11223344556677"
    assert told_beside(told(ALICE, b"/me", b'{"email": "a@b.example"}', 401), told(other, b"/me", b'{"id": 9}')) is None


def test_who_is_let_in_where_the_only_customer_is_refused_stands_above_him() -> None:
    who = [
        told(ALICE, b"/me", b'{"email": "a@shop.example"}'),
        told(BOB, b"/me", b'{"email": "b@shop.example", "role": "clerk"}'),
        told(ALICE, b"/bills", b"{}", 403),
        told(BOB, b"/orders", b"[]"),
    ]
    profile = told_beside(*who)
    assert profile is not None
    assert [one.rank for one in profile.identities] == [0, MANAGER]
    market = told_beside(*who[:3], told(BOB, b"/orders", b"{}", 403))
    assert market is not None
    assert [one.rank for one in market.identities] == [0, 0]
