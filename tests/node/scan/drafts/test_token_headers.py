"""A described call has the token header that scripts send beside it."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.token_headers import Guarded

PAGE = (b"Referer", b"http://shop.example/notes")


def call(token: bytes, cookie: bytes = b"sid=1; csrftoken=2%7Cab", host: str = "shop.example") -> Request:
    headers = (PAGE, (b"Cookie", cookie), (b"X-CSRFToken", token))
    return Request("POST", b"/api/notes", headers, b"{}", host=host)


def described(method: str = "POST", target: bytes = b"/api/count", *headers: tuple[bytes, bytes]) -> Draft:
    return Draft(
        Request(method, target, ((b"Host", b"shop.example"), *headers), b"{}", host="shop.example"), drafted=True
    )


def test_it_has_the_header_the_cookie_that_this_repeats_and_its_page() -> None:
    request = Guarded([Exchange(call(b"2|ab"), Response(201))]).draft(described()).request
    assert request.first(b"X-CSRFToken") == b"2|ab"
    assert request.first(b"Cookie") == b"csrftoken=2%7Cab", "the session is its sender's own"
    assert request.first(b"Referer") == PAGE[1]


def test_a_token_of_a_page_repeats_no_cookie_and_one_that_was_let_in_is_right() -> None:
    guarded = Guarded([Exchange(call(b"refused"), Response(403)), Exchange(call(b"of-a-page"), Response(200))])
    request = guarded.draft(described()).request
    assert (request.first(b"X-CSRFToken"), request.first(b"Cookie")) == (b"of-a-page", None)
    assert Guarded([Exchange(call(b"kept"), drafted=True)]).draft(described()).request.first(b"X-CSRFToken") == b"kept"


LOGIN = Request(
    "POST",
    b"/login",
    ((b"Content-Type", b"application/json"),),
    b'{"username":"a","password":"b"}',
    host="shop.example",
)


@pytest.mark.parametrize(
    "draft",
    [
        described("GET"),
        Draft(LOGIN, drafted=True),
        described("POST", b"/api/count", PAGE),
        described("POST", b"/api/count", (b"X-Xsrf-Token", b"own")),
    ],
    ids=["only reads", "signs in", "names its page", "has one"],
)
def test_others_stay_as_they_are(draft: Draft) -> None:
    assert Guarded([Exchange(call(b"2|ab"), Response(201))]).draft(draft) is draft


def test_another_origin_has_its_own_way() -> None:
    draft = described()
    assert Guarded([Exchange(call(b"2|ab", host="other.example"), Response(201))]).draft(draft) is draft
