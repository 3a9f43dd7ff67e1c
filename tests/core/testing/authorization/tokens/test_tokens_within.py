"""Which values of a call are signed tokens."""

from random import Random

import pytest
from tests.range.jwt_beside import in_a_cookie_of_its_own
from tests.range.jwt_called import argument, link, member
from tests.range.jwt_tokens import TOKENS

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.tokens.jwt import parse
from gatecrash.core.testing.authorization.tokens.tokens_within import bearers, invented, only_shows, tokens_within


@pytest.mark.parametrize(
    ("request_", "ends"),
    [
        (link("/a"), ("get", "token")),
        (argument("/a"), ("graphql", "me", "token")),
        (member("/a"), ("json_obj", "session")),
        (in_a_cookie_of_its_own("/a"), ("cookie", "ballot")),
    ],
)
def test_tokens_are_found_in_links_arguments_members_and_cookies(request_: Request, ends: tuple[str, ...]) -> None:
    (point,) = tokens_within(request_)
    assert tuple(point[-len(ends) :]) == ends


def test_what_browsers_send_with_everything_comes_behind_what_a_call_asks_by() -> None:
    token = TOKENS["hs256"].encode()
    headers = ((b"Authorization", b"Bearer " + token), (b"Cookie", b"sid=" + token))
    sent = (Point.of("header", "AUTHORIZATION"), Point.of("header", "COOKIE", "cookie", "sid"))
    found = bearers(Request("GET", b"/a?t=" + token, headers), sent)
    assert [each.point[-1] for each in found] == ["AUTHORIZATION", "t", "sid"]


@pytest.mark.parametrize(
    "request_",
    [
        Request("GET", b"/a?token=eyJhbGciOiJub25lIn0.x"),
        Request("GET", b"/a?q=say+" + TOKENS["hs256"].encode()),
        Request("GET", b"/a", ((b"Authorization", b"Bearer " + TOKENS["hs256"].encode()),)),
    ],
)
def test_halves_texts_with_a_token_in_them_and_headers_are_none(request_: Request) -> None:
    assert tokens_within(request_) == ()


def test_an_invented_token_names_nobody_and_keeps_its_form_and_its_times() -> None:
    token = parse(TOKENS["hs256"].encode())
    assert token is not None
    first, second = (parse(invented(token, Random(seed))) for seed in (1, 2))
    assert first is not None
    assert second is not None
    assert first.header == token.header
    assert first.payload.keys() == token.payload.keys()
    assert first.payload["exp"] == token.payload["exp"]
    assert len({each.payload["sub"] for each in (token, first, second)}) == 3


def told(body: bytes) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), body)


def test_what_says_the_same_things_of_another_token_only_shows_it() -> None:
    good = told(b'{"claims": {"sub": "ann"}, "verified": false}')
    assert only_shows(good, told(b'{"claims": {"sub": "xyz"}, "verified": false}'))
    assert not only_shows(good, told(b'{"claims": null}'))
