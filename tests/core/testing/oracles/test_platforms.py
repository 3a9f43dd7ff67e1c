"""What an answer or an address says of the platform."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.oracles.platforms import never_in_java, on_java, on_node, on_php, on_windows, opens_pipes

PLAIN = Request("GET", b"/")
SEALED_BY_RAILS = b"_shop=cx%2B4Lq0Vb1%3D%3D--Jk3%2FnW0pQ7aZ1cVb--Yt5Rr2Ww8Qq1Zz9Xx3Cc4A%3D%3D; path=/; HttpOnly"


@pytest.mark.parametrize("header", [(b"Server", b"Microsoft-IIS/10.0"), (b"X-AspNet-Version", b"ASP.NET 4")])
def test_windows_is_told_by_its_servers(header):
    assert on_windows(Response(200, (header,), b""))
    assert not on_windows(Response(200, ((b"Server", b"nginx"),), b""))
    assert not on_windows(None)


@pytest.mark.parametrize(
    ("told", "request_", "headers"),
    [
        (on_php, Request("GET", b"/index.php?a=1"), ()),
        (on_php, Request("GET", b"/", ((b"Cookie", b"a=1; PHPSESSID=5"),)), ()),
        (on_php, PLAIN, ((b"X-Powered-By", b"PHP/8.2"),)),
        (on_php, PLAIN, ((b"Set-Cookie", b"PHPSESSID=5; path=/"),)),
        (opens_pipes, Request("GET", b"/cgi-bin/show.pl?f=a.txt"), ()),
        (opens_pipes, Request("GET", b"/cgi-bin/show?f=a.txt"), ()),
        (opens_pipes, Request("GET", b"/", ((b"Cookie", b"rack.session=abc"),)), ()),
        (
            opens_pipes,
            Request("GET", b"/", ((b"Cookie", b"lang=de; shop=BAh7B0kiD3Nlc3Npb25faWQ%3D--4cdf1f6e39402de933fe"),)),
            (),
        ),
        (opens_pipes, PLAIN, ((b"Set-Cookie", SEALED_BY_RAILS),)),
        (opens_pipes, PLAIN, ((b"Server", b"WEBrick/1.8.1 (Ruby/3.1.2/2022-04-12)"),)),
        (opens_pipes, PLAIN, ((b"X-Runtime", b"0.012"),)),
    ],
)
def test_php_ruby_and_perl_are_told_by_addresses_headers_and_cookies(told, request_, headers):
    assert told(request_, Response(200, headers, b""))


@pytest.mark.parametrize("told", [on_php, opens_pipes])
def test_what_says_nothing_of_them_is_none(told):
    express = ((b"Server", b"nginx"), (b"X-Powered-By", b"Express"))
    assert not told(PLAIN, Response(200, express, b"PHP and perl are fine"))
    assert not told(PLAIN, None)


def test_other_signed_cookies_are_none_of_rubys():
    told = b"s=eyJpZCI6MX0--Jk3nW0pQ7aZ1cVb--Yt5Rr2Ww8Qq1Zz9Xx3Cc4A; t=YBAh7; u=1--2--3"
    assert not opens_pipes(PLAIN, Response(200, ((b"Set-Cookie", told),)))


def test_gunicorn_is_pythons_and_unicorn_is_rubys():
    assert not opens_pipes(PLAIN, Response(200, ((b"Server", b"gunicorn/21.2.0"),)))
    assert opens_pipes(PLAIN, Response(200, ((b"Server", b"Unicorn 6.1"),)))


@pytest.mark.parametrize(
    ("header", "never"),
    [
        ((b"Server", b"Werkzeug/3.0 Python/3.11"), True),
        ((b"X-Powered-By", b"Express"), True),
        ((b"X-Powered-By", b"PHP/8.2"), True),
        ((b"Server", b"Apache-Coyote/1.1"), False),
        ((b"Server", b"nginx"), False),
        ((b"Server", b"Something"), False),
        ((b"X-Powered-By", b"Servlet/6.0"), False),
    ],
)
def test_some_servers_never_run_java(header, never):
    assert never_in_java(PLAIN, Response(200, (header,), b"")) is never


@pytest.mark.parametrize(
    ("request_", "response"),
    [
        (Request("GET", b"/shop/list.do?page=2"), Response(200)),
        (Request("GET", b"/", ((b"Cookie", b"JSESSIONID=5"),)), Response(200)),
        (PLAIN, Response(200, ((b"Set-Cookie", b"JSESSIONID=5; Path=/"),))),
        (PLAIN, Response(404, (), b"<h3>Apache Tomcat/10.1</h3>")),
        (PLAIN, Response(500, (), b"java.io.FileNotFoundException: no such page")),
    ],
)
def test_java_is_told_by_addresses_cookies_and_its_servers_own_pages(request_, response):
    assert on_java(request_, [Response(200), response])


def test_what_says_nothing_of_java_is_none():
    assert not on_java(Request("GET", b"/java"), [Response(404, (), b"Java is an island")])


@pytest.mark.parametrize("header", [(b"X-Powered-By", b"Express"), (b"Set-Cookie", b"connect.sid=s%3A5; Path=/")])
def test_node_is_told_by_its_frameworks(header):
    assert on_node(Response(200, (header,), b""))
    assert not on_node(Response(200, ((b"Server", b"nginx"),), b"Express"))
