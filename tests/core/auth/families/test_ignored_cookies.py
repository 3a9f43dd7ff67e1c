"""Ignored cookies: each documented, each once, stars and case honoured; no default name among them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.families.api_keys import HEADERS, QUERY
from gatecrash.core.auth.families.ignored_cookies import COOKIES, is_ignored
from gatecrash.core.auth.families.session_cookies import COOKIES as SESSIONS
from gatecrash.core.auth.families.webhooks import HEADERS as WEBHOOKS
from gatecrash.core.auth.parameters import COOKIES as DEFAULTS

KINDS = {"affinity", "bot", "consent", "analytics", "csrf", "preference", "flow"}


def test_every_name_has_a_source_and_a_kind_and_is_there_once():
    assert len({row.name.lower() for row in COOKIES}) == len(COOKIES)
    assert all(row.source and row.kind in KINDS for row in COOKIES)


def test_the_families_hold_more_than_three_hundred_names():
    assert len(HEADERS) + len(QUERY) + len(WEBHOOKS) + len(SESSIONS) + len(COOKIES) > 300


@pytest.mark.parametrize(
    "name",
    [
        b"AWSALBCORS",
        b"ARRAffinitySameSite",
        b"BIGipServerpool_web",
        b"_ga_ABC123",
        b"csrfToken",
        b"__Host-csrf",
        b"nid",
    ],
)
def test_ignored(name):
    assert is_ignored(name)


@pytest.mark.parametrize("name", [b"PHPSESSID", b"sid", b"tea", b"user_session", b"routes"])
def test_not_ignored(name):
    assert not is_ignored(name)


def test_defaults_are_never_ignored():
    assert not any(is_ignored(name.encode()) for name in DEFAULTS)


@given(st.binary(max_size=300))
def test_arbitrary_names_never_raise(name):
    assert is_ignored(name) in (True, False)
