"""`gatecrash scan` of a site that serves pages and an API: both are read, wherever the description is."""

import html
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from gatecrash.cli.main import main

DOCUMENT = {
    "openapi": "3.1.0",
    "paths": {
        "/api/hello": {"get": {"parameters": [{"name": "name", "in": "query", "schema": {"type": "string"}}]}},
        "/api/hidden": {"get": {}},
    },
}


SCHEMA = {
    "queryType": {"name": "Query"},
    "types": [
        {
            "kind": "OBJECT",
            "name": "Query",
            "fields": [{"name": "tea", "args": [], "type": {"kind": "SCALAR", "name": "String"}}],
        }
    ],
}


class _Site(BaseHTTPRequestHandler):
    """Its page at /find shows what is looked for as it came, and so does /api/hello, which the page leads to, too."""

    server: Any

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        path, asked = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        if path == self.server.described_at:
            return self._say(200, json.dumps(DOCUMENT), "application/json")
        if path == "/api/hidden":
            return self._say(200, "{}", "application/json")
        links = f'<a href=/find?q=tea>find</a> <a href="/api/hello?name=x">hi</a> {self.server.leads}'
        pages = {"/": links, "/find": asked.get("q", [""])[0], "/api/hello": asked.get("name", [""])[0]}
        pages |= {"/about": html.escape(asked.get("q", [""])[0]), "/docs": self.server.docs}
        if path not in pages:
            return self._say(404, "none", "text/plain")
        return self._say(200, f"<!doctype html><html><body>{pages[path]}</body></html>", "text/html")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        tells = self.path == self.server.graphql_at
        self._say(
            200 if tells else 404, json.dumps({"data": {"__schema": SCHEMA}} if tells else {}), "application/json"
        )

    def _say(self, status: int, text: str, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def site(described_at: str = "", leads: str = "", docs: str = "", graphql_at: str = "") -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    server.asked, server.described_at, server.leads, server.docs = [], described_at, leads, docs
    server.graphql_at = graphql_at
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def scan(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["scan", *arguments, "--types", "xss", "--json"])


def places(result: Any) -> list[str]:
    return sorted(urlsplit(one["url"]).path for one in json.loads(result.stdout)["baselines"])


BOTH = ["/", "/api/hello", "/api/hidden", "/find"]


@pytest.mark.parametrize(
    ("described_at", "leads", "docs"),
    [
        ("/openapi.json", "", ""),
        ("/meta/openapi.v1", "<a href=/meta/openapi.v1>the API</a>", ""),
        ("/meta/openapi.json", "<a href=/docs>the API</a>", '<script>SwaggerUI({url: "/meta/openapi.json"})</script>'),
        ("/docs/openapi.json", "<a href=/docs>the API</a>", "<script>Redoc.init({})</script>"),
    ],
    ids=["usual place", "a link", "named by a page that shows it", "below a page that shows it"],
)
def test_a_sites_pages_and_the_description_that_it_leads_to_are_tested_together(
    described_at: str, leads: str, docs: str
) -> None:
    with site(described_at, leads, docs) as server:
        result = scan(f"http://127.0.0.1:{server.server_port}/")
    found = json.loads(result.stdout)["vulnerabilities"]
    assert {"/find", "/api/hello"} == {urlsplit(one["url"]).path for one in found}
    tested = places(result)
    assert [each for each in tested if each in BOTH] == BOTH, "what is described is tested once"


@pytest.mark.parametrize(("described_at", "more"), [("/spec.json", BOTH), ("", ["/", "/find"])])
def test_a_graphql_endpoint_beside_a_sites_pages_hides_neither_them_nor_what_they_lead_to(
    described_at: str, more: list[str]
) -> None:
    with site(described_at, '<a href="/spec.json">API</a>', graphql_at="/graphql") as server:
        tested = places(scan(f"http://127.0.0.1:{server.server_port}/"))
    assert [each for each in tested if each in more] == more
    assert ("/graphql" in tested) is not bool(described_at), "nothing else tells of it"


def test_a_description_is_given_besides(tmp_path: Path) -> None:
    file = tmp_path / "api.json"
    file.write_text(json.dumps(DOCUMENT))
    with site() as server:
        address = f"http://127.0.0.1:{server.server_port}"
        assert places(scan(f"{address}/", str(file))) == BOTH
        assert places(scan(str(file), f"{address}/", "--target", address)) == BOTH
        assert "is no OpenAPI document" in scan(f"{address}/", str(file), "--crawl-pages", "0").stderr


def test_captured_traffic_is_no_description(tmp_path: Path) -> None:
    file = tmp_path / "seen.jsonl"
    with site() as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        file.write_text(
            json.dumps({"request": {"method": "GET", "url": f"{address}find?q=1"}, "response": {"status": 200}})
        )
        result = scan(address, str(file))
    assert result.exit_code == 2
    assert "is captured traffic; beside an address only a description is read" in result.stderr
    assert server.asked == []


def test_pages_of_one_site_are_read() -> None:
    with site() as one, site() as other:
        result = scan(f"http://127.0.0.1:{one.server_port}/", f"http://127.0.0.1:{other.server_port}/")
    assert result.exit_code == 2
    assert "two sites" in result.stderr
