"""Weaknesses that traffic shows: noted with kind and point, never with a value."""

import base64

import orjson
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.inventory.heads import read_heads
from gatecrash.core.inventory.notes import SHARED_BY, NoteKind, Notes, lacks_of
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point

RECOGNISER = compile_recogniser()
AUTHORIZATION = Point.of("header", "AUTHORIZATION")


def token(header, payload) -> bytes:
    parts = (base64.urlsafe_b64encode(orjson.dumps(one)).rstrip(b"=") for one in (header, payload))
    return b".".join(parts) + b".c2ln"


SOUND = token({"alg": "HS256"}, {"sub": "7", "exp": 1})
ENDLESS = token({"alg": "HS256"}, {"sub": "7"})
UNSIGNED = token({"alg": "nOnE"}, {"exp": 1})


def noted(*headers, target=b"/", notes=None, client="", scheme="https"):
    request = Request("GET", target, headers, scheme=scheme, host="h")
    exchange = Exchange(request, Response(200), 1.0, client=client)
    return (notes or Notes()).of(exchange, read_heads(headers), RECOGNISER.recognise(request))


def bearer(value: bytes) -> tuple[bytes, bytes]:
    return b"Authorization", b"Bearer " + value


def test_tokens_that_nobody_signed_or_that_never_expire():
    assert noted(bearer(SOUND)) == ()
    assert noted(bearer(ENDLESS)) == ((NoteKind.JWT_WITHOUT_EXP, AUTHORIZATION),)
    assert noted(bearer(UNSIGNED)) == ((NoteKind.JWT_ALG_NONE, AUTHORIZATION),)
    assert noted((b"Authorization", ENDLESS)) == ((NoteKind.JWT_WITHOUT_EXP, AUTHORIZATION),)
    assert noted((b"X-Token", ENDLESS)) == ((NoteKind.JWT_WITHOUT_EXP, Point.of("header", "X-TOKEN")),)
    point = Point.of("header", "COOKIE", "cookie", "jwt")
    assert noted((b"Cookie", b"a=b; jwt=" + ENDLESS)) == ((NoteKind.JWT_WITHOUT_EXP, point),)


def test_opaque_and_encrypted_tokens_lack_nothing():
    for value in (b"3f9a0c77de114b02", b"eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..aXZpdml2.Y2lwaGVy.dGFn"):
        assert noted(bearer(value)) == ()


def test_a_reusable_secret_in_a_query_and_not_a_signed_address():
    assert noted(target=b"/?api_key=9f8e7d6c5b4a") == ((NoteKind.CREDENTIAL_IN_QUERY, Point.of("get", "api_key")),)
    signed = (
        b"/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AK%2F20260101%2Fr%2Fs3%2Faws4_request"
        b"&X-Amz-Date=20260101T000000Z&X-Amz-SignedHeaders=host&X-Amz-Signature=" + b"0f" * 32
    )
    assert noted(target=signed) == ()


def test_basic_without_tls_unless_a_proxy_says_there_was_some():
    basic = (b"Authorization", b"Basic dXNlcjpwYXNz")
    weak = ((NoteKind.BASIC_WITHOUT_TLS, AUTHORIZATION),)
    assert noted(basic, scheme="http") == weak
    assert noted(basic) == ()
    assert noted(basic, (b"X-Forwarded-Proto", b"https, http"), scheme="http") == ()
    assert noted(basic, (b"Forwarded", b'for=1.2.3.4; proto="https"'), scheme="http") == ()
    assert noted(basic, (b"X-Forwarded-Proto", b"http"), scheme="http") == weak


def test_one_secret_from_five_addresses_is_shared_and_four_are_not():
    notes, key = Notes(), (b"X-API-Key", b"9f8e7d6c5b4a")
    for number in range(SHARED_BY - 1):
        assert noted(key, notes=notes, client=f"203.0.113.{number}") == ()
    assert noted(key, notes=notes, client="203.0.113.1") == ()
    assert noted(key, notes=notes, client="") == ()
    shared = ((NoteKind.SHARED_SECRET, Point.of("header", "X-API-KEY")),)
    assert noted(key, notes=notes, client="203.0.113.9") == shared
    assert noted(key, notes=notes, client="203.0.113.1") == shared
    assert noted((b"X-API-Key", b"another-key"), notes=notes, client="203.0.113.1") == ()


def test_many_addresses_with_a_secret_each_share_nothing():
    notes = Notes(remembered=64)
    for number in range(500):
        assert noted((b"X-API-Key", b"key-of-%06d" % number), notes=notes, client=f"c{number}") == ()
    assert len(notes._secrets) <= 128


def test_what_is_invalid_is_no_weakness():
    assert noted(bearer(b"null"), target=b"/?api_key=null", scheme="http") == ()


@given(st.binary(max_size=80))
def test_any_value_is_read_without_harm(value):
    assert set(lacks_of(value)) <= set(NoteKind)
    assert set(lacks_of(b"Bearer eyJ" + value + b".eyJ.x")) <= set(NoteKind)
