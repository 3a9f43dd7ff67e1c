"""What several callers were shown becomes one capture: each page once, as who was shown it first."""

import asyncio
from types import SimpleNamespace
from typing import Any

import msgspec
from tests.node.loop import until
from tests.node.scan.test_crawling import FRONT, HTML, Pages, walked

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.opening import opened
from gatecrash.node.scan.crawling import Crawl
from gatecrash.node.scan.walks import Caller, as_lines, front_of, is_page, joined, shown_again, together, unanswered
from gatecrash.node.test.health.patience import Patience
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.wording import AWAY, SILENT, TIMED_OUT

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

    caller = calling(Nobody())
    answer = asyncio.run(caller.send(FRONT))
    assert answer.exchange.response is not None
    assert (answer.exchange.response.status, caller.failed, caller.gone) == (401, "the form is gone", "")
    away = calling(Nobody(), reaches=False)
    answer = asyncio.run(away.send(FRONT))
    assert (answer.exchange.response, away.failed, away.gone) == (None, "", AWAY)


def calling(errand: Any, *, reaches: bool = True, seconds: float = 0.0) -> Caller:
    """reaches: whether the target takes connections."""

    async def reached(_request: Request) -> bool:
        return reaches

    caller = Caller(SimpleNamespace(patience=Patience(reached, seconds)))  # type: ignore[arg-type]
    caller._errand = errand
    return caller


class Failing:
    """Fails so, and answers well from then on."""

    def __init__(self, *failures: str, started: float = 0.0) -> None:
        self.failures = list(failures)
        self.started = started
        self.asked = 0

    async def own(self, request: Request) -> Answer:
        self.asked += 1
        failure = self.failures.pop(0) if self.failures else ""
        return Answer(Exchange(request, None if failure else PAGE, self.started), failure)


def test_a_site_that_comes_back_is_asked_once_more_and_one_that_is_only_slow_is_not() -> None:
    for failure, asked in ((AWAY, 2), (SILENT, 2), (TIMED_OUT, 1)):
        errand = Failing(failure)
        caller = calling(errand)
        answer = asyncio.run(caller.send(FRONT))
        assert (errand.asked, caller.gone, answer.exchange.response is not None) == (asked, "", asked == 2)


def test_a_form_that_may_have_reached_the_site_is_not_sent_twice() -> None:
    form = msgspec.structs.replace(FRONT, method="POST")
    for failure, started, asked in ((SILENT, 5.0, 1), (SILENT, 0.0, 2), (AWAY, 5.0, 2)):
        errand = Failing(failure, started=started)
        caller = calling(errand)
        asyncio.run(caller.send(form))
        assert (errand.asked, caller.gone) == (asked, "")


def test_a_site_that_stays_away_is_waited_for_once() -> None:
    errand = Failing(AWAY, AWAY)
    caller = calling(errand, reaches=False, seconds=0.05)
    answers = [asyncio.run(caller.send(FRONT)) for _ in range(2)]
    assert [each.exchange.response for each in answers] == [None, None]
    assert (errand.asked, caller.gone, caller.awaited) == (2, AWAY, "")


def test_who_wants_no_more_waits_no_longer() -> None:
    caller = calling(Failing(AWAY, AWAY), reaches=False, seconds=600.0)

    async def hurried() -> list[Answer]:
        waiting = asyncio.ensure_future(caller.send(FRONT))
        await until(lambda: caller.awaited == AWAY)
        caller.hurry()
        return [await waiting, await caller.send(FRONT)]

    answers = asyncio.run(asyncio.wait_for(hurried(), 60))
    assert [each.exchange.response for each in answers] == [None, None]
    assert (caller.gone, caller.awaited) == ("", "")


def test_what_got_no_answer_is_told_with_what_was_not_asked_for_it() -> None:
    links = "".join(f"<a href=/{word}>x</a>" for word in ("one", "two", "three"))

    async def walk(unanswered_at: bytes, *, ends: bool) -> Crawl:
        async def send(request: Request) -> Answer:
            if request.target == unanswered_at:
                crawl.over = ends
                return Answer(Exchange(request), AWAY)
            return Answer(Exchange(request, msgspec.structs.replace(PAGE, body=links.encode())))

        crawl = Crawl(send, most=50)
        await crawl.run(FRONT)
        return crawl

    gone, passed = asyncio.run(walk(b"/one", ends=True)), asyncio.run(walk(b"/one", ends=False))
    assert (passed.asked, passed.unanswered, passed.is_full()) == (6, ["GET http://shop.example/one"], False)
    assert unanswered("http://shop.example/", [passed, passed], "") == "1 address got no answer."
    assert unanswered("http://shop.example/", [asyncio.run(walk(b"", ends=False))], "") == ""
    assert unanswered("http://shop.example/a", [gone], AWAY) == (
        "http://shop.example went away while it was read, and was waited for in vain: the target refuses connections. "
        "1 address got no answer, and 2 more to which pages lead were not asked."
    )
    assert unanswered("http://shop.example/a", [], SILENT).endswith("answers nobody any more.")
