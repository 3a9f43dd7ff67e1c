"""A description is fetched from the API itself, and from nobody who may not be asked."""

import json
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.node.test.sending import certificate

from gatecrash.core.errors import TargetError, UserError
from gatecrash.core.message import Exchange
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.formats.capture import Malformed
from gatecrash.formats.opening import opened
from gatecrash.node.scan.fetching import MOST_SILENT, USUAL_PLACES, NotDescribed, fetched, is_url, origin_of

DOCUMENT = json.dumps({"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}).encode()
LOOPBACK = AllowedHosts()


@pytest.fixture
def serve() -> Iterator[Callable[..., tuple[str, list[str]]]]:
    """Serves the given answers by path; the rest is 404."""
    servers: list[ThreadingHTTPServer] = []

    def start(tls: ssl.SSLContext | None = None, **by_path: Any) -> tuple[str, list[str]]:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                answer = by_path.get(self.path, b"")
                self.send_response(302 if isinstance(answer, str) else 200 if answer else 404)
                if isinstance(answer, bytes) and answer.startswith(b"<html>"):
                    self.send_header("Content-Type", "text/html; charset=utf-8")
                if isinstance(answer, str):
                    self.send_header("Location", answer)
                    answer = b""
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                asked.append(f"POST {self.path}")
                answer = by_path.get(f"POST {self.path}", b"") if b"__schema" in body else b""
                self.send_response(200 if answer else 404)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        servers.append(server)
        return f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}", asked

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_the_address_of_a_description_is_asked_once(serve: Any) -> None:
    address, asked = serve(**{"/docs/my.json": DOCUMENT})
    with fetched(f"{address}/docs/my.json", LOOPBACK) as stream:
        (draft,) = opened(stream).items
        assert draft.request.target == b"/a"  # type: ignore[union-attr]
        stream.seek(0)
        assert opened(stream).kind == "openapi", "a scan reads it twice"
    assert asked == ["/docs/my.json"]


@pytest.mark.parametrize("place", ["/openapi.json", "/v3/api-docs", "/api/swagger.json"])
def test_a_base_address_is_searched_at_the_usual_places(serve: Any, place: str) -> None:
    address, _ = serve(**{place: DOCUMENT, "/": b"<html>hello</html>"})
    assert fetched(address, LOOPBACK).read() == DOCUMENT


def test_a_document_that_describes_nothing_is_passed_by(serve: Any) -> None:
    """That of an application which only mounts another, which describes itself."""
    empty = json.dumps({"openapi": "3.1.0", "paths": {}}).encode()
    address, _ = serve(**{"/openapi.json": empty, "/api/openapi.json": DOCUMENT})
    assert fetched(address, LOOPBACK).read() == DOCUMENT


def test_below_a_path_the_search_begins_there(serve: Any) -> None:
    address, asked = serve(**{"/shop/openapi.json": DOCUMENT})
    assert fetched(f"{address}/shop/", LOOPBACK).read() == DOCUMENT
    assert asked == ["/shop/", "/shop/openapi.json"]


SCHEMA = b"""{"data": {"__schema": {"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query",
  "fields": [{"name": "version", "args": [], "type": {"kind": "SCALAR", "name": "String"}}]}]}}}"""


@pytest.mark.parametrize(
    ("place", "named"), [("/api/graphql", ""), ("/api/v2/query", "/api/v2/query"), ("/graphql", "/")]
)
def test_a_graphql_endpoint_is_asked_for_its_schema(serve: Any, place: str, named: str) -> None:
    """At its own address, which shows browsers a page, or where such endpoints usually are."""
    address, _ = serve(**{f"POST {place}": SCHEMA, place: b"<html>a console</html>"})
    with fetched(f"{address}{named}", LOOPBACK) as stream:
        (draft,) = opened(stream).items
        assert draft.request.target == place.encode()  # type: ignore[union-attr]


LEADING = b"""<html><a class=x href="/notes">Notes</a><a href='books?page=2'>2</a><a href=help.html#top>Help</a><a href="/notes">
  </a><a href="/logout">Out</a><a href="https://else.example/x">Else</a><a href="/notes/delete">No</a><a href="http://[x">Bad</a>"""


@pytest.mark.parametrize(
    ("front", "more"),
    [(b"<html>", ["GET /"]), (LEADING, ["GET /", "GET /notes", "GET /help.html"]), (b"{}", []), (b"", [])],
)
def test_what_is_called_so_is_asked_first_and_its_front_page_is_tested_beside_it(
    serve: Any, front: bytes, more: list[str]
) -> None:
    address, asked = serve(**{"POST /api/graphql": SCHEMA, "/": front})
    exchanges = [
        item for item in opened(fetched(address + "/api/graphql", LOOPBACK)).items if isinstance(item, Exchange)
    ]
    told = [f"{each.request.method} {each.request.path.decode()}" for each in exchanges]
    assert told == [*more, "POST /api/graphql"]
    assert asked == ["/api/graphql", "POST /api/graphql", "/"]
    assert [each.public for each in exchanges] == [*(True for _ in more), False]


@contextmanager
def speaking(tells: Callable[[str, str], dict[str, Any]]) -> Iterator[str]:
    """A GraphQL endpoint's address. tells: what it answers, by the method and the query."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer("GET", (parse_qs(urlsplit(self.path).query).get("query") or [""])[0])

        def do_POST(self) -> None:
            self._answer("POST", json.loads(self.rfile.read(int(self.headers["Content-Length"])))["query"])

        def _answer(self, method: str, query: str) -> None:
            answer = json.dumps(tells(method, query)).encode() if self.path.startswith("/graphql") else b""
            self.send_response(200 if answer else 404)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/graphql"
    finally:
        server.shutdown()
        server.server_close()


NO = {"errors": [{"message": "introspection is off"}]}


def test_a_schema_that_is_refused_for_how_it_is_asked_for_is_asked_for_otherwise() -> None:
    def unspaced(method: str, query: str) -> dict[str, Any]:
        return NO if method == "GET" or "{ __schema" in query or not query else json.loads(SCHEMA)

    def posted(method: str, query: str) -> dict[str, Any]:
        return NO if method == "POST" or not query else json.loads(SCHEMA)

    for tells in (unspaced, posted):
        with speaking(tells) as address:
            (draft,) = opened(fetched(address, LOOPBACK)).items
        assert b"version" in draft.request.body  # type: ignore[union-attr]


def test_of_an_endpoint_that_tells_no_schema_the_type_of_its_queries_is_asked() -> None:
    def kept(_: str, query: str) -> dict[str, Any]:
        return {"data": {"__typename": "Root"}} if query == "{ __typename }" else NO

    with speaking(kept) as address:
        warning, draft = opened(fetched(address, LOOPBACK)).items
    assert isinstance(warning, Malformed)
    assert "tells no schema" in warning.why
    assert b"{ __typename }" in draft.request.body  # type: ignore[union-attr]


def test_what_an_endpoint_suggests_is_asked_where_it_tells_no_schema() -> None:
    def suggesting(_: str, query: str) -> dict[str, Any]:
        if query == "{ __typename }":
            return {"data": {"__typename": "Query"}}
        names = query.replace("{", " ").replace("}", " ").split()[1:]
        known = 'Field "teas" of type "[Tea!]!" must have a selection of subfields.'
        none = [
            f'Cannot query field "{name}" on type "Query". Did you mean "teas"?' for name in names if name != "teas"
        ]
        return {"errors": [{"message": message} for message in (*none, *[known] * ("teas" in names))]}

    with speaking(suggesting) as address:
        warning, *_, draft = opened(fetched(address, LOOPBACK)).items
    assert isinstance(warning, Malformed)
    assert "suggests" in warning.why
    assert b"teas" in draft.request.body  # type: ignore[union-attr]


def test_what_answers_every_question_otherwise_is_no_graphql_endpoint(serve: Any) -> None:
    address, _ = serve(**{"POST /graphql": b'{"errors": [{"message": "no"}]}', "POST /query": b'{"data": {"tea": 1}}'})
    with pytest.raises(UserError, match="GraphQL"):
        fetched(address, LOOPBACK)


def test_who_closes_the_connection_over_a_post_is_no_endpoint_and_was_reached_all_the_same() -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(404)

        def do_POST(self) -> None:
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(NotDescribed, match="no GraphQL endpoint"):
            fetched(f"http://127.0.0.1:{server.server_address[1]}/", LOOPBACK)
        server.shutdown()


@pytest.mark.parametrize("silent", [1, MOST_SILENT])
def test_a_usual_place_that_gives_no_answer_is_passed_by(silent: int) -> None:
    with _silent_at(USUAL_PLACES[:silent]) as address:
        assert fetched(address, LOOPBACK).read() == DOCUMENT


def test_where_many_places_give_none_nobody_is_there() -> None:
    with _silent_at(USUAL_PLACES[: MOST_SILENT + 1]) as address, pytest.raises(TargetError, match="was not reached"):
        fetched(address, LOOPBACK)


@contextmanager
def _silent_at(places: Iterable[str]) -> Iterator[str]:
    """A server that describes itself at each usual place but these, at which it closes the connection."""
    silent = {f"/{place}" for place in places}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path in silent:
                self.close_connection = True
            elif self.path == "/":
                self.send_error(404)
            else:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(DOCUMENT)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_redirects_are_followed_on_the_same_host_only(serve: Any) -> None:
    elsewhere, asked = serve(**{"/openapi.json": DOCUMENT})
    address, _ = serve(**{"/a": "/b", "/b": DOCUMENT, "/c": f"{elsewhere}/openapi.json", "/d": "/d"})
    assert fetched(f"{address}/a", LOOPBACK).read() == DOCUMENT
    for path in ("/c", "/d"):
        with pytest.raises(UserError, match=r"usual places.* HAR .*gatecrash up"):
            fetched(address + path, LOOPBACK)
    assert asked == []


def test_who_may_not_be_tested_is_not_asked(serve: Any) -> None:
    address, asked = serve(**{"/openapi.json": DOCUMENT})
    with pytest.raises(UserError, match="--allow-host"):
        fetched(f"{address}/openapi.json", AllowedHosts("elsewhere.example"))
    with pytest.raises(UserError, match="--allow-host"):
        fetched("http://169.254.169.254/openapi.json", AllowedHosts("*"))
    assert asked == []


def test_nobody_there_is_the_targets_fault(serve: Any) -> None:
    with pytest.raises(TargetError, match="was not reached"):
        fetched("http://127.0.0.1:1/openapi.json", LOOPBACK)


def test_an_address_with_the_other_scheme_is_told_as_that(
    serve: Callable[..., tuple[str, list[str]]], tmp_path: Path
) -> None:
    plain, _ = serve(**{"/openapi.json": DOCUMENT})
    with pytest.raises(TargetError, match="does not speak TLS there; perhaps http:// was meant"):
        fetched(plain.replace("http:", "https:") + "/openapi.json", LOOPBACK)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate(tmp_path))
    encrypted, _ = serve(tls, **{"/openapi.json": DOCUMENT})
    with pytest.raises(TargetError, match="Where it speaks TLS, https:// is meant"):
        fetched(encrypted.replace("https:", "http:") + "/openapi.json", LOOPBACK)


def test_addresses_are_told_from_files() -> None:
    assert is_url("HTTP://h.example")
    assert not is_url("http.har")
    assert str(origin_of("https://h.example:8443/a/b?c")) == "https://h.example:8443"
    with pytest.raises(UserError):
        origin_of("http://")


def test_the_schemas_of_a_soap_service_are_fetched_with_its_description(serve: Any) -> None:
    """At addresses of their own, one from within another; of another host none that may not be asked."""
    further = b'<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:simpleType name="Sort"><x:restriction base="x:string">'
    further += b'<x:enumeration value="green"/></x:restriction></x:simpleType></x:schema>'
    schema = b'<?xml version="1.0"?><x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:tea"><x:import '
    schema += b'schemaLocation="pots?xsd=2"/><x:element name="Brew"><x:complexType><x:sequence><x:element name="sort" type="Sort"/>'
    schema += b"</x:sequence></x:complexType></x:element></x:schema>"
    document = b"""<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/">
        <types><x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:import namespace="urn:tea" schemaLocation="/pots?xsd=1"/>
        <x:import schemaLocation="http://tea.example/pots?xsd=3"/></x:schema></types>
        <message name="In"><part name="p" element="Brew"/></message>
        <portType name="P"><operation name="Brew"><input message="In"/></operation></portType>
        <binding name="B" type="P"><soap:binding/><operation name="Brew"/></binding>
        <service><port binding="B"><soap:address location="http://127.0.0.1/pots"/></port></service></definitions>"""
    address, asked = serve(**{"/pots?wsdl": document, "/pots?xsd=1": schema, "/pots?xsd=2": further})
    (draft,) = opened(fetched(f"{address}/pots?wsdl", LOOPBACK)).items
    assert b"<sort>green</sort>" in draft.request.body  # type: ignore[union-attr]
    assert asked == ["/pots?wsdl", "/pots?xsd=1", "/pots?xsd=2"]


def test_an_odata_service_is_asked_below_the_address_that_tells_of_it(serve: Any) -> None:
    """Be it named itself, or a usual place below what is named."""
    schema = (
        b'<Schema Namespace="T"><EntityContainer Name="C"><Singleton Name="Me" Type="T.Me"/></EntityContainer></Schema>'
    )
    document = b'<Edmx Version="4.0"><DataServices>' + schema + b"</DataServices></Edmx>"
    address, _ = serve(**{"/tea/$metadata": document})
    for named in ("tea/$metadata", "tea/", "tea"):
        (draft,) = opened(fetched(f"{address}/{named}", LOOPBACK)).items
        assert draft.request.target == b"/tea/Me"  # type: ignore[union-attr]


def test_the_files_beside_a_description_are_fetched_with_it(serve: Any) -> None:
    """From the same host only."""
    main = b"openapi: 3.0.0\npaths: {/a: {$ref: 'parts/a%20b.yaml#/x'}, /b: {$ref: 'http://tea.example/b.yaml'}}"
    address, asked = serve(**{"/docs/openapi.yaml": main, "/docs/parts/a%20b.yaml": b"x: {get: {}}"})
    draft, other = opened(fetched(f"{address}/docs/openapi.yaml", LOOPBACK)).items
    assert draft.request.target == b"/a"  # type: ignore[union-attr]
    assert "leads out of the document" in other.why  # type: ignore[union-attr]
    assert asked == ["/docs/openapi.yaml", "/docs/parts/a%20b.yaml"]


def test_an_authority_of_ones_own_is_named_as_for_the_tests(
    serve: Callable[..., tuple[str, list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pem = certificate(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(pem)
    base, _asked = serve(tls, **{"/openapi.json": DOCUMENT})
    with pytest.raises(TargetError, match=r"its certificate is not trusted; .* or use --no-verify-tls"):
        fetched(f"{base}/openapi.json", LOOPBACK)
    assert fetched(f"{base}/openapi.json", LOOPBACK, verify_tls=False).read() == DOCUMENT
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    assert fetched(f"{base}/openapi.json", LOOPBACK).read() == DOCUMENT
