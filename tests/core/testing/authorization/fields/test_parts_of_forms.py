"""The fields of a form, and the same form with others."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.fields.parts_of_forms import (
    fields_of,
    is_in_query,
    is_of_parts,
    query_of,
    with_fields,
)

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Content-Length", b"3"))
PARTS = ((b"Content-Type", b"multipart/form-data; boundary=xyz"),)


def part(name: str, value: str, more: str = "") -> bytes:
    return f'--xyz\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{value}\r\n'.encode()


FILE = part("photo", "\x89\0bytes", '; filename="a.png"')
BODY = part("name", "Ann") + FILE + part("tags", "a") + part("tags", "b") + b"--xyz--\r\n"


def of_parts(body: bytes = BODY) -> Request:
    return Request("POST", b"/", PARTS, body)


def test_of_several_fields_of_one_name_all_are_kept():
    request = Request("POST", b"/", FORM, b"tag=a&tag=b&name=x+y&empty=")
    assert fields_of(request) == {"tag": ["a", "b"], "name": "x y", "empty": ""}
    made = with_fields(request, {"tag": ["a", "b"], "admin": True})
    assert (made.body, made.first(b"Content-Length")) == (b"tag=a&tag=b&admin=true", b"22")


def test_a_form_in_parts_keeps_its_files_and_what_is_left_of_its_fields():
    assert is_of_parts(of_parts())
    assert fields_of(of_parts()) == {"name": "Ann", "tags": ["a", "b"]}
    made = with_fields(of_parts(), {"name": "Bea", "tags": "a", "user[admin]": True})
    assert made.body == part("name", "Bea") + FILE + part("tags", "a") + part("user[admin]", "true") + b"--xyz--\r\n"
    assert made.first(b"Content-Length") == str(len(made.body)).encode()
    assert with_fields(of_parts(), {}).body == FILE + b"--xyz--\r\n"


def test_a_form_in_parts_with_the_same_fields_is_the_same():
    assert with_fields(of_parts(), {"name": "Ann", "tags": ["a", "b"]}).body == BODY


@pytest.mark.parametrize("body", [b"", b"--xyz\r\n", b"--other\r\n\r\n"])
def test_broken_parts_hold_no_fields(body: bytes):
    assert fields_of(of_parts(body)) == {}


def test_a_changing_request_without_a_body_has_its_fields_in_its_address():
    request = Request("PUT", b"/me?name=Ann&town=York")
    assert is_in_query(request)
    assert query_of(request) == {"name": "Ann", "town": "York"}
    assert with_fields(request, {"name": "Ann", "admin": True}).target == b"/me?name=Ann&admin=true"


@pytest.mark.parametrize(
    "request_",
    [Request("GET", b"/me?name=Ann"), Request("PUT", b"/me"), Request("PUT", b"/me?a=1", FORM, b"b=2")],
)
def test_any_other_has_not(request_: Request):
    assert not is_in_query(request_)


def test_what_is_no_form_has_no_fields():
    assert fields_of(Request("POST", b"/", ((b"Content-Type", b"text/plain"),), b"a=1")) is None
