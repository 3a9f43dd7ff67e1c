"""Cookies that scripts set are read, and those that they delete are none."""

import pytest

from gatecrash.formats.scripts.cookies import cookies_in


@pytest.mark.parametrize(
    ("code", "cookies"),
    [
        ("document.cookie = 'theme=dark; path=/shop'", [b"theme=dark; path=/shop"]),
        ("document.cookie='q='+encodeURIComponent('a b')+';path=/';go()", [b"q=a%20b;path=/"]),
        ("window.document.cookie = `seen=1`", [b"seen=1"]),
        ("document.cookie = 'q=; max-age=0'", []),
        ("document.cookie = 'q=; expires=Thu, 01 Jan 1970 00:00:00 GMT'", []),
        ("document.cookie = name + '=1'", []),
        ("if (document.cookie == 'a=1') go()", []),
        ("const all = document.cookie", []),
    ],
)
def test_what_is_set_is_told_as_a_header_would(code: str, cookies: list[bytes]) -> None:
    assert cookies_in(code) == cookies
