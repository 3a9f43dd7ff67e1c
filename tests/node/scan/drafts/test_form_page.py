"""A described form is sent with a token of now."""

import asyncio

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.form_page import with_its_token

HEADERS = (
    (b"Host", b"club.example"),
    (b"Referer", b"http://club.example/bio"),
    (b"Content-Type", b"application/x-www-form-urlencoded"),
)
PAGE = b"<form method=post action=/bio><input type=hidden name=csrf value=new77777><input name=text></form>"


def form(body: bytes = b"text=hi&csrf=old11111", method: str = "POST", page: bytes = b"/bio") -> Draft:
    headers = (HEADERS[0], (b"Referer", b"http://club.example" + page), HEADERS[2])
    return Draft(Request(method, b"/bio", headers, body, host="club.example"), drafted=True, sender="anna")


def tokened(draft: Draft, page: bytes = PAGE) -> tuple[bytes, list[tuple[str, bytes, str]]]:
    asked: list[tuple[str, bytes, str]] = []

    async def send(request: Request, sender: str) -> Answer:
        asked.append((request.method, request.target, sender))
        return Answer(Exchange(request, Response(200, ((b"Content-Type", b"text/html"),), page)))

    return asyncio.run(with_its_token(draft, send)).request.body, asked


def test_its_page_is_read_in_its_senders_name_and_hands_out_the_token() -> None:
    body, asked = tokened(form())
    assert body == b"text=hi&csrf=new77777"
    assert asked == [("GET", b"/bio", "anna")]


@pytest.mark.parametrize("name", ["csrf", "tok"])
def test_a_long_random_value_is_one_under_any_name(name: str) -> None:
    page = PAGE.replace(b"csrf", name.encode()).replace(b"new77777", b"9f8e7d6c5b4a39281706")
    body, _ = tokened(form(f"{name}=0a1b2c3d4e5f60718293&text=0".encode()), page)
    assert body == f"{name}=9f8e7d6c5b4a39281706&text=0".encode()


@pytest.mark.parametrize(
    "draft",
    [form(b"text=hi&other=old11111"), form(method="GET"), form(page=b"/logout"), form(page=b"")],
    ids=["no token", "only reads", "its page ends the session", "names no page"],
)
def test_nothing_is_asked_where_nothing_is_to_be_had(draft: Draft) -> None:
    body, asked = tokened(draft)
    assert (body, asked) == (draft.request.body, [])


def test_a_page_without_a_token_leaves_it_as_it_is() -> None:
    assert tokened(form(), b"<p>closed</p>")[0] == b"text=hi&csrf=old11111"


@pytest.mark.parametrize(
    "page", [b'<meta name="csrf-token" content="new77777">', b'<script>window.csrf = "new77777";</script>']
)
def test_a_header_has_what_its_page_hands_out_however_that_is_called_there(page: bytes) -> None:
    async def send(request: Request, _sender: str) -> Answer:
        return Answer(Exchange(request, Response(200, ((b"Content-Type", b"text/html"),), page)))

    call = Request("POST", b"/api", (*HEADERS[:2], (b"X-Anti-Csrf", b"old11111")), b"{}", host="club.example")
    sent = asyncio.run(with_its_token(Draft(call, drafted=True), send)).request
    assert sent.first(b"X-Anti-Csrf") == b"new77777"
