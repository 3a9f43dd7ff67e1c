"""Whose request it is."""

import hashlib

import msgspec
import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.belonging import beside, going_to, keeps_its_token, own_first
from gatecrash.core.testing.profiles.profile import ENROLLED, AuthProfile, Holder, Placed, ProfileIdentity, Step
from gatecrash.core.testing.profiles.recorded import RecordedIdentities

SHARED = Placed(("header", "X-APP"), "app")
ALICE, BOB, ELSEWHERE = (
    ProfileIdentity(name=name, values=(Placed(("header", "X-KEY"), name), SHARED), hosts=hosts)
    for name, hosts in (("alice", ""), ("bob", "shop.example"), ("carol", "other.example"))
)
GIVEN = AuthProfile(id="p", name="p", identities=(ALICE, BOB, ELSEWHERE))
RECORDED: AuthProfile = msgspec.structs.replace(GIVEN, recorded=True)


def asked(key: bytes) -> Request:
    return Request("GET", b"/", ((b"X-Key", key), (b"X-App", b"app")), b"", "https", "shop.example", 443)


def test_credentials_go_to_their_hosts_only() -> None:
    assert going_to(GIVEN, asked(b"bob")) == (ALICE, BOB)
    assert going_to(None, asked(b"bob")) == ()


@pytest.mark.parametrize(
    ("profile", "key", "whose"),
    [
        (None, b"bob", ()),
        (GIVEN, b"bob", (ALICE, BOB)),
        (RECORDED, b"bob", (BOB, ALICE)),
        (RECORDED, b"dave", ()),
        (RECORDED, b"carol", ()),
    ],
    ids=["no profile", "a given one", "the record's", "the application's key alone", "of another host"],
)
def test_the_own_identity_comes_first(
    profile: AuthProfile | None, key: bytes, whose: tuple[ProfileIdentity, ...]
) -> None:
    assert own_first(profile, asked(key)) == whose


@pytest.mark.parametrize(
    ("brought", "whose"),
    [
        (b"Basic d2FyZGVuOnNoZWQ=", []),
        (b"Bearer saved-4711", ["account 1", "account 2"]),
        (b"", ["account 1", "account 2"]),
    ],
)
def test_what_brings_another_kind_of_authorization_is_none_of_the_accounts_that_were_made(
    brought: bytes, whose: list[str]
) -> None:
    placed = (Placed(("header", "AUTHORIZATION"), "Bearer ${token}"),)
    made = tuple(ProfileIdentity(name=f"account {number}", values=placed) for number in (1, 2))
    profile = AuthProfile(id=ENROLLED, name="p", identities=made)
    request = Request("GET", b"/", ((b"Authorization", brought),), b"", "https", "shop.example", 443)
    assert [each.name for each in own_first(profile, request)] == whose
    assert len(own_first(msgspec.structs.replace(profile, id="given"), request)) == len(made)


def test_beside_an_identity_of_the_record_stand_those_with_credentials_of_its_kind() -> None:
    """A user may have a key, a password and a token: to ask for the owner's things by his own key would prove nothing."""

    def one(name: str, point: tuple[str, ...], value: str) -> ProfileIdentity:
        return ProfileIdentity(name=name, values=(Placed(point, value),))

    key, other_key = one("a", ("header", "X-KEY"), "k1"), one("b", ("header", "X-KEY"), "k2")
    basic = one("c", ("header", "AUTHORIZATION"), "Basic YTpi")
    bearer, other_bearer = (one(n, ("header", "AUTHORIZATION"), f"Bearer {n}") for n in "de")
    profile = AuthProfile(id="p", name="p", identities=(key, basic, bearer, other_key, other_bearer), recorded=True)
    assert own_first(profile, asked(b"k1")) == (key, other_key)
    signed = Request("GET", b"/", ((b"Authorization", b"Bearer d"),), b"", "https", "shop.example", 443)
    assert own_first(profile, signed) == (bearer, other_bearer)


TOKEN = ("header", "X-TOKEN")
BY_NAME = {"ann": "YW5uOnNlc2FtZQ==", "bob": "Ym9iOnNlc2FtZQ=="}
BY_JWT = {"ann": "eyJhbGciOiJIUzI1NiJ9.eyJ1IjoiYW5uIn0.c2ln", "bob": "eyJhbGciOiJIUzI1NiJ9.eyJ1IjoiYm9iIn0.c2ln"}


def tokened(value: str, cookie: str = "") -> Request:
    headers: Headers = ((b"X-Token", value.encode()), *(((b"Cookie", cookie.encode()),) if cookie else ()))
    return Request("GET", b"/", headers, b"", "https", "shop.example", 443)


def test_a_name_and_a_password_and_a_token_in_one_header_are_of_two_kinds() -> None:
    """The same user may be let in by both."""
    values = (BY_NAME["ann"], BY_JWT["ann"], BY_NAME["bob"], BY_JWT["bob"])
    identities = tuple(ProfileIdentity(name=value, values=(Placed(TOKEN, value),)) for value in values)
    profile = AuthProfile(id="p", name="p", identities=identities, recorded=True)
    for own, other in ((0, 2), (1, 3), (2, 0)):
        assert own_first(profile, tokened(values[own])) == (identities[own], identities[other])


def test_who_signs_in_again_is_asked_for_by_a_token_of_another_kind_with_those_who_have_one() -> None:
    users = tuple(
        ProfileIdentity(name=name, login=(Step(method="POST", url="/login"),)) for name in ("ann", "bob", "cid")
    )
    sid = ("header", "COOKIE", "cookie", "sid")
    holders = [Holder(name, (Placed(sid, f"{name}-0123456789"),)) for name in ("ann", "bob", "cid")]
    holders += [Holder(name, (Placed(TOKEN, kind[name]),)) for kind in (BY_NAME, BY_JWT) for name in kind]
    profile = AuthProfile(id="recorded", name="p", identities=users, holders=tuple(holders))
    ann, bob, _ = users
    for kind in (BY_NAME, BY_JWT):
        request = tokened(kind["bob"])
        assert keeps_its_token(profile, request)
        assert own_first(profile, request) == (bob, ann)
        assert beside(profile, request, "ann") == {TOKEN: kind["ann"].encode()}
    assert own_first(profile, tokened("a-token-of-nobody-known")) == ()
    in_session = tokened(BY_NAME["bob"], "sid=bob-0123456789")
    assert not keeps_its_token(profile, in_session), "a session that is over has to be begun again"
    assert own_first(profile, in_session) == (bob, *(each for each in users if each is not bob))
    assert beside(profile, in_session, "ann") == {}


def test_a_key_that_each_user_came_with_beside_his_token_is_put_where_he_is_asked_as() -> None:
    """`X-Vault-Key` was handed out by an answer, and detection knows nothing of it."""
    identities = RecordedIdentities(compile_recogniser())
    for token, key in (
        ("alice-8d5f2a90cc1e", b"ecdb4bc1bcc7"),
        ("bob-77f1b0e2d94c", b"09af31c877de"),
        ("alice-8d5f2a90cc1e", b""),
    ):
        more = ((b"X-Vault-Key", key), (b"X-Trace", b"7f3a9d20aa"), (b"Idempotency-Key", b"5c1be7")) if key else ()
        headers = ((b"Host", b"shop.example"), (b"Authorization", b"Bearer " + token.encode()), *more)
        request = Request("GET", b"/vault/items", headers, b"", "https", "shop.example", 443)
        identities.see(Exchange(request, Response(200, body=b"{}")))
    profile = identities.profile()
    assert profile is not None
    key_point = ("header", "X-VAULT-KEY")
    assert profile.holders == (
        Holder("recorded 1", (Placed(key_point, "ecdb4bc1bcc7"),)),
        Holder("recorded 2", (Placed(key_point, "09af31c877de"),)),
    )
    own = Request("GET", b"/vault", ((b"X-Vault-Key", b"ecdb4bc1bcc7"),), b"", "https", "shop.example", 443)
    assert beside(profile, own, "recorded 2") == {key_point: b"09af31c877de"}
    assert beside(profile, msgspec.structs.replace(own, headers=()), "recorded 2") == {}, "the request has none"


DEAD = (("shed.example:80", b"/login"),)


def at_site(path: str, sid: str, new: str, body: bytes = b"") -> Exchange:
    """One request of a session whose cookie is another one with each answer, as where all that it knows is kept in the cookie."""
    headers = ((b"Host", b"shed.example"), (b"Cookie", b"session=" + sid.encode()))
    headers += ((b"Content-Type", b"application/x-www-form-urlencoded"),) if body else ()
    request = Request("POST" if body else "GET", path.encode(), headers, body, "http", "shed.example", 80)
    told = (b"Set-Cookie", b"session=" + new.encode()), (b"Location", b"/home")
    return Exchange(request, Response(302, told) if body else Response(200, told[:1]))


def test_who_sent_the_last_of_many_requests_is_known_though_each_had_another_cookie() -> None:
    identities, last = RecordedIdentities(compile_recogniser(), DEAD), dict[str, Exchange]()
    for name in ("ann", "bob"):
        cookies = [hashlib.sha256(f"{name}{number}".encode()).hexdigest() for number in range(122)]
        body = f"user={name}&password=a-b-{name}".encode()
        identities.see(at_site("/login", cookies[0], cookies[1], body))
        for number in range(1, 121):
            last[name] = at_site("/things", cookies[number], cookies[number + 1])
            identities.see(last[name])
    profile = identities.profile()
    assert profile is not None
    assert not profile.recorded
    assert [own_first(profile, last[name].request)[0].known for name in last] == [("ann",), ("bob",)]
