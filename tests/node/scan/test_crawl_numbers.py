"""A form that reads is asked by a number where a word finds nothing."""

import asyncio

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.crawl_numbers import numbered, tells_more
from gatecrash.node.scan.crawling import Crawl

HTML = ((b"Content-Type", b"text/html"),)


def page(text: str, status: int = 200) -> Response:
    return Response(status, HTML, f"<html><body>{text}</body></html>".encode())


@pytest.mark.parametrize(
    ("target", "number"),
    [
        (b"/find?code=example&go=Go", b"/find?code=1&go=Go"),
        (b"/find?code=7&go=example+of", None),
        (b"/find", None),
    ],
)
def test_a_word_that_was_made_up_becomes_a_number(target: bytes, number: bytes | None) -> None:
    found = numbered(Request("GET", target))
    assert (found.target if found else None) == number


def test_what_changes_something_is_asked_by_no_number() -> None:
    assert numbered(Request("POST", b"/find?code=example")) is None


@pytest.mark.parametrize(
    ("word", "number", "more"),
    [
        (page("There is none", 404), page("There is one"), True),
        (page("<form><input name=code></form>"), page("<form><input name=code></form><p>Ada</p>"), True),
        (page("<p>You asked for example</p>"), page("<p>You asked for 1</p>"), False),
        (page("<p>Two lamps</p><p>An example</p>"), page("<p>Nothing</p>"), False),
        (page("<p>Nothing</p>"), page("<p>Only words, please</p><p>Try again</p>", 400), False),
        (page("<p>Nothing</p>"), None, False),
    ],
)
def test_what_finds_something_tells_more(word: Response, number: Response | None, more: bool) -> None:
    assert tells_more(word, number) is more


@pytest.mark.parametrize(("knows", "read"), [("1", "/find?code=1&go=Go"), ("example", "/find?code=example&go=Go")])
def test_the_walk_keeps_what_finds_something(knows: str, read: str) -> None:
    async def send(request: Request) -> Answer:
        asked = request.target.decode()
        if asked == "/":
            told = page("<form action=/find><input name=code><input type=submit name=go value=Go></form>")
        else:
            told = page("It is there") if f"code={knows}&" in asked else page("It is not there", 404)
        return Answer(Exchange(request, told))

    crawl = Crawl(send)
    asyncio.run(crawl.run(Request("GET", b"/", host="shop.example")))
    assert [each.request.target.decode() for each in crawl.found()] == ["/", read]


@pytest.mark.parametrize(("action", "kept"), [("/users", ["/users?login=example"]), ("/gone", [])])
def test_a_form_that_knows_nothing_of_the_word_is_kept_where_its_own_page_is_what_it_asks(
    action: str, kept: list[str]
) -> None:
    async def send(request: Request) -> Answer:
        form = page(f"<form action={action}><input name=login></form>")
        return Answer(Exchange(request, form if request.target in (b"/", b"/users") else page("It is free", 404)))

    crawl = Crawl(send, submits=True)
    asyncio.run(crawl.run(Request("GET", b"/users", host="shop.example")))
    assert [each.request.target.decode() for each in crawl.found()] == ["/users", *kept]
