"""Whole profiles: what every identity inherits, and every mistake with its place."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.testing.profiles.profile import Placed
from gatecrash.core.testing.profiles.profile_document import FIELDS, read_profile

VALUE = {"point": ["header", "Authorization"], "value": "Bearer ${token}"}
LOGIN = [{"path": "/login", "form": {"u": "${user}"}, "take": {"token": {"json": "$.t"}}}]
_YAML = re.compile(r"```yaml\n(.*?)```", re.DOTALL)
ROOT = Path(__file__).resolve().parents[4]


def test_identities_inherit_what_they_do_not_say_themselves() -> None:
    profile = read_profile(
        {
            "name": "Shop", "base": "https://shop.example/", "login": LOGIN, "values": [VALUE], "hosts": ".example",
            "check": {"path": "/me"}, "variables": {"user": "nobody", "shared": 1},
            "identities": [
                {"name": "alice", "variables": {"user": "alice"}},
                {"name": "root", "rank": 9, "login": [], "values": [{"point": ["header", "X-Key"], "value": "k"}], "check": {"path": "/admin"}},
            ],
        },
        "prof_1",
    )  # fmt: skip
    alice, root = profile.identities
    assert (profile.id, profile.name, profile.base) == ("prof_1", "Shop", "https://shop.example")
    assert dict(alice.variables) == {"user": "alice", "shared": "1"}
    assert alice.login[0].form == (("u", "${user}"),)
    assert alice.hosts == root.hosts == ".example"
    assert (root.rank, root.login, root.values) == (9, (), (Placed(("header", "X-KEY"), "k"),))
    assert alice.check is not None
    assert root.check is not None
    assert (alice.check.url, root.check.url) == ("/me", "/admin")


def test_without_a_list_there_is_one_identity() -> None:
    (only,) = read_profile({"values": [{"point": ["get", "key"], "value": "v"}]}, "p").identities
    assert (only.name, only.rank) == ("default", 0)


def test_an_own_grant_takes_the_place_of_the_login_and_its_values() -> None:
    grant = {"grant": "client_credentials", "token_url": "/t", "client_id": "c"}
    given = {
        "login": LOGIN,
        "values": [VALUE],
        "variables": {"user": "u"},
        "identities": [{"name": "m", "oauth2": grant}],
    }
    (machine,) = read_profile(given, "p").identities
    assert machine.values[0].value == "Bearer ${access_token}"


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ([], "an auth profile is a set of fields, not a list"),
        ({"nmae": "x"}, "'nmae' is no field of an auth profile; the fields are name, base, identities"),
        ({}, "has no credentials: give values, login, oauth2 or sign"),
        ({"identities": [{"name": "a"}]}, "identities[0]: has no credentials"),
        ({"values": [VALUE]}, "values: the variable 'token' is neither given nor taken"),
        ({"login": LOGIN, "values": [VALUE]}, "login[0]: the variable 'user' is neither given nor taken"),
        ({"sign": {"scheme": "hawk", "key_id": "i", "key": "${k}"}}, "sign: the variable 'k' is neither"),
        ({"values": [VALUE], "variables": {"token": "t"}, "base": "shop.example"}, "base: is no origin"),
        ({"values": [VALUE], "variables": {"token": "t"}, "base": "https://u:p@shop.example"}, "base: is no origin"),
        ({"values": [VALUE], "variables": {"token": "t"}, "base": "https://shop.example/api"}, "base: is no origin"),
        ({"values": [VALUE], "variables": {"token": "t"}, "hosts": "~("}, "hosts: "),
        ({"values": [VALUE], "variables": {"to ken": "t"}}, "variables.to ken: is no name for a variable"),
        ({"refresh": LOGIN, "values": [VALUE], "variables": {"user": "u"}}, "refresh: needs a login"),
        ({"login": LOGIN, "oauth2": {}, "variables": {"user": "u"}}, "oauth2: stands beside login"),
        ({"login": LOGIN, "variables": {"user": "u"}, "expires_in": 0}, "expires_in: is a whole number from 1"),
        (
            {"values": [VALUE], "variables": {"token": "t"}, "check": {"path": "/", "method": "POST"}},
            "check.method: is none",
        ),
        (
            {"values": [VALUE], "variables": {"token": "t"}, "identities": [{"rank": 1}]},
            "identities[0].name: is required",
        ),
        (
            {"values": [VALUE], "variables": {"token": "t"}, "identities": [{"name": "a"}, {"name": "a"}]},
            "identities[1].name: is another identity's name already",
        ),
        (
            {"values": [VALUE], "variables": {"token": "t"}, "identities": [{"name": "a", "rank": -1}]},
            "identities[0].rank:",
        ),
    ],
)
def test_mistakes_are_told_with_their_place(document: Any, told: str) -> None:
    with pytest.raises(InvalidProfile) as caught:
        read_profile(document, "p")
    assert str(caught.value).startswith(told)


def test_the_page_about_profiles_names_every_field() -> None:
    text = (ROOT / "docs" / "auth-profiles.md").read_text("utf-8")
    assert [name for name in FIELDS if f"`{name}`" not in text] == []


def examples() -> list[dict[str, Any]]:
    """The YAML of the page, each piece made a whole profile."""
    text = (ROOT / "docs" / "auth-profiles.md").read_text("utf-8")
    pieces = [yaml.safe_load(re.sub(r"\$\{env:\w+\}", "from-the-environment", piece)) for piece in _YAML.findall(text)]
    credentials = [{"point": ["header", "X-Key"], "value": "k"}]
    whole = [{"login": [{"path": "/x", **piece}]} if "take" in piece else piece for piece in pieces]
    return [piece if {"identities", "oauth2"} & set(piece) else {"values": credentials, **piece} for piece in whole]


def test_every_example_of_the_page_is_a_profile() -> None:
    read = [read_profile(example, "p") for example in examples()]
    assert len(read) >= 5
    assert [identity.name for identity in read[0].identities] == ["alice", "admin"]
