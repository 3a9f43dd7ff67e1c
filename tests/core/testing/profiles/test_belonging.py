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
