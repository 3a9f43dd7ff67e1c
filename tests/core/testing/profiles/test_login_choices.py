"""What is chosen before a login comes with it in a cookie, and by its name is a choice."""

import pytest
from tests.node.test.answering import get

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.login_choices import chosen_before

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
CHOICE = b"71354a2dfb0ab172a69d7032"


def sent(target: str, body: bytes, *headers: tuple[bytes, bytes]) -> Request:
    return Request("POST", target.encode(), (FORM, *headers), body, "https", "shop.example", 443)


def chosen(request: Request, *, cookie: bytes = b"unit=" + CHOICE, status: int = 200) -> bool:
    login = sent("/login", b"user=ann&password=sesame", (b"Cookie", b"unit=" + CHOICE))
    return chosen_before(Exchange(request, Response(status, ((b"Set-Cookie", cookie + b"; Path=/"),))), login)


@pytest.mark.parametrize(
    "request_",
    [
        sent("/tenant", b"name=acme"),
        sent("/start", b"workspace=acme"),
        sent("/select-branch", b"id=7"),
        get("/welcome?organization=acme"),
    ],
)
def test_a_tenant_is_chosen(request_: Request) -> None:
    assert chosen(request_)


@pytest.mark.parametrize(
    "request_",
    [
        sent("/cart", b"item=7"),
        sent("/tenant/delete", b"name=acme"),
        sent("/tenant/login", b"user=ann&password=sesame"),
        sent("/register", b"company=acme&user=ann&password=a-new-one&password2=a-new-one"),
        sent("/tenant", b"name=acme", (b"Authorization", b"Bearer 0123456789abcdef")),
        get("/tenants"),
    ],
    ids=["a cart", "deletes", "a login", "a registration", "signed in", "a page"],
)
def test_other_things_that_visitors_do_are_not_done_again(request_: Request) -> None:
    assert not chosen(request_)


def test_what_the_login_did_not_come_with_was_not_chosen_for_it() -> None:
    request = sent("/tenant", b"name=acme")
    assert not chosen(request, cookie=b"unit=another-one")
    assert not chosen(request, cookie=b"other=" + CHOICE)
    assert not chosen(request, status=404)
    assert not chosen(request, cookie=b"_ga=" + CHOICE)
