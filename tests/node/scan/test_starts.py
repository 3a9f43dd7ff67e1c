"""An address begins a description or a site, and beside a site stands what describes its API."""

import io
import json

import pytest
from tests.node.scan.test_crawling import HTML
from tests.node.scan.test_walks import shown

from gatecrash.core.errors import TargetError
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.node.scan.fetching import NotDescribed, Seen
from gatecrash.node.scan.starts import Sources, begun_at
from gatecrash.node.scan.walks import as_lines

SITE = "http://shop.example/"
DOCUMENT = json.dumps({"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}).encode()
PAGE = Seen(b"<!doctype html><html>tea")
NOTHING = Seen(None)


def stream(content: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(content))  # type: ignore[arg-type]


def begun(seen: Seen, described: dict[str, bytes], *pages: bytes, site: bool = True) -> tuple[Sources, list[str]]:
    """What is begun, and what was asked for in this order."""
    asked: list[str] = []

    def fetch(url: str, _seen: Seen | None) -> io.BufferedReader:
        asked.append(url)
        if url not in described:
            raise NotDescribed("nothing")
        return stream(described[url])

    def walk(url: str) -> io.BufferedReader | None:
        asked.append(f"pages of {url}")
        html = (b"Content-Type", b"text/html")
        return (
            as_lines([shown(b"/%d" % at, Response(200, (html,), page)) for at, page in enumerate(pages)])
            if site
            else None
        )

    return begun_at(SITE, seen, fetch, walk), asked


def test_a_description_is_all_there_is_where_no_page_is() -> None:
    sources, asked = begun(NOTHING, {SITE: DOCUMENT})
    assert (sources.first[0], sources.pages, sources.site, asked) == (SITE, None, "", [SITE])


def test_a_page_begins_a_site_whose_description_is_read_with_its_pages() -> None:
    sources, asked = begun(PAGE, {SITE: DOCUMENT}, b"<p>tea")
    assert sources.first[1].read() == DOCUMENT
    assert (sources.pages is not None, sources.site) == (True, SITE)
    assert asked == [SITE, f"pages of {SITE}"]


def test_pages_that_show_a_description_to_people_lead_to_it() -> None:
    there = "http://shop.example/v2/openapi.json"
    sources, _ = begun(PAGE, {there: DOCUMENT}, b"<script src=swagger-ui.js></script>url: '/v2/openapi.json'")
    assert (sources.first[0], sources.site) == (there, SITE)


def test_pages_alone_are_read_where_nothing_is_described() -> None:
    sources, _ = begun(PAGE, {}, b"<p>tea")
    assert (sources.first[0], sources.pages, sources.site) == (SITE, None, SITE)


def test_where_neither_is_that_is_said() -> None:
    with pytest.raises(NotDescribed):
        begun(NOTHING, {}, site=False)


def test_a_graphql_endpoint_that_was_named_is_no_site() -> None:
    told = json.dumps({"endpoint": "/", "data": {"__schema": {"queryType": {"name": "Q"}, "types": []}}}).encode()
    sources, asked = begun(PAGE, {SITE: told}, b"<p>tea")
    assert (sources.pages, asked) == (None, [SITE])


def test_pages_stay_where_the_site_goes_away_behind_them() -> None:
    pages = as_lines([shown(b"/docs", Response(200, (HTML,), b"<script>swagger-ui('/openapi.json')</script>"))])

    def fetch(url: str, _seen: Seen | None) -> io.BufferedReader:
        raise NotDescribed("nothing") if url == SITE else TargetError("not reached")

    sources = begun_at(SITE, PAGE, fetch, lambda _: pages)
    assert (sources.first, sources.pages) == ((SITE, pages), None)


def scripted(described: dict[str, bytes], path: bytes = b"/backend/query") -> Sources:
    """Of a site whose script asks GraphQL for something."""
    body = b'{"query": "{ notes { title } }"}'
    headers = ((b"Host", b"shop.example"), (b"Content-Type", b"application/json"))
    asked = Request("POST", path, headers, body, "http", "shop.example", 80)

    def fetch(url: str, _seen: Seen | None) -> io.BufferedReader:
        if url not in described:
            raise NotDescribed("nothing")
        return stream(described[url])

    return begun_at(SITE, PAGE, fetch, lambda _: as_lines([Exchange(asked, Response(200))]))


SCHEMA = {"endpoint": "/backend/query", "data": {"__schema": {"queryType": {"name": "Query"}, "types": []}}}


@pytest.mark.parametrize(
    ("beside", "found"), [({}, True), ({"untold": True}, False), ({"untold": True, "suggested": True}, True)]
)
def test_an_endpoint_of_graphql_that_scripts_ask_is_asked_for_its_schema(beside, found) -> None:
    there = f"{SITE}backend/query"
    sources = scripted({there: json.dumps(SCHEMA | beside).encode()})
    assert (sources.first[0], sources.pages is not None) == ((there, True) if found else (SITE, False))


def test_one_that_tells_nothing_leaves_the_pages() -> None:
    assert scripted({}).first[0] == SITE
