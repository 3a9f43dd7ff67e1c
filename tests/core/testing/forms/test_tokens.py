"""Tokens of forms are known by their names, and follow the cookies that they repeat."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.forms.tokens import (
    cookies_of,
    doubled,
    is_called_token,
    is_form_token,
    is_of_framework,
    is_random,
    is_token_header,
    token_headers,
)


@pytest.mark.parametrize("name", ["csrf", "_csrf_token", "authenticity_token", "__RequestVerificationToken", "_token"])
def test_tokens_against_forged_requests(name):
    assert is_form_token(Point.of("post", "form_urlencoded", name))


@pytest.mark.parametrize(
    "point",
    [
        Point.of("post", "form_urlencoded", "note"),
        Point.of("get", "token"),
        Point.of("header", "X-CSRF-TOKEN"),
        Point.of("header", "COOKIE", "cookie", "csrftoken"),
        Point.of("post"),
    ],
)
def test_everything_else_is_none(point):
    assert not is_form_token(point)


@pytest.mark.parametrize(
    ("name", "is_one"), [("X-XSRF-TOKEN", True), ("csrftoken", True), ("token", False), ("note", False)]
)
def test_what_fields_headers_and_cookies_are_called(name: str, is_one: bool) -> None:
    assert is_called_token(name) is is_one


HEADER, COOKIE = Point.of("header", "X-XSRF-TOKEN"), Point.of("header", "COOKIE", "cookie", "XSRF-TOKEN")
RECORDED = Request("POST", b"/a", ((b"Cookie", b"sid=1; XSRF-TOKEN=ab%3D"), (b"X-XSRF-TOKEN", b"ab=")))


def test_a_framework_alone_looks_at_its_own_fields() -> None:
    variables = ("post", "json_doc", "json_obj", "variables", "json_obj", "input", "json_obj")
    assert is_of_framework(Point((*variables, "clientMutationId")))
    assert is_of_framework(Point.of("post", "form_urlencoded", "authenticity_token"))
    assert not is_of_framework(Point((*variables, "mutationId")))


def test_a_token_that_repeats_a_cookie_follows_it() -> None:
    assert doubled(RECORDED, {HEADER: b"ab="}, {COOKIE: b"cd%3D"}) == {HEADER: b"cd="}


def test_a_token_that_is_another_than_the_cookie_stays() -> None:
    assert doubled(RECORDED, {HEADER: b"zz="}, {COOKIE: b"cd%3D"}) == {}
    assert doubled(RECORDED, {HEADER: b"ab="}, {Point.of("header", "AUTHORIZATION"): b"x"}) == {}


def test_cookies_are_read_as_a_script_reads_them() -> None:
    assert cookies_of(RECORDED) == {"sid": b"1", "XSRF-TOKEN": b"ab="}
    assert cookies_of(Request("GET", b"/")) == {}


@pytest.mark.parametrize(
    ("value", "random"),
    [
        ("9f8e7d6c5b4a3928", True),
        ("short1", False),
        ("onlyletterswithoutany", False),
        ("updateCustomerAddressForm", False),
        ("1147483648209375213", False),
        ("https://shop.example/a1", False),
        ("2026-12-01T10:00:59Z", False),
        ("\ud800f8e7d6c5b4a3928", False),
    ],
)
def test_a_long_value_of_letters_and_digits_is_random(value, random):
    assert is_random(value) is random


def test_headers_that_are_called_so_are_tokens_of_a_request():
    request = Request("POST", b"/", ((b"X-CSRFToken", b"abc"), (b"Cookie", b"csrftoken=abc"), (b"Accept", b"*/*")))
    assert token_headers(request) == {Point.of("header", "X-CSRFTOKEN"): b"abc"}
    assert not is_token_header(Point.of("header", "COOKIE", "cookie", "csrftoken"))
    assert not is_token_header(Point.of("post", "form_urlencoded", "csrf"))
