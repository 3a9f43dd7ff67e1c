"""Session cookies: each documented, each once; patterns and prefixes lead to the listed name; none is ignored."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.families.ignored_cookies import COOKIES as IGNORED
from gatecrash.core.auth.families.session_cookies import COOKIES, listed_name, unprefixed


def test_every_name_has_a_source_and_is_there_once():
    assert len({row.name for row in COOKIES}) == len(COOKIES)
    assert all(row.source for row in COOKIES)
    for row in COOKIES:
        re.compile(row.pattern)


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        (b"PHPSESSID", "PHPSESSID"),
        (b"__Host-session", "session"),
        (b"CloudFront-Signature", "CloudFront-Signature"),
        (b"CloudFront-Policy", None),
        (b"__Secure-next-auth.session-token.0", "next-auth.session-token"),
        (b"ASPSESSIONIDQABCDEFG", "ASPSESSIONID<ID>"),
        (b"SESS" + b"0f" * 16, "SESS<HASH>"),
        (b"SSESS" + b"0f" * 16, "SSESS<HASH>"),
        (b"__Secure-authjs.session-token.1", "authjs.session-token"),
        (b"appSession", "appSession"),
        (b"appSession.0", "appSession"),
        (b"appSession.tea", None),
        (b"remember_web_" + b"0f" * 20, "remember_<GUARD>_<HASH>"),
        (b"remember_web_choice", None),
        (b"_teashop_session", "_<APP>_session"),
        (b"teashop_session", "<APP>_session"),
        (b"tea_cart_manager_session", "<APP>_session"),
        (b"cart_session", None),
        (b"shop_visitor_session", None),
        (b"_shop_analytics_session", None),
        (b"_chat_session", None),
        (b"Phpsessid", None),
        (b"session2", None),
        (b"x" * 5000, None),
    ],
)
def test_the_listed_name_of_a_cookie(name, listed):
    assert listed_name(name) == listed


@pytest.mark.parametrize("ignored", [row.name for row in IGNORED])
def test_no_ignored_cookie_is_listed(ignored):
    for middle in ("", "0f", "x_y"):
        assert listed_name(ignored.replace("*", middle).encode()) is None


@given(st.binary(max_size=300))
def test_arbitrary_names_never_raise(name):
    assert listed_name(name) is None or len(unprefixed(name)) <= len(name)
