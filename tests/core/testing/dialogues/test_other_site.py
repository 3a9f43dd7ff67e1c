"""What a page of another site makes a browser send, and what it cannot."""

import re

import pytest
from tests.core.testing.driving import credentials_of, record

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.other_site import (
    LOGIN,
    as_other_site,
    can_be_linked,
    is_signed_in_by_cookies,
    may_be_made_up,
)
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.csrf import PROBE

COOKIE = (b"Cookie", b"sessionid=3f9a0c77de114b02aa55")
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


def test_origin_and_referer_are_its_own_and_headers_that_need_a_preflight_are_left_out() -> None:
    sent = Request(
        "POST",
        b"/pay",
        (COOKIE, FORM, (b"X-Requested-With", b"x"), (b"Origin", b"http://shop.test")),
        b"a=1",
        host="shop.test",
    )
    foreign = as_other_site(sent, "zqj")
    referer = (b"Referer", b"https://zqj.example/shop.test/")
    assert foreign.headers == (COOKIE, FORM, (b"Origin", b"https://zqj.example"), referer)
    assert foreign.body == b"a=1"


def test_json_goes_as_plain_text() -> None:
    sent = Request("POST", b"/pay", (COOKIE, (b"Content-Type", b"application/json")), b'{"a": 1}')
    assert as_other_site(sent, "zqj").first(b"Content-Type") == b"text/plain"


@pytest.mark.parametrize(
    "secret",
    [
        b"csrf_token=9d2f77a1c0",
        b"current_password=sesame",
        b"user_token=9d2f77a1c0",
        b"key=4f2a9c0d1e7b4f2a9c0d1e7b4f2a9c0d",
        b"k=f37137f3775078de",
        b"once=Drmhze6EPcv0fN_81Bj-nA",
    ],
)
def test_what_no_other_site_knows_is_left_out(secret: bytes) -> None:
    sent = Request("POST", b"/pay", (COOKIE, FORM), b"to=ben&" + secret)
    assert as_other_site(sent, "zqj").body == b"to=ben"


def test_the_present_password_is_known_by_what_stands_beside_it() -> None:
    sent = Request("POST", b"/me", (COOKIE, FORM), b"current=sesame&password_new=tulip&password_conf=tulip")
    assert as_other_site(sent, "zqj").body == b"password_new=tulip&password_conf=tulip"


def test_a_token_may_be_made_up_that_looks_like_the_forms() -> None:
    sent = Request("POST", b"/pay", (COOKIE, FORM), b"to=ben&csrf_token=9d2f-77a1")
    drawn = as_other_site(sent, "zqj", made_up=True).body
    assert re.fullmatch(rb"to=ben&csrf_token=[0-9a-f]{4}-[0-9a-f]{4}", drawn)
    assert drawn != sent.body
    assert drawn != as_other_site(sent, "qzx", made_up=True).body
    assert may_be_made_up(sent)
    named = Request("POST", b"/pay", (COOKIE, FORM), b"csrf_token=9d2f&cart=4f2a9c0d1e7b4f2a9c0d1e7b4f2a9c0d")
    assert not may_be_made_up(named)
    assert not may_be_made_up(Request("POST", b"/pay", (COOKIE, FORM), b"to=ben"))


@pytest.mark.parametrize(
    "known",
    [
        b"productId=507f1f77bcf86cd799439011",
        b"order_ref=9f3c77ab10d2e4f6",
        b"amount=1234567890123456",
        b"title=Gardening2026AndWinterSoup",
        b"city=abcdefabcdefabcdef",
    ],
)
def test_what_another_site_may_know_is_sent(known: bytes) -> None:
    sent = Request("POST", b"/pay", (COOKIE, FORM), b"to=ben&" + known)
    assert as_other_site(sent, "zqj").body == sent.body


@pytest.mark.parametrize(
    ("headers", "home", "expected"),
    [
        ((COOKIE,), False, True),
        ((COOKIE,), True, False),
        ((COOKIE, (b"Authorization", b"Bearer 3f9a0c77de114b02")), False, False),
        ((), False, False),
    ],
    ids=["a cookie", "kept at home", "a token too", "nobody"],
)
def test_a_browser_signs_in_by_cookies_alone(headers, home: bool, expected: bool) -> None:
    request = Request("POST", b"/pay", (*headers, FORM), b"to=ben")
    found = credentials_of(request)
    checks = plan(record(lambda _: Response(201), request), THOROUGH, found, (PROBE,), kept_home=found if home else ())
    assert bool(checks) is expected
    assert all(is_signed_in_by_cookies(check.situation(None, None)) for check in checks)


def test_cookies_that_stay_at_home_are_not_sent():
    both = (b"Cookie", b"sessionid=3f9a0c77de114b02aa55; remember=77de114b02aa553f9a0c")
    request = Request("POST", b"/pay", (both, FORM), b"to=ben")
    kept = (Point.of("header", "COOKIE", "cookie", "sessionid"),)
    assert as_other_site(request, "zqj", kept).first(b"Cookie") == b"remember=77de114b02aa553f9a0c"


@pytest.mark.parametrize(
    "steps", [("get", "q"), ("path", "0"), ("uri",), ("post", "form_urlencoded", "q"), ("post", "multipart", "q")]
)
def test_links_and_forms_carry_what_stands_in_addresses_and_forms(steps: tuple[str, ...]) -> None:
    assert can_be_linked(Point(steps))


@pytest.mark.parametrize("steps", [("post",), ("post", "json_doc", "json_obj", "q"), ("header", "X-A")])
def test_they_carry_no_headers_and_no_json(steps: tuple[str, ...]) -> None:
    assert not can_be_linked(Point(steps))


@pytest.mark.parametrize(
    ("path", "enters"), [(b"/session", True), (b"/api/token/refresh", True), (b"/session/phone", False)]
)
def test_what_stands_below_a_session_is_no_login(path, enters):
    assert (LOGIN.search(path) is not None) is enters
