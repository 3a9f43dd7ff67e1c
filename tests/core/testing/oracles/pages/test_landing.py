"""Where a browser goes, read as browsers read addresses."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.pages.landing import host_of, landings, lands_on, refreshed

HTML = (b"Content-Type", b"text/html")


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://a.example/x", "a.example"),
        ("//a.example", "a.example"),
        ("/\\a.example/", "a.example"),
        ("\\\\a.example", "a.example"),
        ("https:a.example", "a.example"),
        ("https:/a.example", "a.example"),
        (" \t//a.example", "a.example"),
        ("/\t/a.example", "a.example"),
        ("https://own.test@a.example/", "a.example"),
        ("https://own.test\\@a.example/", "own.test"),
        ("HTTPS://A.Example:8443/", "a.example"),
        ("https://a.example./", "a.example"),
        ("/a.example", None),
        ("a.example", None),
        ("?x=//a.example", None),
        ("javascript://a.example", None),
        ("", None),
    ],
)
def test_a_host_is_read_as_a_browser_does(address, host):
    assert host_of(address) == host


@pytest.mark.parametrize(
    ("response", "lands"),
    [
        (Response(302, ((b"Location", b"//a.example"),)), True),
        (Response(201, ((b"Location", b"//a.example"),)), False),
        (Response(200, ((b"Refresh", b"0; url=https://a.example"),)), True),
        (Response(200, (HTML,), b"<meta http-equiv=refresh content=\"3;URL='//a.example'\">"), True),
        (Response(200, (HTML,), b"<script>location='//a.example'</script>"), True),
        (Response(200, (HTML,), b'<script>window.location.replace("https:\\/\\/a.example")</script>'), True),
        (Response(200, (HTML,), b"<script>function f(){location='//a.example'}</script>"), False),
        (Response(200, (HTML,), b"<script>setTimeout(function(){window.location='//a.example'},3e3)</script>"), True),
        (Response(200, (HTML,), b"<script>setTimeout(() => { location.href = '//a.example' }, 9)</script>"), True),
        (Response(200, (HTML,), b"<script>window.onload = function() {location='//a.example'}</script>"), True),
        (Response(200, (HTML,), b"<script>addEventListener('load',function(){location='//a.example'})</script>"), True),
        (Response(200, (HTML,), b"<script>$(function () { location.replace('//a.example') });</script>"), True),
        (Response(200, (HTML,), b"<script>(function(){ var a={b:1}; location='//a.example' })()</script>"), True),
        (Response(200, (HTML,), b"<script>setTimeout(function(){if(x){location='//a.example'}},9)</script>"), False),
        (Response(200, (HTML,), b"<script>$('a').click(function(){location='//a.example'})</script>"), False),
        (Response(200, (HTML,), b"<script>addEventListener('click',()=>{location='//a.example'})</script>"), False),
        (Response(200, (HTML,), b"<script>x='location=';y='//a.example'</script>"), False),
        (Response(200, (HTML,), b"<script>if(location=='//a.example')x()</script>"), False),
        (Response(200, (HTML,), b"<script>var to='//a.example';\nlocation.href = to;</script>"), True),
        (Response(200, (HTML,), b"<script>const to = '//a.example'\nlocation.replace(to)</script>"), True),
        (Response(200, (HTML,), b"<script>let to='//a.example';setTimeout(() => {location = to;}, 9)</script>"), True),
        (Response(200, (HTML,), b"<script>var to='//a.example';function f(){location=to;}</script>"), False),
        (Response(200, (HTML,), b"<script>var to='//a.example';if(/^x/.test(to)) location=to;</script>"), False),
        (Response(200, (HTML,), b"<script>var to='//a.example';to='/';location=to;</script>"), False),
        (Response(200, (HTML,), b"<script>var to='//a.example'.slice(9);location=to;</script>"), False),
        (Response(200, (HTML,), b"<script>var to='//a.example';location=too;</script>"), False),
        (Response(200, (HTML,), b"<script>function go(){location='//a.example'} setTimeout(go, 3e3)</script>"), True),
        (
            Response(200, (HTML,), b"<script>window.onload = go;\nfunction go() { location = '//a.example' }</script>"),
            True,
        ),
        (Response(200, (HTML,), b"<script>const go = () => { location='//a.example' };\ngo();</script>"), True),
        (Response(200, (HTML,), b"<script>function go(){location='//a.example'} x.onclick = go;</script>"), False),
        (
            Response(200, (HTML,), b"<script>function go(){location='//a.example'} function f(){ go(); }</script>"),
            False,
        ),
        (Response(200, (HTML,), b"<script>function go(){location='//a.example'} if (ok) { go(); }</script>"), False),
        (Response(200, (HTML,), b"<script>function go(){location='//a.example'} setTimeout(other, 9)</script>"), False),
        (Response(200, (HTML,), b"<script>var to='//a.example'; if (to) { location.href = to; }</script>"), True),
        (Response(200, (HTML,), b"<script>var to='//a.example'; if (to) location.href = to;</script>"), True),
        (Response(200, (HTML,), b"<body onload=\"location.href='&#47;/a.example'\">"), True),
        (Response(200, (HTML,), b"<p onclick=\"location.href='//a.example'\">"), False),
        (Response(200, (HTML,), b"<script>var to='//a.example', ok=f(to); if (ok) { location = to; }</script>"), False),
        (Response(200, (HTML,), b"<script>var to='//a.example'; if (!to) { location = to; }</script>"), False),
        (Response(200, (HTML,), b"<a href='//a.example'>on</a>"), False),
        (Response(200, (HTML,), b"<!-- <meta http-equiv=refresh content='0;//a.example'> -->"), False),
        (Response(200, ((b"Content-Type", b"text/plain"),), b"<script>location='//a.example'</script>"), False),
    ],
)
def test_what_sends_a_browser_away_at_once(response, lands):
    assert (lands_on(response, "a.example") is not None) is lands
    assert (list(landings(response)) != []) >= lands


@pytest.mark.parametrize(
    ("content", "address"),
    [("3; URL=/e", "/e"), ("0;url='//a.example'", "//a.example"), ("2, /e", "/e"), ("5", ""), ("", "")],
)
def test_a_refresh_names_an_address_behind_its_time(content: str, address: str) -> None:
    assert refreshed(content) == address
