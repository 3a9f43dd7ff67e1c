"""Bodies are read as servers read them, and nothing that a client sends makes reading fail."""

import gzip
import zlib

import pytest

from gatecrash.core.auth.bodies import json_fields, json_text, plain_body
from gatecrash.core.message import Request

WANTED = (b"api_key",)


def posted(body: bytes, coding: bytes) -> Request:
    return Request("POST", b"/", ((b"Content-Encoding", coding),), body)


@pytest.mark.parametrize(
    ("body", "coding", "plain"),
    [
        (b"as it is", b"identity", b"as it is"),
        (gzip.compress(b"zipped", mtime=0), b"gzip", b"zipped"),
        (gzip.compress(b"zipped", mtime=0), b" X-GZIP ", b"zipped"),
        (zlib.compress(b"deflated"), b"deflate", b"deflated"),
        (gzip.compress(b"cut off", mtime=0)[:-9], b"gzip", b""),
        (gzip.compress(bytes(1_000_000), mtime=0), b"gzip", b""),
        (b"no gzip", b"gzip", b""),
        (b"who knows", b"br", b""),
    ],
)
def test_a_coded_body_is_opened_and_a_broken_one_is_none(body: bytes, coding: bytes, plain: bytes) -> None:
    assert plain_body(posted(body, coding)) == plain


@pytest.mark.parametrize(
    "body",
    [
        b'{"api_key": "k"}',
        b'\xef\xbb\xbf{"api_key": "k"}',
        b'{"name": "\xff\xfe", "api_key": "k"}',
        b'{"share": NaN, "api_key": "k"}',
        b'{"name": "\\ud83d", "api_key": "k"}',
    ],
)
def test_json_that_servers_take_is_read(body: bytes) -> None:
    fields = json_fields(body, WANTED)
    assert fields is not None
    assert fields["api_key"] == "k"


@pytest.mark.parametrize("body", [b"", b'["api_key"]', b'{"api_key": "k"', b'{"api_key":' + b"[" * 100_000, b"\xffx"])
def test_what_is_no_object_has_no_fields(body: bytes) -> None:
    assert json_fields(body, WANTED) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [("k", b"k"), (7, b"7"), (True, b""), (None, b""), ({}, b""), ([], b""), (1.5, b""), ("\ud83d", b"\xed\xa0\xbd")],
)
def test_a_scalar_becomes_text_and_all_else_is_empty(value: object, text: bytes) -> None:
    assert json_text(value) == text
