"""A page is shown what it is given, and told what to do."""

from tests.node.loop import run

from gatecrash.core.message import Response
from gatecrash.node.browser.devtools import Event, started
from gatecrash.node.browser.tab import opened_tab

PAGE = b"<title>t</title><input name=mail><a href=/next>n</a><script>confirm('x') && window.open('/opened')</script>"


@run
async def test_a_page_that_is_answered_is_shown_and_one_that_is_not_leaves_what_was_there(program: str) -> None:
    asked: list[str] = []

    async def serve(told: Event) -> Response | None:
        asked.append(told["request"]["url"])
        gzipped = ((b"Content-Type", b"text/html"), (b"Set-Cookie", b"a=1"), (b"Content-Length", b"9"))
        return Response(200, gzipped, PAGE) if told["request"]["url"] == "http://shop.example/" else None

    async with started(program) as devtools:
        tab = await opened_tab(devtools, serve)
        await tab.go("http://shop.example/")
        assert await tab.call("links") == ["http://shop.example/next", "http://shop.example/opened"]
        assert [each["words"].split()[0] for each in await tab.call("fields")] == ["mail"]
        await tab.call("fill", 0, "ann@shop.example")
        assert [each["value"] for each in await tab.call("fields")] == ["ann@shop.example"]
        assert await tab.cookies() == "a=1"
        await tab.go("http://shop.example/away")
        assert "http://shop.example/away" in asked
        await tab.close()
