"""Requests without credentials, and with garbled ones."""

from base64 import b64decode, b64encode
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.recogniser import Recognised
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.callers.credentials import (
    COOKIE,
    counting_cookies,
    garble,
    wherever_sent,
    with_emptied,
    with_garbled,
    with_only,
    with_other_scheme,
    without,
    without_credentials,
    worth_testing,
)

REQUEST = Request(
    "POST",
    b"/orders?api_key=9f8e7d6c&page=1",
    (
        (b"Host", b"h"),
        (b"authorization", b"Bearer 3f9a0c77"),
        (b"Cookie", b"sid=1; jwt=abc1"),
        (b"X-CSRF-Token", b"t"),
        (b"Idempotency-Key", b"i1"),
        (b"Accept", b"*/*"),
    ),
    b"{}",
)
POINTS = [
    Point.of("header", "AUTHORIZATION"),
    Point.of("header", "COOKIE", "cookie", "jwt"),
    Point.of("get", "api_key"),
]


def test_all_that_could_let_a_caller_in_is_left_out():
    bare = without_credentials(REQUEST, POINTS)
    assert bare.target == b"/orders?page=1"
    assert bare.headers == ((b"Host", b"h"), (b"Idempotency-Key", b"i1"), (b"Accept", b"*/*"))
    assert bare.body == REQUEST.body


def test_points_alone_are_left_out_and_what_is_not_there_is_no_matter():
    bare = without(REQUEST, [*POINTS[1:], Point.of("get", "absent")])
    assert (bare.target, bare.first(b"Cookie")) == (b"/orders?page=1", b"sid=1")
    assert bare.first(b"Authorization") == REQUEST.first(b"Authorization")


def test_garbled_credentials_stand_alone():
    garbled = with_garbled(REQUEST, POINTS, Random(1))
    names = [name for name, _ in garbled.headers]
    assert names == [b"Host", b"authorization", b"Cookie", b"Idempotency-Key", b"Accept"]
    assert garbled.first(b"Authorization").startswith(b"Bearer ")
    assert garbled.first(b"Authorization") != REQUEST.first(b"Authorization")
    assert garbled.first(b"Cookie").startswith(b"jwt=")
    assert b"sid" not in garbled.first(b"Cookie")
    assert garbled.target.endswith(b"&page=1")
    assert garbled.target != REQUEST.target


def test_emptied_credentials_keep_their_places_and_nothing_else():
    emptied = with_emptied(REQUEST, POINTS)
    assert emptied.first(b"Authorization") == b"Bearer"
    assert emptied.first(b"Cookie") == b"jwt="
    assert emptied.target == b"/orders?api_key=&page=1"
    assert emptied.first(b"X-CSRF-Token") is None


def test_points_that_are_not_there_are_passed_over():
    assert with_garbled(Request("GET", b"/"), POINTS, Random(1)) == Request("GET", b"/")
    assert without_credentials(Request("GET", b"/"), POINTS) == Request("GET", b"/")


@given(st.binary(max_size=40).filter(lambda value: b"=" not in value), st.integers())
def test_garbling_keeps_the_look_and_changes_every_letter_and_digit(value, seed):
    changed = garble(value, Random(seed))
    assert len(changed) == len(value)
    kept = value.partition(b" ")[0] if b" " in value else b""
    for index, (before, after) in enumerate(zip(value, changed, strict=True)):
        if index >= len(kept) and chr(before).isascii() and chr(before).isalnum():
            assert before != after
            assert chr(before).isdigit() == chr(after).isdigit()
        else:
            assert before == after


def test_garbling_keeps_what_a_value_calls_its_parts():
    changed = garble(b"t=1700000000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e7", Random(1)).decode()
    time, _, signature = changed.partition(",")
    assert time.startswith("t=")
    assert time != "t=1700000000"
    assert signature.startswith("v1=")
    assert "5257a869" not in signature
    assert garble(b"sha256=0f1e2d", Random(1)).startswith(b"sha256=")
    assert not garble(b"YWJjZGVmZw==", Random(1)).startswith(b"YW")


def test_a_placeholder_is_no_credential_worth_testing() -> None:
    header, query = Point.of("header", "AUTHORIZATION"), Point.of("get", "api_key")
    found = (Recognised(AuthType.BEARER, header, False), Recognised(AuthType.API_KEY, query, True))
    assert worth_testing(found, Request("GET", b"/")) == (query,)


def test_a_folded_name_stands_for_those_that_the_request_has() -> None:
    signature, identity = Point.of("header", "X-<VENDOR>-SIGNATURE"), Point.of(*COOKIE, "<IDP>_IDENTITY")
    found = (Recognised(AuthType.HMAC, signature, True), Recognised(AuthType.COOKIE, identity, True))
    headers = ((b"X-Shop-Signature-256", b"sha256=0f"), (b"X-Shop-Key", b"k"), (b"Cookie", b"KEYCLOAK_IDENTITY=a; b=1"))
    request = Request("GET", b"/", headers)
    places = [Point.of("header", "X-SHOP-SIGNATURE-256"), Point.of(*COOKIE, "KEYCLOAK_IDENTITY")]
    assert worth_testing(found, request) == tuple(places)
    assert worth_testing(found, Request("GET", b"/")) == (signature, identity)
    labelled = Request("GET", b"/", ((b"X-Shop-Signature-HMAC-SHA256", b"0f"),))
    assert worth_testing(found[:1], labelled) == (Point.of("header", "X-SHOP-SIGNATURE-HMAC-SHA256"),)
    assert with_garbled(request, places, Random(1)).first(b"X-Shop-Signature-256").startswith(b"sha256=")


def test_a_session_behind_a_browsers_prefix_is_where_the_request_has_it() -> None:
    session = Point.of(*COOKIE, "sessionid")
    found = (Recognised(AuthType.COOKIE, session, True),)
    request = Request("GET", b"/", ((b"Cookie", b"a=1; __Host-sessionid=9x8c7v6b"),))
    place = Point.of(*COOKIE, "__Host-sessionid")
    assert worth_testing(found, request) == (place,)
    assert worth_testing(found, Request("GET", b"/")) == (session,)
    garbled = with_garbled(request, [place], Random(1)).first(b"Cookie")
    assert garbled.startswith(b"__Host-sessionid=")
    assert garbled != b"__Host-sessionid=9x8c7v6b"


def test_a_scheme_word_is_swapped_for_another_with_random_credentials_behind_it():
    request = Request(
        "GET", b"/", ((b"Authorization", b"Bearer abc123def456"), (b"Cookie", b"sid=1"), (b"Accept", b"*/*"))
    )
    swapped = with_other_scheme(request, [Point.of("header", "AUTHORIZATION")], Random(1))
    assert [name for name, _ in swapped.headers] == [b"Accept", b"Authorization"]
    word, _, rest = swapped.first(b"Authorization").partition(b" ")
    assert (word, b64decode(rest).count(b":")) == (b"Basic", 1)
    basic = with_other_scheme(swapped, [Point.of("header", "AUTHORIZATION")], Random(1))
    assert basic.first(b"Authorization").startswith(b"Bearer ")


def test_without_a_scheme_word_there_is_nothing_to_swap():
    request = Request("GET", b"/", ((b"Authorization", b"abc123def456"), (b"X-Api-Key", b"some key with blanks")))
    assert with_other_scheme(request, [Point.of("header", "AUTHORIZATION")], Random(1)) is None
    assert with_other_scheme(request, [Point.of("header", "X-API-KEY")], Random(1)) is None


def test_one_of_several_credentials_is_kept_alone():
    points = [
        Point.of("header", "AUTHORIZATION"),
        Point.of("get", "api_key"),
        Point.of("header", "COOKIE", "cookie", "jwt"),
    ]
    header = with_only(REQUEST, points, points[0])
    assert (header.first(b"authorization"), header.first(b"Cookie")) == (REQUEST.first(b"authorization"), None)
    assert b"api_key" not in header.target
    cookie = with_only(REQUEST, points, points[2])
    assert (cookie.first(b"authorization"), cookie.first(b"Cookie")) == (None, b"jwt=abc1")


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (b'Digest username="ann", nonce="5f0c8a9b", uri="/x", response="0123456789abcdef"', b'Digest username="ann", nonce="5f0c8a9b", uri="/x", response="'),
        (b'Hawk id="dh37", ts="1353832234", nonce="j4h3g2", mac="6R4rV5iE+NPoym+Wwj"', b'Hawk id="dh37", ts="1353832234", nonce="j4h3g2", mac="'),
        (b"AWS4-HMAC-SHA256 Credential=AKID/2024/eu, SignedHeaders=host, Signature=00112233445566778899", b"AWS4-HMAC-SHA256 Credential=AKID/2024/eu, SignedHeaders=host, Signature="),
        (b"sk_live_4f9a8b7c6d5e4f3a2b1c", b"sk_live_"),
        (b"Bearer ghp_4f9a8b7c6d5e4f3a2b1c", b"Bearer ghp_"),
    ],
)  # fmt: skip
def test_who_is_asking_stays_and_only_the_proof_is_garbled(value, kept):
    garbled = garble(value, Random(1))
    assert garbled.startswith(kept)
    assert len(garbled) == len(value)
    assert garbled[len(kept) : len(kept) + 8] != value[len(kept) : len(kept) + 8]


def test_a_key_without_a_prefix_is_garbled_from_its_first_letter():
    assert garble(b"abcdef0123456789", Random(1))[:1] != b"a"


def test_cookies_that_count_are_small_numbers():
    request = Request("GET", b"/", ((b"Cookie", b"patient=41; sid=8f2c6d0e; zero=0; _ga=1234567890; lang=en"),))
    assert {point[-1]: value for point, value in counting_cookies(request).items()} == {"patient": b"41"}
    assert counting_cookies(Request("GET", b"/")) == {}


def test_garbled_basic_is_still_a_name_and_a_password():
    word, _, rest = garble(b"Basic " + b64encode("änn:quiet-river-7".encode()), Random(1)).partition(b" ")
    name, colon, password = b64decode(rest).decode().partition(":")
    assert (word, colon, len(name), len(password)) == (b"Basic", ":", 3, 13)
    assert not {"änn", "quiet-river-7"} & {name, password}


def test_a_token_that_stands_in_an_argument_too_is_known_there():
    token, header = "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl", Point.of("header", "AUTHORIZATION")
    headers = ((b"Authorization", b"Bearer " + token.encode()), (b"Content-Type", b"application/json"))
    asked = Request("POST", b"/graphql", headers, b'{"query": "{ x }", "variables": {"t": "%s"}}' % token.encode())
    assert wherever_sent([header], asked) == (
        header,
        Point.of("post", "json_doc", "json_obj", "variables", "json_obj", "t"),
    )
    another = asked.body.replace(b"c2lnbmF0dXJl", b"YW5vdGhlcg")
    assert wherever_sent([header], msgspec.structs.replace(asked, body=another)) == wherever_sent([header], asked)
    assert wherever_sent([header], REQUEST) == (header,)
    short = Request("GET", b"/x?id=12", ((b"Authorization", b"12"),))
    assert wherever_sent([header], short) == (header,)


@pytest.mark.parametrize(
    ("query", "lets_in"),
    [
        (b"key=pb_4e1f0a77c29d51b3", True),
        (b"from=7&export_token=4e1f0a77c29d51b3", True),
        (b"key=title", False),
        (b"key=order-by-the-newest", False),
        (b"id=4e1f0a77c29d51b3", False),
    ],
)
def test_a_long_random_key_in_the_query_may_let_in_as_well(query: bytes, lets_in: bool) -> None:
    cookie = Point.of("header", "COOKIE", "cookie", "sid")
    asked = Request("GET", b"/export?" + query, ((b"Cookie", b"sid=70b1c3d2"),))
    assert (len(wherever_sent([cookie], asked)) > 1) is lets_in
