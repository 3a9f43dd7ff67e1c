"""Command lines of curl become the requests that curl would send."""

import io
from typing import Any

import pytest

from gatecrash.formats.capture import Malformed
from gatecrash.formats.saved import curl


def read(text: str) -> list[Any]:
    return list(curl.read(io.BytesIO(text.encode())))


def one(text: str) -> Any:
    (found,) = read(text)
    assert not isinstance(found, Malformed), found
    return found.request


@pytest.mark.parametrize(
    ("line", "method", "url", "body"),
    [
        ("curl http://h.example/a?x=1", "GET", "http://h.example/a?x=1", b""),
        ("curl h.example", "GET", "http://h.example/", b""),
        ("curl -X PATCH 'http://h.example/a b'", "PATCH", "http://h.example/a%20b", b""),
        ("curl -XDELETE http://h.example/a", "DELETE", "http://h.example/a", b""),
        ("curl -d a=1 -d b=2 http://h.example/", "POST", "http://h.example/", b"a=1&b=2"),
        ("curl --data-raw @x http://h.example/", "POST", "http://h.example/", b"@x"),
        ("curl --data-urlencode 'q=a b&c' http://h.example/", "POST", "http://h.example/", b"q=a+b%26c"),
        (
            "curl -G -d a=1 --data-urlencode q=ü http://h.example/s?z=0",
            "GET",
            "http://h.example/s?z=0&a=1&q=%C3%BC",
            b"",
        ),
        ("curl --json '{\"a\":1}' http://h.example/", "POST", "http://h.example/", b'{"a":1}'),
        ("curl -I http://h.example/", "HEAD", "http://h.example/", b""),
        ("curl -sSLk --compressed -m 5 -o /dev/null http://h.example/", "GET", "http://h.example/", b""),
        ("curl --url https://h.example:8443/a#part", "GET", "https://h.example:8443/a", b""),
        ("$ TOKEN=x curl http://h.example/ | jq .", "GET", "http://h.example/", b""),
        ("curl $'http://h.example/\\u0061\\'' -d $'a\\nb'", "POST", "http://h.example/a'", b"a\nb"),
        ("curl -d '' http://h.example/", "POST", "http://h.example/", b""),
        ("curl --url-query 'a=b c' --url-query +d=e http://h.example/", "GET", "http://h.example/?a=b+c&d=e", b""),
        ('curl -d "\\$x \\"y\\" \\z" http://h.example/', "POST", "http://h.example/", b'$x "y" \\z'),
        ("curl http://h.example/?a=1&b=2 # both", "GET", "http://h.example/?a=1&b=2", b""),
        ("curl http://h.example/ >/dev/null 2>&1 -d a", "POST", "http://h.example/", b"a"),
    ],
)
def test_method_address_and_body(line: str, method: str, url: str, body: bytes) -> None:
    request = one(line)
    assert (request.method, request.url, request.body) == (method, url, body)


@pytest.mark.parametrize(
    ("options", "name", "value"),
    [
        ("-H 'X-A: 1'", b"X-A", b"1"),
        ("-H 'X-Empty;'", b"X-Empty", b""),
        ("-H 'Accept:'", b"Accept", None),
        ("", b"Accept", b"*/*"),
        ("-H 'accept: text/html'", b"Accept", b"text/html"),
        ("-u ann:pw", b"Authorization", b"Basic YW5uOnB3"),
        ("--oauth2-bearer T", b"Authorization", b"Bearer T"),
        ("-b 'a=1; b=2'", b"Cookie", b"a=1; b=2"),
        ("-A me", b"User-Agent", b"me"),
        ("-e http://x.example/", b"Referer", b"http://x.example/"),
        ("-d a=1", b"Content-Type", b"application/x-www-form-urlencoded"),
        ("-d '{}' -H 'Content-Type: application/json'", b"Content-Type", b"application/json"),
        ("--json '{}'", b"Content-Type", b"application/json"),
        ("-H 'Host: virtual.example'", b"Host", b"virtual.example"),
        ("--compressed", b"Accept-Encoding", b"gzip, deflate"),
    ],
)
def test_headers_are_curls_own_where_the_command_has_none(options: str, name: bytes, value: bytes | None) -> None:
    request = one(f"curl {options} http://h.example/")
    assert list(request.all(name)) == ([] if value is None else [value])


def test_user_and_password_may_stand_in_the_address() -> None:
    request = one("curl http://ann:pw@h.example/")
    assert (request.host, request.first(b"Authorization")) == ("h.example", b"Basic YW5uOnB3")
    assert one("curl http://ann:p%77@h.example/").first(b"Authorization") == b"Basic YW5uOnB3"


def test_a_form_has_parts_and_no_file_is_read() -> None:
    body = one("curl -F n=1 -F 'f=@/etc/passwd;type=text/csv' http://h.example/").body
    assert b'name="f"; filename="passwd"\r\nContent-Type: text/csv\r\n\r\nexample\n' in body
    assert b"root" not in body


@pytest.mark.parametrize(
    ("field", "heads", "content"),
    [
        ('m={"a":1};type=application/json', b"Content-Type: application/json", b'{"a":1}'),
        ('m="a;b \\"c\\"";type=text/x', b"Content-Type: text/x", b'a;b "c"'),
        ("m=1;filename=n.bin", b'filename="n.bin"', b"1"),
        ("m=@photo.PNG", b"Content-Type: image/png", b"example\n"),
        ('m=a"b', b'name="m"', b'a"b'),
    ],
)
def test_what_is_told_of_a_part_is_no_content(field: str, heads: bytes, content: bytes) -> None:
    """As curl 7.88 sent each of them."""
    head, _, rest = one(f"curl -F '{field}' http://h.example/").body.partition(b"\r\n\r\n")
    assert heads in head
    assert rest.partition(b"\r\n--")[0] == content


def test_each_call_of_a_line_is_a_request() -> None:
    first, second = read("curl http://h.example/a && A=1 curl http://h.example/b | curl-like x; echo curl\n")
    assert (first.request.target, second.request.target) == (b"/a", b"/b")


def test_lines_are_joined_at_backslashes_and_in_quotes_and_the_rest_of_a_script_is_passed_over() -> None:
    script = "#!/bin/sh\n# curl in words\necho hello\ncurl -d '{\n}' \\\n  http://h.example/a\n\ncurl http://h.example/b; echo\n"
    first, second = read(script)
    assert (first.request.body, first.request.target, second.request.target) == (b"{\n}", b"/a", b"/b")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("curl --wat http://h.example/", "--wat"),
        ("curl -T up.bin http://h.example/", "-T"),
        ("curl", "no address"),
        ("curl http://h.example/ -d", "has no value"),
        ("curl -d @body.json http://h.example/", "body.json"),
        ("curl -H @headers http://h.example/", "headers"),
        ("curl -b jar.txt http://h.example/", "jar.txt"),
        ("curl 'http://h.example/", "never closed"),
        ("curl ftp://h.example/", "http"),
        ('curl ^"http://h.example/^" ^', "copy it for bash"),
        ('curl "http://h.example/" ^', "copy it for bash"),
    ],
)
def test_what_cannot_be_sent_is_told_with_its_line(line: str, told: str) -> None:
    _, trouble = (
        read(f"curl http://h.example/\n\n{line}\n") if "never" not in told else (None, read(f"# a\n\n{line}\n")[0])
    )
    assert isinstance(trouble, Malformed)
    assert trouble.place == 3
    assert told in trouble.why
