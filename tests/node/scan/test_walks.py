"""What several callers were shown becomes one capture: each page once, as who was shown it first."""

import asyncio

import msgspec
from tests.node.scan.test_crawling import FRONT, HTML, Pages, walked

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.formats.opening import opened
from gatecrash.node.scan.walks import Caller, as_lines, front_of, is_page, joined, shown_again, together
from gatecrash.node.test.sessions.living import LoginFailed

PAGE = Response(200, (HTML,), b"<p>tea")


def shown(path: bytes, response: Response | None = PAGE, *, drafted: bool = False) -> Exchange:
    request = msgspec.structs.replace(FRONT, target=path, method="POST" if drafted else "GET")
    return Exchange(request, response, drafted=drafted)


def test_a_sites_front_page_is_asked_for_as_a_browser_does() -> None:
    front = front_of("HTTP://user:word@Shop.example:8080/shop/?q=a#top")
    assert (front.method, front.target, front.host.lower(), front.port) == ("GET", b"/shop/?q=a", "shop.example", 8080)
    assert front.first(b"User-Agent") is not None
    assert b"word" not in b"".join(value for _, value in front.headers)


def test_what_two_were_shown_is_once_there_as_the_first_was() -> None:
    first, second = shown(b"/a"), shown(b"/a", Response(403))
    assert list(joined([[first, first], [second, shown(b"/b")]])) == [first, first, shown(b"/b")]


def test_what_a_visitor_is_shown_of_linked_pages_is_for_everybody() -> None:
    pages: Pages = {"/": "<a href=/a>a</a><a href=/mine>m</a>", "/a": "<p>tea and more tea", "/mine": "<p>mine"}
    theirs: Pages = {**pages, "/mine": Response(403, (HTML,), b"no")}
    found = {each.request.target: each for each in together([walked(pages)[0], walked(theirs)[0]])}
    assert found[b"/a"].public
    assert not found[b"/mine"].public


def test_forms_that_a_visitor_was_shown_stay_behind_a_walk_that_is_signed_in() -> None:
    crawl, _ = walked({"/": "<a href=/mine>m</a>", "/mine": "<p>mine"})
    found = shown_again(crawl, [shown(b"/enter", None, drafted=True), shown(b"/open")])
    assert [(each.request.target, each.drafted) for each in found] == [
        (b"/enter", True),
        (b"/", False),
        (b"/mine", False),
        (b"/open", False),
    ]


def test_what_was_found_is_read_again_as_it_was() -> None:
    (again,) = [each for each in opened(as_lines([shown(b"/a")])).items if isinstance(each, Exchange)]
    assert (again.request.target, again.response and again.response.body) == (b"/a", b"<p>tea")


def test_only_what_is_shown_in_html_is_a_page() -> None:
    assert is_page(shown(b"/"))
    assert not is_page(shown(b"/", Response(302, (HTML,))))
    assert not is_page(shown(b"/", Response(200, ((b"Content-Type", b"application/json"),), b"{}")))
    assert not is_page(shown(b"/", None))


def test_who_cannot_be_signed_in_is_refused_and_it_is_told_why() -> None:
    class Nobody:
        async def own(self, request: Request) -> Exchange:
            raise LoginFailed("the form is gone")

    caller = Caller.__new__(Caller)
    caller._errand, caller.failed = Nobody(), ""  # type: ignore[assignment]
    answer = asyncio.run(caller.send(FRONT))
    assert answer.exchange.response is not None
    assert (answer.exchange.response.status, caller.failed) == (401, "the form is gone")
