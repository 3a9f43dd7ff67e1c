"""A form without the file that it wants gets it, and another name where its ending is refused."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.formats.refusals.told_files import with_file

JSON = ((b"Content-Type", b"application/json"),)
FORM = ((b"Host", b"x"), (b"Content-Type", b"multipart/form-data; boundary=b7"))
EMPTY = b"--b7--\r\n"
FILE = (
    b'--b7\r\nContent-Disposition: form-data; name="photo"; filename="example.txt"\r\nContent-Type: text/plain\r\n\r\nhi\r\n'
    b'--b7\r\nContent-Disposition: form-data; name="title"\r\n\r\na\r\n--b7--\r\n'
)


def form(body: bytes, headers: tuple[tuple[bytes, bytes], ...] = FORM) -> Request:
    return Request("POST", b"/photos", headers, body, "http", "127.0.0.1", 9)


def refused(told: str, status: int = 422) -> Response:
    return Response(status, JSON, json.dumps({"detail": told}).encode())


ONE = FILE.partition(b'--b7\r\nContent-Disposition: form-data; name="title"')[0] + b"--b7--\r\n"


@pytest.mark.parametrize("body", [EMPTY, b"", ONE])
def test_a_form_of_nothing_else_has_the_file_that_is_missing(body: bytes) -> None:
    better = with_file(form(body), refused("field 'file' is required"))
    assert better is not None
    assert b'name="file"; filename="example.txt"' in better.body
    assert better.body.endswith(b"\r\n--b7--\r\n")
    assert better.first(b"Content-Length") == b"%d" % len(better.body)


@pytest.mark.parametrize("told", ["only png or jpg", "Allowed: .png, .gif", "The photo must be a PNG"])
def test_a_file_is_called_by_an_ending_that_is_taken(told: str) -> None:
    better = with_file(form(FILE), refused(told, 400))
    assert better is not None
    assert better.body == FILE.replace(b"example.txt", b"example.png").replace(b"text/plain", b"image/png")
    assert with_file(better, refused(told)) is None, "once"


@pytest.mark.parametrize(
    ("request_", "told", "status"),
    [
        (form(EMPTY), "no such album", 422),
        (form(EMPTY), "field 'file' is required", 404),
        (form(FILE), "field 'album' is required", 422),
        (form(ONE), "field 'photo' is required", 422),
        (form(b'--b7\r\nContent-Disposition: form-data; name="title"\r\n\r\na\r\n--b7--\r\n'), "only png", 422),
        (form(b"{}", JSON), "field 'file' is required", 422),
    ],
    ids=["nothing missing", "not found", "another field", "there", "no file", "no form"],
)
def test_anything_else_stays(request_: Request, told: str, status: int) -> None:
    assert with_file(request_, refused(told, status)) is None


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("the request is not multipart", 406),
        ("Current request is not a multipart request", 500),
        ("request Content-Type isn't multipart/form-data", 400),
        ("Expected multipart/form-data", 415),
    ],
)
@pytest.mark.parametrize("body", [b"", b"{}"])
def test_what_is_no_form_of_parts_becomes_one_of_a_file_where_that_is_asked_for(
    told: str, status: int, body: bytes
) -> None:
    better = with_file(form(body, JSON), refused(told, status))
    assert better is not None
    assert (better.first(b"Content-Type") or b"").startswith(b"multipart/form-data; boundary=")
    assert b'name="file"; filename="example.txt"' in better.body
    assert better.first(b"Content-Length") == b"%d" % len(better.body)
    named = with_file(better, refused("field 'photo' is required"))
    assert named is not None
    assert b'name="photo"; filename=' in named.body


def test_a_body_that_is_described_stays_though_parts_are_asked_for() -> None:
    assert with_file(form(b'{"a": 1}', JSON), refused("the request is not multipart", 415)) is None
    assert with_file(form(b"", JSON), refused("the boundary of multipart is missing", 400)) is None
    assert with_file(form(b"", JSON), refused("the request is not multipart", 404)) is None
