"""What a site has set goes with every request of the walk."""

import asyncio

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.crawl_caller import CrawlCaller

ASKED = Request("GET", b"/a", host="shop.example")


def test_cookies_of_answers_and_of_scripts_are_sent_from_then_on() -> None:
    sent: list[bytes | None] = []

    async def send(request: Request) -> Answer:
        sent.append(request.first(b"Cookie"))
        return Answer(Exchange(request, Response(200, ((b"Set-Cookie", b"a=1; Path=/"),))))

    async def asked_twice() -> None:
        await caller.ask(ASKED)
        caller.put(ASKED, [b"b=2; Path=/"])
        await caller.ask(ASKED)

    caller = CrawlCaller(send, lambda: True)
    asyncio.run(asked_twice())
    assert sent == [None, b"a=1; b=2"]
    assert sorted((caller.on(ASKED).first(b"Cookie") or b"").split(b"; ")) == [b"a=1", b"b=2"]


def test_a_cookie_is_new_once() -> None:
    caller = CrawlCaller(lambda _: asyncio.sleep(0), lambda: True)  # type: ignore[arg-type,return-value]
    setting = Response(200, ((b"Set-Cookie", b"a=1"),))
    assert caller.is_given_more(setting)
    assert not caller.is_given_more(setting)
    assert not caller.is_given_more(Response(200))
