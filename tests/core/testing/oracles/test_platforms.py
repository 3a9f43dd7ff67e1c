"""What an answer or an address says of the platform."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.oracles.platforms import never_in_java, on_php, on_windows, opens_pipes

PLAIN = Request("GET", b"/")


@pytest.mark.parametrize("header", [(b"Server", b"Microsoft-IIS/10.0"), (b"X-AspNet-Version", b"ASP.NET 4")])
def test_windows_is_told_by_its_servers(header):
    assert on_windows(Response(200, (header,), b""))
    assert not on_windows(Response(200, ((b"Server", b"nginx"),), b""))
    assert not on_windows(None)


@pytest.mark.parametrize(
    ("request_", "headers"),
    [
        (Request("GET", b"/index.php?a=1"), ()),
        (Request("GET", b"/", ((b"Cookie", b"a=1; PHPSESSID=5"),)), ()),
        (PLAIN, ((b"X-Powered-By", b"PHP/8.2"),)),
        (PLAIN, ((b"Set-Cookie", b"PHPSESSID=5; path=/"),)),
    ],
)
def test_php_is_told_by_addresses_headers_and_cookies(request_, headers):
    assert on_php(request_, Response(200, headers, b""))


def test_what_says_nothing_of_php_is_none():
    assert not on_php(PLAIN, Response(200, ((b"X-Powered-By", b"Express"),), b"PHP is fine"))
    assert not on_php(PLAIN, None)


@pytest.mark.parametrize(
    ("header", "never"),
    [
        ((b"Server", b"Werkzeug/3.0 Python/3.11"), True),
        ((b"X-Powered-By", b"Express"), True),
        ((b"X-Powered-By", b"PHP/8.2"), True),
        ((b"Server", b"Apache-Coyote/1.1"), False),
        ((b"Server", b"nginx"), False),
        ((b"X-Powered-By", b"Servlet/6.0"), False),
    ],
)
def test_some_servers_never_run_java(header, never):
    assert never_in_java(PLAIN, Response(200, (header,), b"")) is never


@pytest.mark.parametrize(
    ("request_", "headers"),
    [
        (Request("GET", b"/cgi-bin/show.pl?f=a.txt"), ()),
        (Request("GET", b"/", ((b"Cookie", b"rack.session=abc"),)), ()),
        (PLAIN, ((b"Server", b"WEBrick/1.8.1 (Ruby/3.1.2/2022-04-12)"),)),
        (PLAIN, ((b"X-Runtime", b"0.012"),)),
    ],
)
def test_ruby_and_perl_are_told_by_addresses_headers_and_cookies(request_, headers):
    assert opens_pipes(request_, Response(200, headers, b""))
    assert not opens_pipes(PLAIN, Response(200, ((b"Server", b"nginx"), (b"X-Powered-By", b"Express")), b"perl"))
    assert not opens_pipes(PLAIN, None)
