"""What exchanges a refresh token is known by what it was sent and what it handed out."""

import json

import pytest
from tests.range.handing import token
from tests.range.place import posted

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.tokens.exchanged import access_points, latest_of, refresh_point

OLD, NEW, ACCESS = "rt-5b1f0c9a7de34a51b02f", "rt-0a6c5b1f0c9a7de34a51", "at-b02f0a6c5b1f0c9a7de3"


def sent(**members: str) -> Request:
    return posted("/token", json.dumps(members).encode(), b"application/json")


def handing(**members: str) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(members).encode())


@pytest.mark.parametrize("name", ["refresh_token", "refreshToken", "refresh-token", "refresh"])
def test_the_token_that_is_good_since_is_the_one_that_was_handed_out_last(name: str) -> None:
    kept = latest_of(sent(**{name: OLD}), handing(access_token=ACCESS))
    rotated = latest_of(sent(**{name: OLD}), handing(access_token=ACCESS, refresh_token=NEW))
    assert kept is not None
    assert rotated is not None
    assert (kept.now, rotated.now, kept.point[-1]) == (OLD, NEW, name)


def test_a_form_and_a_signed_token_are_read_as_well() -> None:
    form = posted(
        "/token", f"grant_type=refresh_token&refresh_token={OLD}".encode(), b"application/x-www-form-urlencoded"
    )
    signed = token(typ="refresh")
    assert [each.now for each in (latest_of(form, handing(access_token=ACCESS)),) if each] == [OLD]
    assert [each.now for each in (latest_of(sent(refresh_token=signed), handing(token=ACCESS)),) if each] == [signed]


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (sent(refresh_token=OLD), handing(message="see you later")),
        (sent(user="ann", password="lamp-oil-and-rope"), handing(access_token=ACCESS, refresh_token=NEW)),
        (sent(refresh_token="yes"), handing(access_token=ACCESS)),
    ],
)
def test_nothing_else_exchanges_one(request_: Request, answer: Response) -> None:
    assert latest_of(request_, answer) is None


def test_the_tokens_that_a_logout_names_are_told_apart() -> None:
    request = sent(refresh_token=OLD, access_token=ACCESS)
    point = refresh_point(request)
    assert (point and point[-1], [each[-1] for each in access_points(request)]) == ("refresh_token", ["access_token"])


@pytest.mark.parametrize("name", ["jid", "app_rt", "refreshToken", "__Host-refresh"])
@pytest.mark.parametrize("method", ["POST", "GET"])
def test_a_cookie_may_be_called_so_that_nobody_sees_what_it_is_for(name: str, method: str) -> None:
    cookie = (b"Cookie", f"theme=dark-and-calm-as-it-was; {name}={OLD}".encode())
    found = latest_of(Request(method, b"/auth/refresh", (cookie,)), handing(accessToken=ACCESS))
    assert found is not None
    assert (found.now, found.point[-1]) == (OLD, name)
    other = (b"Cookie", f"sid={OLD}".encode())
    assert latest_of(Request(method, b"/auth/refresh", (other,)), handing(accessToken=ACCESS)) is None


def test_a_header_that_repeats_a_cookie_goes_along_with_that() -> None:
    guard = (b"X-CSRF-Token", b"5b1f0c9a")
    sent_ = (guard, (b"Cookie", f"sid=7a; csrf=5b1f0c9a; jid={OLD}".encode()), (b"Authorization", b"Bearer before"))
    found = latest_of(Request("POST", b"/auth/refresh", sent_), handing(accessToken=ACCESS))
    assert found is not None
    assert found.request.headers == (guard, (b"Cookie", f"jid={OLD}; csrf=5b1f0c9a".encode()))
