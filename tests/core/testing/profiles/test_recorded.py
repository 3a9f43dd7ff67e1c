"""Users that a record shows by itself."""

import base64
import json

import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.hosts import AllowedHosts
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.recorded import RecordedIdentities

ALICE, BOB = "Bearer 8d5f2a90cc1e47ab", "Bearer 77f1b0e2d94c4b6a"


def jwt(subject: str, number: int) -> str:
    parts = (b'{"alg":"HS256"}', json.dumps({"sub": subject, "jti": number}).encode(), b"sig")
    return "Bearer " + ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def basic(user: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:pass".encode()).decode()


def seen(*credentials: str, host: str = "shop.example", status: int = 200, key: bytes = b"") -> AuthProfile | None:
    identities = RecordedIdentities(compile_recogniser())
    for place, value in enumerate(credentials):
        headers = (
            (b"Host", host.encode()),
            (b"Authorization", value.encode()),
            *(((b"X-Api-Key", key),) if key else ()),
        )
        request = Request("GET", b"/orders/%d" % place, headers, b"", "https", host, 443)
        identities.see(Exchange(request, Response(status, body=b"{}")))
    return identities.profile()


def names(profile: AuthProfile | None) -> list[str]:
    return [] if profile is None else [identity.name for identity in profile.identities]


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
