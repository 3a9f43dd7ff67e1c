"""Whose request it is."""

import msgspec
import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.belonging import going_to, own_first
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity

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
