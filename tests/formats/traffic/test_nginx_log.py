"""nginx's JSON access log, as nginx writes it."""

import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.parameters import HEADERS
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.formats.capture import Malformed
from gatecrash.formats.traffic import nginx_log

DEPLOYED = Path(__file__).resolve().parents[3] / "deploy" / "nginx" / "gatecrash-log.conf"
LINE = {
    "msec": "1795168800.500",
    "request_time": "0.500",
    "request_method": "GET",
    "scheme": "https",
    "http_host": "api.example.com",
    "request_uri": "/a//b?q=%7e",
    "server_protocol": "HTTP/2.0",
    "status": "401",
    "connection": "17",
    "remote_addr": "192.0.2.7",
    "http_authorization": "Bearer abcdefgh",
    "http_x_api_key": "k-123",
    "http_cookie": "",
    "http_user_agent": "-",
    "sent_http_www_authenticate": "Basic",
    "upstream_http_set_cookie": "a=b",
    "upstream_http_www_authenticate": "hidden",
}


def one(line: object) -> Exchange | Malformed:
    raw = line if isinstance(line, bytes) else json.dumps(line).encode()
    (found,) = nginx_log.read(io.BytesIO(raw))
    return found


def read(**changed: object) -> Exchange:
    found = one({**LINE, **changed})
    assert isinstance(found, Exchange), found
    return found


def test_a_line_becomes_the_exchange_it_describes() -> None:
    headers = ((b"Host", b"api.example.com"), (b"Authorization", b"Bearer abcdefgh"), (b"X-Api-Key", b"k-123"))
    answered = ((b"Www-Authenticate", b"Basic"), (b"Set-Cookie", b"a=b"))
    request = Request("GET", b"/a//b?q=%7e", headers, b"", "https", "api.example.com", 443, "2")
    assert read() == Exchange(request, Response(401, answered), 1795168800.0, None, "17", "192.0.2.7")


@pytest.mark.parametrize("name", HEADERS)
def test_every_default_header_is_recognised_in_the_log_that_is_deployed(name: str) -> None:
    """CLIENT_SECRET among them, whose variable reads like that of Client-Secret."""
    variable = "http_" + name.lower().replace("-", "_")
    assert re.search(rf'"{variable}":"\${variable}"', DEPLOYED.read_text())
    silent = {"http_authorization": "", "http_x_api_key": ""}
    found = compile_recogniser().recognise(read(**silent, **{variable: "k3Jd82hs9A"}).request)
    assert [(one.point[-1], one.valid) for one in found] == [(name, True)]


def test_a_header_that_may_have_had_an_underscore_stands_under_both_names() -> None:
    request = read(http_x_my_key="mine").request
    assert request.first(b"X-My-Key") == request.first(b"X_My_Key") == b"mine"
    assert read().request.first(b"X_Api_Key") is None, "its name is known"


@pytest.mark.parametrize("status", ["499", "444", "000", "", "-"])
def test_a_request_whose_client_got_no_answer_has_none(status: str) -> None:
    assert read(status=status).response is None


@pytest.mark.parametrize(
    "changed",
    [
        {"msec": "", "time_iso8601": "2026-11-20T10:00:00+00:00"},
        {"msec": "", "time_local": "20/Nov/2026:11:00:00 +0100"},
    ],
)
def test_every_notation_of_the_time_is_read(changed: dict[str, str]) -> None:
    assert read(request_time="", **changed).started == 1795168800.0


def test_the_hour_that_comes_twice_at_the_end_of_summer_time_is_two_hours() -> None:
    ended = [
        read(msec="", request_time="", time_local=f"25/Oct/2026:{clock}").started
        for clock in ("01:59:59 +0200", "02:30:00 +0200", "02:30:00 +0100", "03:00:00 +0100")
    ]
    assert [int(moment) // 3600 - int(ended[0]) // 3600 for moment in ended] == [0, 1, 2, 3]


def test_the_hour_that_summer_time_leaves_out_is_none() -> None:
    before, behind = (
        read(msec="", request_time="", time_iso8601=f"2026-03-29T{clock}").started
        for clock in ("01:30:00+01:00", "03:30:00+02:00")
    )
    assert int(behind) // 3600 - int(before) // 3600 == 1


def test_a_log_of_request_lines_is_read() -> None:
    line = {
        "time_iso8601": "2026-11-20T10:00:00Z",
        "request": "PUT /x HTTP/1.0",
        "status": 200,
        "host": "h",
        "server_port": "81",
    }
    found = one(line)
    assert isinstance(found, Exchange)
    request = found.request
    assert (request.method, request.target, request.host, request.port, request.version) == (
        "PUT",
        b"/x",
        "h",
        81,
        "1.0",
    )


@pytest.mark.parametrize(
    ("uri", "host", "target"),
    [
        ("http://other.example/y", "other.example", b"/y"),
        ("*", "api.example.com", b"*"),
        ("/http://x", "api.example.com", b"/http://x"),
    ],
)
def test_targets_in_every_form(uri: str, host: str, target: bytes) -> None:
    request = read(request_uri=uri).request
    assert (request.host, request.target) == (host, target)


def test_single_cookies_make_a_cookie_header() -> None:
    assert read(cookie_sid="1", cookie_b="2").request.first(b"Cookie") == b"sid=1; b=2"
    assert read(cookie_sid="1", http_cookie="whole=1").request.first(b"Cookie") == b"whole=1"


def test_bytes_that_are_no_utf8_cost_nothing() -> None:
    raw = json.dumps({**LINE, "http_user_agent": "X"}).encode().replace(b'"X"', b'"\xff\xfe"')
    assert isinstance(one(raw), Exchange)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"[1]", "no JSON object"),
        (b'{"status": ' + b"[" * 5000 + b"]" * 5000 + b"}", ""),
        (b'{"a": "\\x22"}', "escape=json"),
        ({**LINE, "request_method": ""}, "could not read"),
        ({**LINE, "status": "abc"}, "no HTTP status"),
        ({**LINE, "status": "42"}, "no HTTP status"),
        ({**LINE, "msec": "soon"}, "no time"),
        ({**LINE, "msec": "1e300"}, "no time"),
        ({**LINE, "request_time": "x"}, "no number"),
        ({**LINE, "msec": ""}, "has no time"),
        ({**LINE, "http_host": ""}, "names no host"),
    ],
)
def test_a_broken_line_says_why(line: object, why: str) -> None:
    found = one(line)
    assert isinstance(found, Malformed)
    assert why in found.why


@given(st.lists(st.binary()))
def test_no_bytes_raise(lines: list[bytes]) -> None:
    list(nginx_log.read(io.BytesIO(b"\n".join(lines))))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from(sorted(LINE)), JSON))
def test_no_value_of_a_field_raises(changed: dict[str, object]) -> None:
    assert isinstance(one({**LINE, **changed}), Exchange | Malformed)
