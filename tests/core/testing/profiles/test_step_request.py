"""A step as a request: each variable written as its place wants it."""

import pytest

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.testing.profiles.profile import CheckAddress, Step
from gatecrash.core.testing.profiles.step_request import check_request, request_of

VALUES = {"user": 'a"b&c d', "host": "id.example", "line": "x\r\nEvil: 1"}


def none(_host: str) -> list[tuple[str, bytes]]:
    return []


def test_json_form_and_plain_bodies() -> None:
    json = request_of(Step(method="POST", url="/l", json='{"u":["${user}"],"n":1}'), VALUES, "https://a:8443", none)
    assert (json.body, json.first(b"Content-Type")) == (b'{"u":["a\\"b&c d"],"n":1}', b"application/json")
    assert (json.scheme, json.host, json.port, json.first(b"Host")) == ("https", "a", 8443, b"a:8443")
    form = request_of(Step(method="POST", url="/l", form=(("u v", "${user}"),)), VALUES, "http://a", none)
    assert (form.body, form.first(b"Content-Length")) == (b"u+v=a%22b%26c+d", b"15")
    plain = request_of(Step(method="PUT", url="/l", body="<u>${user}</u>"), VALUES, "http://a", none)
    assert plain.body == b'<u>a"b&c d</u>'


def test_addresses_headers_and_basic() -> None:
    step = Step(
        method="GET", url="https://${host}/p?q=${user}", headers=(("X-A", "${line}"), ("Cookie", "own=1")),
        basic=("${user}", "p"),
    )  # fmt: skip
    request = request_of(step, VALUES, "http://a", lambda host: [("sid", b"s")] if host == "id.example" else [])
    assert (request.host, request.port, request.target) == ("id.example", 443, b"/p?q=a%22b%26c%20d")
    assert request.first(b"X-A") == b"xEvil: 1", "a value cannot begin a header of its own"
    assert request.first(b"Cookie") == b"own=1; sid=s"
    assert request.first(b"Authorization") == b"Basic YSJiJmMgZDpw"
    assert request.first(b"Content-Length") is None


@pytest.mark.parametrize("url", ["https://${bad}/", "/x"])
def test_what_is_no_address_is_told(url: str) -> None:
    with pytest.raises(InvalidProfile, match="is no http address"):
        request_of(Step(method="GET", url=url), {"bad": ":x"}, "", none)


def test_the_check_address() -> None:
    request = check_request(CheckAddress(url="/me?x=1", method="HEAD"), "http://a:81")
    assert (request.method, request.target, request.port, request.headers) == (
        "HEAD",
        b"/me?x=1",
        81,
        ((b"Host", b"a:81"),),
    )
