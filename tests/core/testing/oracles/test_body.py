"""Bodies as text, whatever coding they came in, within limits."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import content_of, media_type, text_of


def response(body: bytes, **headers: str) -> Response:
    return Response(
        200, tuple((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()), body
    )


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(b"hello", mtime=0)),
        ("x-gzip", gzip.compress(b"hello", mtime=0)),
        ("deflate", zlib.compress(b"hello")),
        ("deflate", zlib.compress(b"hello")[2:-4]),
        ("identity", b"hello"),
    ],
)
def test_codings_are_undone(coding, body):
    assert content_of(response(body, Content_Encoding=coding)) == b"hello"


def test_unknown_and_broken_codings_are_none():
    assert content_of(response(b"hello", Content_Encoding="br")) is None
    assert content_of(response(b"hello", Content_Encoding="gzip")) is None
    assert text_of(response(b"hello", Content_Encoding="br")) == ""


def test_a_bomb_is_not_unpacked():
    assert content_of(response(gzip.compress(b"\0" * 50_000_000), Content_Encoding="gzip")) is None


def test_characters_are_decoded_as_the_answer_says():
    assert text_of(response("é".encode("latin-1"), Content_Type="text/html; charset=ISO-8859-1")) == "é"
    assert text_of(response("é".encode(), Content_Type="text/html; charset=nonsense")) == "é"


def test_what_grpc_answers_is_told_as_json_with_what_its_status_says():
    framed = b"\0\0\0\0\x05\x0a\x03Ann"
    trailers = b"grpc-status:16\r\ngrpc-message:sign%20in\r\n"
    refused = b"\x80\0\0\0" + bytes((len(trailers),)) + trailers
    kind = {"Content_Type": "application/grpc-web+proto"}
    assert text_of(response(framed, **kind)) == '{"1":"Ann"}'
    assert text_of(response(refused, **kind)) == '{"code":"unauthenticated","message":"sign in"}'
    head = {"grpc_status": "7", "grpc_message": "not%20yours"}
    assert text_of(response(b"", **kind, **head)) == '{"code":"permission denied","message":"not yours"}'
    assert text_of(response(framed, **kind, grpc_status="0")) == '{"1":"Ann"}'
    assert content_of(response(b"\0\0", **kind)) == b"\0\0"


def test_media_types_come_without_parameters():
    assert media_type(response(b"", Content_Type="Application/JSON; charset=utf-8")) == "application/json"


@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate", "br", ""]))
def test_no_body_makes_it_raise(body, coding):
    assert isinstance(text_of(response(body, Content_Encoding=coding)), str)
