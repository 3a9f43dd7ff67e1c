"""Tokens of forms are known by their names."""

import pytest

from gatecrash.core.point import Point
from gatecrash.core.testing.form_tokens import is_form_token


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
