"""What a site of one page loads for the routes of its menu is read as well."""

import asyncio
import json

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.crawl_routes import Routes
from gatecrash.node.scan.crawling import Crawl

HTML, JSON = ((b"Content-Type", b"text/html"),), ((b"Content-Type", b"application/json"),)
MENU = json.dumps([{"title": "Tea", "route": f"#part/{each}"} for each in ("green", "black", "white", "logout")])


def html(text: str, status: int = 200) -> Response:
    return Response(status, HTML, text.encode())


def call(target: str) -> Request:
    return Request("GET", target.encode(), host="shop.example")


def learned(*told: Response, address: str = "/parts/1.html", came_to: Response | None = None) -> Routes:
    routes = Routes(set())
    for each in told:
        routes.learn(call("/menu"), each, called=False, stands=True)
    came_to = came_to or html("Nothing here", 404)
    routes.learn(call(address), came_to, called=True, stands=came_to.status < 400)
    return routes


def tried(routes: Routes, there: frozenset[str]) -> list[str]:
    """The calls that are made until none is left, on a site that has these."""
    asked = []
    while (request := routes.next()) is not None:
        asked.append(request.target.decode())
        stands = asked[-1] in there
        routes.learn(request, html("A part" if stands else "None", 200 if stands else 404), called=True, stands=stands)
    return asked


LINKS = html("<a href='#part/green'>g</a><a href='#!/part/black'>b</a><a href='/part/red'>r</a><a href='#'>top</a>")


@pytest.mark.parametrize("menu", [Response(200, JSON, MENU.encode()), LINKS])
def test_the_last_step_of_a_route_is_put_where_a_script_left_one_open(menu: Response) -> None:
    routes = learned(menu)
    assert tried(routes, frozenset({"/parts/green.html"}))[0] == "/parts/green.html"
    assert next(routes.found()).target != b"/parts/green.html"


def test_so_is_a_whole_route() -> None:
    routes = learned(LINKS, address="/html/1")
    assert tried(routes, frozenset({"/html/part/green"}))[:3] == ["/html/green", "/html/black", "/html/part/green"]
    assert [each.target for each in routes.found()] == [b"/html/part/black"]


def test_where_nothing_stands_two_routes_are_tried_each_way_and_no_more() -> None:
    routes = learned(Response(200, JSON, MENU.encode()))
    assert len(tried(routes, frozenset())) == 4
    assert list(routes.found()) == []


def test_what_ends_a_session_is_not_asked_for() -> None:
    routes = learned(Response(200, JSON, MENU.encode()))
    asked = tried(routes, frozenset({"/parts/green.html"}))
    assert not any("logout" in each for each in (*asked, *(found.target.decode() for found in routes.found())))


@pytest.mark.parametrize(
    ("address", "came_to"),
    [
        ("/orders/1", Response(200, JSON, b"{}")),
        ("/parts/all.html", html("All")),
        ("/parts/1.html", Response(302, ((b"Location", b"/login"),), b"")),
    ],
)
def test_data_and_what_leaves_nothing_open_are_asked_for_as_they_stand(address: str, came_to: Response) -> None:
    assert learned(LINKS, address=address, came_to=came_to).next() is None


@pytest.mark.parametrize(("router", "read"), [("'/parts/' + name + '.html'", True), ("'/parts/all.html'", False)])
def test_the_walk_reads_the_forms_of_each_part(router: str, read: bool) -> None:
    script = f"var name = location.hash.split('/')[1]; fetch({router}); fetch('/menu.json')"

    async def send(request: Request) -> Answer:
        asked = request.target.decode()
        parts = {f"/parts/{each}.html": f"<form method=post action=/do/{each}>" for each in ("green", "black", "white")}
        if asked == "/":
            answer = html(f"<html><script>{script}</script></html>")
        elif asked == "/menu.json":
            answer = Response(200, JSON, MENU.encode())
        else:
            answer = html(parts[asked] + "<input name=t></form>") if asked in parts else html("None", 404)
        return Answer(Exchange(request, answer))

    crawl = Crawl(send)
    asyncio.run(crawl.run(call("/")))
    forms = {each.request.path.decode() for each in crawl.found() if each.request.method == "POST"}
    assert forms == ({"/do/green", "/do/black", "/do/white"} if read else set())
