"""A node reads an address as a scan does, waits where it must not ask, and ends when it is told to."""

import asyncio
import json
import math
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import msgspec
import pytest
from tests.node.loop import run, until
from tests.node.scan.test_crawling import FRONT, HTML
from tests.node.scan.test_crawling import read as read_by
from tests.node.test.test_runner import order

from gatecrash.core.errors import TargetError
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.scan.crawling import Crawl
from gatecrash.node.scan.exploring import Exploring
from gatecrash.node.scan.fetching import MayNotBeAsked
from gatecrash.node.scan.outgoing import Way, traffic_of
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.wire.session import Start

DOCUMENT = {"openapi": "3.0.0", "paths": {"/api/teas": {"get": {}}, "/teaa": {"get": {}}}}
ANN = AuthProfile(
    id="prof_1",
    name="ann",
    identities=(ProfileIdentity(name="ann", values=(Placed(("header", "X-KEY"), "ann"),)),),
)


def word(number: int) -> str:
    """Names that differ by more than their numbers, or a few of them would do."""
    return "tea" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


class _Site(BaseHTTPRequestHandler):
    """A page leads to one that is Ann's alone, and to many; a description is beside them where the site has one."""

    server: Any

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        is_ann = self.headers.get("X-Key") == "ann" or self.server.sessions.get(self.headers.get("Cookie"), False)
        many = [f"/{word(at)}" for at in range(self.server.many)]
        links = "".join(f"<a href={path}>x</a>" for path in many)
        fields = "<input type=email name=email><input type=password name=password></form>"
        enter = f"<form method=post action=/register>{fields}<form method=post action=/login>{fields}"
        pages = {
            "/": f"<a href=/mine>m</a><a href=/logout>out</a>{links}{enter if self.server.members is not None else ''}"
        }
        pages |= {"/mine": "<p>hers"} if is_ann else {}
        pages |= {path: f"<p>about {path}" for path in many}
        if self.path == "/openapi.json" and self.server.described:
            self._say(200, json.dumps(DOCUMENT), "application/json")
        elif self.path in pages:
            self._say(200, f"<html><body>{pages[self.path]}</body></html>", "text/html")
        else:
            self._say(404, "none", "text/plain")

    def do_POST(self) -> None:
        said = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
        if self.server.members is None or self.path not in ("/register", "/login"):
            return self._say(404, "none", "text/plain")
        if self.path == "/register":
            self.server.members.append(said)
            return self._say(201, "made", "text/plain")
        if said not in self.server.members:
            return self._say(401, "wrong", "text/plain")
        cookie = f"sid={len(self.server.sessions):032x}"
        self.server.sessions[cookie] = True
        return self._say(200, "in", "text/plain", cookie)

    def _say(self, status: int, text: str, kind: str, cookie: str = "") -> None:
        self.send_response(status)
        if cookie:
            self.send_header("Set-Cookie", f"{cookie}; Path=/")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def site(
    *, many: int = 2, described: bool = False, members: bool = False, port: int = 0
) -> Iterator[tuple[str, list[str]]]:
    """Its address, and what it was asked for. port: where it is; any free one where nobody says."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", port), _Site)
    server.asked, server.many, server.described = [], many, described
    server.members, server.sessions = [] if members else None, {}
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server.asked
    finally:
        server.shutdown()
        server.server_close()


def exploring(
    url: str, most: int = 50, profile: AuthProfile | None = None, allowed: str = "", patience: float = 0.3
) -> Exploring:
    """patience: seconds that a site is waited for which is away."""
    way = Way(AllowedHosts(allowed))

    @asynccontextmanager
    async def traffic(one: AuthProfile | None) -> AsyncIterator[Traffic]:
        async with traffic_of(msgspec.structs.replace(order(), profile=one), way, Tally(1)) as opened:
            opened.patience.seconds = patience
            yield opened

    return Exploring(Start(url, most), way, profile, traffic)


async def read(one: Exploring) -> dict[str, Exchange]:
    """What is found, by its address."""
    one.may_ask.set()
    return {each.request.target.decode(): each for each in await asyncio.wait_for(one.run(), math.inf)}


@run
async def test_a_sites_pages_are_read_and_what_would_sign_out_is_left_alone() -> None:
    with site() as (url, asked):
        one = exploring(url + "/")
        found = await read(one)
    assert set(found) == {"/", "/teaa", "/teab"}
    assert "/logout" not in asked
    assert one.read >= 4
    assert one.notes == ["Left alone, as they sign out, delete or change something: GET /logout."]


@run
async def test_a_description_beside_them_is_read_and_what_it_has_is_not_there_twice() -> None:
    with site(described=True) as (url, _):
        found = await read(exploring(url + "/"))
    assert found["/api/teas"].drafted
    assert found["/teaa"].drafted
    assert not found["/teab"].drafted
    assert found["/api/teas"].request.host == "127.0.0.1"


@run
async def test_the_address_of_a_description_reads_no_pages() -> None:
    with site(described=True) as (url, asked):
        found = await read(exploring(url + "/openapi.json"))
        assert (set(found), asked) == ({"/api/teas", "/teaa"}, ["/openapi.json"])


@run
async def test_pages_are_read_as_whom_a_profile_names_and_as_a_visitor() -> None:
    with site() as (url, _):
        found = await read(exploring(url + "/", profile=ANN))
    assert (found["/mine"].public, found["/teab"].public) == (False, True)


@run
async def test_where_the_sites_forms_let_people_in_its_pages_are_read_as_two_of_them_behind_their_logins() -> None:
    with site(members=True) as (url, _):
        one = exploring(url + "/")
        one.may_ask.set()
        found = await one.run()
    at_first = [(each.request.method, each.request.path) for each in found[:4]]
    assert at_first.count(("POST", b"/login")) == 2, "each session begins with what let its user in"
    mine = [each for each in found if each.request.path == b"/mine"]
    assert len({each.request.first(b"Cookie") for each in mine}) == 2
    assert all(each.response is not None and each.response.status == 200 for each in mine)


@run
async def test_no_more_than_so_many_pages_are_read_and_that_is_told() -> None:
    with site(many=30) as (url, _):
        one = exploring(url + "/", most=5)
        found = await read(one)
    assert len(found) <= 5
    assert "Only the first 5 pages were read; there are more." in one.notes


@run
async def test_what_was_read_before_its_end_was_wanted_is_found() -> None:
    with site(many=400) as (url, asked):
        one = exploring(url + "/", most=5000)
        reading = asyncio.ensure_future(read(one))
        await until(lambda: len(asked) > 30)
        one.end()
        found = await reading
    assert 1 < len(found) < 400
    assert not any("Only the first" in note for note in one.notes)


@run
async def test_nothing_is_asked_while_nothing_may_be() -> None:
    with site(many=400) as (url, asked):
        one = exploring(url + "/", most=5000)
        reading = asyncio.ensure_future(one.run())
        await asyncio.sleep(0.1)
        assert asked == []
        one.may_ask.set()
        await until(lambda: len(asked) > 30)
        one.may_ask.clear()
        await asyncio.sleep(0.2)
        before = len(asked)
        await asyncio.sleep(0.2)
        assert len(asked) == before
        one.end()
        await reading


@run
async def test_who_is_not_allowed_or_not_there_is_told() -> None:
    with pytest.raises(MayNotBeAsked):
        await read(exploring("http://127.0.0.1:1/", allowed="elsewhere.example"))
    with pytest.raises(TargetError):
        await read(exploring("http://127.0.0.1:1/"))


@run
async def test_a_site_that_is_away_for_a_while_is_waited_for_and_read_on() -> None:
    with site(many=60) as (url, asked):
        one = exploring(url + "/", most=5000, patience=120)
        reading = asyncio.ensure_future(read(one))
        await until(lambda: len(asked) > 20)
    await until(lambda: one.notes != [])
    before = one.read
    assert one.notes == [f"Waiting for {url}: the target refuses connections."]
    with site(many=60, port=int(url.rpartition(":")[2])):
        found = await reading
    assert one.read > before
    assert {f"/{word(at)}" for at in range(60)} < set(found)
    assert not any("Waiting" in note or "no answer" in note for note in one.notes)


@run
async def test_of_a_site_that_stays_away_what_was_read_is_found_and_the_rest_is_told() -> None:
    for profile in (None, ANN):
        with site(many=400) as (url, asked):
            one = exploring(url + "/", most=5000, profile=profile)
            reading = asyncio.ensure_future(read(one))
            await until(lambda asked=asked: len(asked) > 30)
        found = await reading
        assert 1 < len(found) <= one.read < 400
        (told, _) = one.notes
        assert told.startswith(f"{url} went away while it was read, and was waited for in vain: the target refuses")
        assert "1 address got no answer, and " in told


@run
async def test_where_nothing_was_read_before_the_site_went_away_that_is_its_trouble() -> None:
    with site(many=400) as (url, _):
        one = exploring(url + "/")
        seen = one._sources

        def gone(loop: asyncio.AbstractEventLoop) -> Any:
            one._walk = lambda _: walk(url)  # type: ignore[method-assign]
            return seen(loop)

        async def walk(_site: str) -> Any:
            return await Exploring._walk(one, "http://127.0.0.1:1/")

        one._sources = gone  # type: ignore[method-assign]
        with pytest.raises(TargetError, match="waited for in vain"):
            await read(one)
    assert (one.read, one.notes) == (0, [])


@run
async def test_who_ends_a_reading_waits_for_no_site() -> None:
    with site(many=400) as (url, asked):
        one = exploring(url + "/", most=5000, patience=600)
        reading = asyncio.ensure_future(read(one))
        await until(lambda: len(asked) > 30)
    await until(lambda: one.notes != [])
    one.end()
    assert len(await asyncio.wait_for(reading, 60)) > 1


def test_a_walk_that_is_over_asks_for_nothing_more_and_keeps_what_was_read() -> None:
    sent: list[Request] = []

    async def send(request: Request) -> Answer:
        sent.append(request)
        crawl.over = len(sent) > 2
        links = "".join(f"<a href=/{at}>x</a>" for at in range(50))
        return Answer(Exchange(request, Response(200, (HTML,), links.encode())))

    crawl = Crawl(send, most=100, submits=True)
    asyncio.run(crawl.run(FRONT))
    assert len(sent) == 3
    assert read_by(crawl)[0] == "/"


@run
async def test_what_tells_robots_where_pages_are_is_no_page_that_was_read() -> None:
    with site() as (url, asked):
        one = exploring(url + "/")
        one.may_ask.set()
        await one.run()
    assert {"/robots.txt", "/sitemap.xml"} <= {*asked}
    assert one.read == len(["/", "/mine", "/teaa", "/teab"])
