"""Requests as text: `.http` files and raw requests become requests that can be sent."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Request
from gatecrash.formats import opening
from gatecrash.formats.capture import Malformed
from gatecrash.formats.draft import Draft
from gatecrash.formats.saved.http_file import read

FILE = """\
# the shop
@host = http://a.example:3000/v1
@token=t-1

### All books
GET {{host}}/books
    ?sort=title
    &page=2
Authorization: Bearer {{token}}

###
# @name login
POST {{host}}/login HTTP/1.1
Content-Type: application/json

{"user": "anna", "password": "secret"}

> {% client.global.set("token", response.body.token); %}

### one book
// by its number
DELETE {{host}}/books/{{bookId}}
Authorization: Basic anna secret
###
http://a.example/plain
"""


def one(text: str) -> Request:
    (found,) = read(io.BytesIO(text.encode()))
    assert isinstance(found, Draft), found
    assert found.drafted
    return found.request


def test_a_file_of_an_editor() -> None:
    capture = opening.opened(io.BytesIO(FILE.encode()))
    assert (capture.kind, capture.drafted) == ("http", True)
    books, login, book, plain = capture.items
    assert isinstance(books, Draft)
    assert isinstance(login, Draft)
    assert isinstance(book, Draft)
    assert isinstance(plain, Draft)
    assert (books.request.method, books.request.url) == ("GET", "http://a.example:3000/v1/books?sort=title&page=2")
    assert (b"Authorization", b"Bearer t-1") in books.request.headers
    assert (login.request.method, login.request.url) == ("POST", "http://a.example:3000/v1/login")
    assert login.request.body == b'{"user": "anna", "password": "secret"}'
    assert (book.request.method, [hole.name for hole in book.holes]) == ("DELETE", ["bookId"])
    assert (b"Authorization", b"Basic YW5uYTpzZWNyZXQ=") in book.request.headers
    assert (plain.request.method, plain.request.url) == ("GET", "http://a.example/plain")


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_a_raw_request_is_sent_byte_for_byte_with_its_own_length(end: str) -> None:
    raw = end.join(
        ["POST /a%2fb?x=<1>&y HTTP/1.1", "Host: a.example:8443", "content-length: 999", "X-Odd:  a", "", "n='1'&m=[2]"]
    )
    assert opening.kind_of(raw.encode()) == "http"
    request = one(raw)
    assert (request.method, request.target, request.body) == ("POST", b"/a%2fb?x=<1>&y", b"n='1'&m=[2]")
    assert (request.scheme, request.host, request.port) == ("https", "a.example", 8443)
    assert request.headers == ((b"Host", b"a.example:8443"), (b"X-Odd", b"a"), (b"Content-Length", b"11"))


def test_a_raw_request_to_a_proxy_or_without_a_host() -> None:
    assert one("GET http://b.example:81/x HTTP/1.1\n\n").url == "http://b.example:81/x"
    homeless = one("GET /x HTTP/1.1\nAccept: */*\n\n")
    assert (homeless.host, homeless.target) == ("", b"/x")


def test_what_an_editor_puts_behind_a_raw_body_is_none_of_it() -> None:
    login = (
        "POST http://a.example/login HTTP/1.1\nContent-Type: application/x-www-form-urlencoded\n\nuser=anna&pin=7\n\n"
    )
    for behind in ("###\n", "> {% client.log(response.status) %}\n", ""):
        request = one(login + behind)
        assert (request.body, request.first(b"Content-Length")) == (b"user=anna&pin=7", b"15")
        assert request.first(b"Host") == b"a.example"
    parts = "POST http://a.example/up HTTP/1.1\nContent-Type: multipart/form-data; boundary=b\n\n--b\n\nx\n--b--\n"
    assert one(parts).body.endswith(b"--b--\n")


@pytest.mark.parametrize("version", ["", " HTTP/1.1"])
def test_a_header_that_is_commented_out_is_not_sent_and_a_body_keeps_such_lines(version: str) -> None:
    text = (
        f"POST http://a.example/notes{version}\nX-A: 1\n# X-B: 2\n//X-C: 3\nContent-Type: text/plain\n\n# a title\n// b"
    )
    request = one(text)
    assert [name for name, _ in request.headers if name.startswith(b"X-")] == [b"X-A"]
    assert request.body == b"# a title\n// b"


def test_a_body_of_xml_is_no_file_to_read() -> None:
    assert one('POST http://a.example/orders\n\n<order id="3"><item>tea</item></order>').body.startswith(b"<order id")
    for body in ("< ./a.xml", "<@ ./a.xml", "<@latin1 ./a.xml"):
        (found,) = read(io.BytesIO(f"POST http://a.example/orders\n\n{body}".encode()))
        assert isinstance(found, Malformed)
        assert "would be read from a file" in found.why


def test_the_place_of_what_cannot_be_read_is_its_line() -> None:
    text = "GET http://a.example/\n\n###\n\n# why\nPOST http://a.example/f\n\n< ./file.json\n###\nGET http://a.example/z\nno header\n"
    good, file, header = read(io.BytesIO(text.encode()))
    assert isinstance(good, Draft)
    assert isinstance(file, Malformed)
    assert isinstance(header, Malformed)
    assert file.place == 6
    assert "would be read from a file" in file.why
    assert header.place == 10
    assert "no header" in header.why


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("GET http://a.example/", "http"),
        ("### x\n\nPUT {{host}}/a", "http"),
        ("@h = http://a.example\nGET {{h}}/a", "http"),
        ("curl http://a.example/", "curl"),
        ("# GET what there is\ncurl http://a.example/", "curl"),
    ],
)
def test_the_kind_is_told_by_the_first_request(text: str, kind: str) -> None:
    assert opening.kind_of(text.encode()) == kind


_PIECES = [
    "GET ",
    "POST http://a.example",
    "/x?a={{b}}",
    " HTTP/1.1",
    "\r\n",
    "\n",
    "\n\n",
    "Host: a",
    ":",
    "###",
    "@a=",
    "{{a}}",
    "< f",
]


@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=5)).map("".join))
def test_whatever_is_written_is_a_draft_or_told_with_its_line(text: str) -> None:
    for found in read(io.BytesIO(text.encode("utf-8", "surrogatepass"))):
        assert isinstance(found, Draft) or 1 <= found.place <= text.count("\n") + 1  # type: ignore[union-attr]


LIST = b"""http://a.example/plain

# those with a method too
POST http://a.example/orders
https://b.example/search?q=tea
"""


def test_a_list_of_addresses_is_a_request_a_line() -> None:
    assert opening.kind_of(LIST) == "http"
    drafts = [one for one in read(io.BytesIO(LIST)) if isinstance(one, Draft)]
    assert [(one.request.method, one.request.url) for one in drafts] == [
        ("GET", "http://a.example/plain"),
        ("POST", "http://a.example/orders"),
        ("GET", "https://b.example/search?q=tea"),
    ]


def test_headers_below_an_address_belong_to_it() -> None:
    [one] = read(io.BytesIO(b"http://a.example/plain\nAccept: text/html\n"))
    assert isinstance(one, Draft)
    assert one.request.first(b"Accept") == b"text/html"
