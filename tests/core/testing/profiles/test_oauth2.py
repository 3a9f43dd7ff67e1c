"""The two grants written out as steps (RFC 6749 sections 2.3.1, 4.3, 4.4 and 6)."""

from typing import Any

import pytest

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.testing.profiles.oauth2 import BEARER, read_grant
from gatecrash.core.testing.profiles.profile_document import read_profile

CLIENT: dict[str, Any] = {
    "grant": "client_credentials", "token_url": "/token", "client_id": "a:b", "client_secret": "s p", "scope": "x y",
}  # fmt: skip


def test_client_credentials_with_the_client_in_the_header() -> None:
    login, refresh = read_grant(CLIENT, "oauth2")
    assert login.form == (("grant_type", "client_credentials"), ("scope", "x y"))
    assert login.basic == ("a%3Ab", "s+p"), "both form-encoded before they are joined"
    assert refresh.form == (("grant_type", "refresh_token"), ("refresh_token", "${refresh_token}"))
    assert refresh.basic == login.basic


def test_password_with_the_client_in_the_body() -> None:
    given = {
        **CLIENT,
        "grant": "password",
        "username": "u",
        "password": "p",
        "client_auth": "body",
        "extra": {"r": "1"},
    }
    login, _ = read_grant(given, "oauth2")
    assert login.basic is None
    assert dict(login.form or ()) == {
        "grant_type": "password", "username": "u", "password": "p", "scope": "x y", "r": "1", "client_id": "a:b",
        "client_secret": "s p",
    }  # fmt: skip


def test_a_public_client_names_itself_in_the_body() -> None:
    login, _ = read_grant({**CLIENT, "client_secret": None}, "oauth2")
    assert ("client_id", "a:b") in (login.form or ())


def test_in_a_profile_it_stands_for_login_values_and_life() -> None:
    (identity,) = read_profile({"oauth2": CLIENT}, "p").identities
    assert (identity.values, identity.expires_in, len(identity.login)) == ((BEARER,), "${expires_in}", 1)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"grant": "implicit"}, "oauth2.grant: is none of client_credentials, password"),
        ({"grant": "password"}, "oauth2.username: is required"),
        ({"username": "u"}, "oauth2.grant: client_credentials knows no username"),
        ({"token_url": "token"}, "oauth2.token_url: is neither"),
        ({"client_auth": "jwt"}, "oauth2.client_auth: is none of"),
    ],
)
def test_mistakes_are_told_with_their_place(change: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidProfile) as caught:
        read_grant({**CLIENT, **change}, "oauth2")
    assert str(caught.value).startswith(told)
