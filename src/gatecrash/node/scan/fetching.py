"""A description of an API fetched from the API itself: its address, or a base address where the usual places are tried. A
GraphQL endpoint is asked for its schema, or for what every one has where it tells none; a WSDL document's schemas are fetched
with it.

Only hosts that may be tested are asked, and names are checked again as the addresses they resolve to. Redirects are
followed on the same host only.
"""

import io
import json
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import quote, unquote, urljoin, urlsplit

from gatecrash.core.errors import TargetError, UserError, plain_reason
from gatecrash.core.message import Request
from gatecrash.core.testing.dialogues.following import each_href
from gatecrash.core.testing.effects.destruction import deletes, destroys
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.formats.capture import UnreadableCapture
from gatecrash.formats.descriptions import graphql_schema, odata, wsdl
from gatecrash.formats.descriptions.bundling import bundled
from gatecrash.formats.descriptions.document import load
from gatecrash.formats.descriptions.graphql_suggested import schema_suggested
from gatecrash.formats.draft import MOST_BYTES
from gatecrash.formats.opening import kind_of
from gatecrash.node.observe.route import Origin, read_upstream
from gatecrash.node.upstream_proxy import UpstreamProxy

if TYPE_CHECKING:
    import httpx

USUAL_PLACES = (
    "openapi.json",
    "swagger.json",
    "openapi.yaml",
    "v3/api-docs",
    "api-docs",
    "v2/api-docs",
    "swagger/v1/swagger.json",
    "api/openapi.json",
    "api/swagger.json",
    "api/schema/",
    "openapi.yml",
    "swagger.yaml",
    "docs/openapi.json",
    "v1/openapi.json",
    "$metadata",
    "odata/$metadata",
)
ENDPOINTS = ("graphql", "api/graphql", "query")
"""Where a GraphQL endpoint may be that describes itself."""
SECONDS = 20.0
MOST_REDIRECTS = 5
MOST_SCHEMAS = 20
MOST_PAGES = 8
MOST_SILENT = 2
"""Usual places that may give no answer before nobody is taken to be there any more."""
_LOOK = 64 * 1024
_PAGE = re.compile(rb"\s*+(?:<!--.{0,2000}?-->\s*+)?<(?:!doctype\s++html|html|head|body)\b", re.IGNORECASE | re.DOTALL)


class NotDescribed(UserError):
    """Nothing at an address describes what may be asked there."""


class MayNotBeAsked(UserError):
    """The host at an address is none that may be tested. why: None where nothing names it, and only loopback may be tested."""

    def __init__(self, origin: Origin, why: str | None) -> None:
        """The text is for who names hosts on the command line."""
        self.origin, self.why = origin, why
        told = why or "only loopback may without --allow-host"
        super().__init__(
            f"{origin} may not be asked: {told}. --allow-host {origin.host} allows it: name only what you may test."
        )


def is_url(name: str) -> bool:
    """Whether the user named an address, not a file."""
    return name.lower().startswith(("http://", "https://"))


def origin_of(url: str) -> Origin:
    """Where the address leads. Raises UserError."""
    parts = urlsplit(url)
    return read_upstream(f"{parts.scheme.lower()}://{parts.netloc}", "the address")


class Seen(NamedTuple):
    """What is at an address. body: None for anything but a good answer."""

    body: bytes | None

    @property
    def is_page(self) -> bool:
        """Whether it is a page in HTML, also for who would rather have a description."""
        return _PAGE.match(self.body or b"") is not None


def fetched(
    url: str,
    allowed: AllowedHosts,
    *,
    verify_tls: bool = True,
    proxy: UpstreamProxy | None = None,
    seen: Seen | None = None,
) -> io.BufferedReader:
    """The description at the address, or at a usual place below it. seen: what is at the address, where it was read already.

    Raises UserError where the host may not be asked, NotDescribed where nothing of the kind is there, TargetError where
    nobody answers.
    """
    with _client(url, allowed, verify_tls=verify_tls, proxy=proxy) as client:
        found = _read(client, url) if seen is None else seen.body
        if found is not None and is_description(found):
            found = _with_schemas(client, url, odata.with_base(found, url), allowed)
            return _stream(_with_parts(client, url, found))
        told = _introspected(client, url) if _is_called_graphql(url) else None
        if told is not None:
            return _stream(told)
        for place, found in _told_at(partial(_read, client), _places(url)):
            if found is not None and is_description(found) and not _is_empty(found):
                return _stream(_with_parts(client, place, odata.with_base(found, place)))
        for _, found in _told_at(partial(_introspected, client), (url, *_places(url, ENDPOINTS))):
            if found is not None:
                return _stream(found)
        found = _unsaid(client, url)
        if found is not None:
            return _stream(found)
    raise NotDescribed(
        f"{url} is no OpenAPI document, Swagger document, WSDL document, OData document or Postman collection, and no GraphQL endpoint "
        f"that describes itself; none is at the usual places below it ({', '.join(USUAL_PLACES[:4])}, …), and no page in HTML "
        f"is there that could be read on from. Name its address, or a file. What has no description is recorded: as HAR by a browser (its network tools), or by the proxy of "
        f"`gatecrash up`."
    )


def seen_at(url: str, allowed: AllowedHosts, *, verify_tls: bool = True, proxy: UpstreamProxy | None = None) -> Seen:
    """Read what is at an address.

    Raises UserError where the host may not be asked, TargetError where nobody answers.
    """
    with _client(url, allowed, verify_tls=verify_tls, proxy=proxy) as client:
        return Seen(_read(client, url))


def _client(url: str, allowed: AllowedHosts, *, verify_tls: bool, proxy: UpstreamProxy | None) -> "httpx.Client":
    import ssl

    import httpx  # a quarter of what starting a scan costs, and most name a file

    _check(origin_of(url), allowed)
    through = httpx.Proxy(proxy.url, auth=proxy.pair) if proxy is not None else None
    # As the tests do: with the system's authorities or SSL_CERT_FILE, where httpx would bring a list of its own.
    verify = ssl.create_default_context() if verify_tls and url.lower().startswith("https") else verify_tls
    return httpx.Client(verify=verify, timeout=SECONDS, trust_env=False, proxy=through)


def _stream(found: bytes) -> io.BufferedReader:
    """Like an opened file, which can be looked into: a reader of its own around it would close it with itself."""
    return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(found)))


def _with_parts(client: "httpx.Client", url: str, found: bytes) -> bytes:
    """An OpenAPI document with the files beside it that it names."""
    if kind_of(found[:_LOOK]) not in ("openapi", "swagger"):
        return found
    own = unquote(urlsplit(url).path.rpartition("/")[2])
    return bundled(found, own, lambda place: _read(client, urljoin(url, quote(place))))


def _with_schemas(client: "httpx.Client", url: str, found: bytes, allowed: AllowedHosts) -> bytes:
    """A WSDL document with the schemas that it names, as many Java services tell them at addresses of their own."""
    if kind_of(found[:_LOOK]) != "wsdl":
        return found
    waiting = [urljoin(url, place) for place in wsdl.schema_places(found)]
    schemas: dict[str, bytes] = {}
    while waiting and len(schemas) < MOST_SCHEMAS:
        place = waiting.pop(0)
        if place in schemas or not is_url(place):
            continue
        try:
            _check(origin_of(place), allowed)
            schemas[place] = _read(client, place) or b""
        except (UserError, TargetError):
            schemas[place] = b""
        waiting += [urljoin(place, further) for further in wsdl.schema_places(schemas[place])]
    return wsdl.with_schemas(found, schemas.values())


def _introspected(client: "httpx.Client", url: str) -> bytes | None:
    """What a GraphQL endpoint at the address says of itself, with its path; None for anything else.

    Some refuse the question for what it looks like, or as a POST: an endpoint that answers with errors is asked in other ways.
    """
    told = _answered(client, "POST", url, graphql_schema.QUERY)
    if isinstance(told.get("errors"), list):
        spaced = graphql_schema.QUERY.replace("{ __schema {", "{,__schema\n,{")
        for method, query in (("POST", spaced), ("GET", graphql_schema.QUERY)):
            told = told if _tells_schema(told) else _answered(client, method, url, query)
    return _document(client, url, told["data"]) if _tells_schema(told) else None


def _unsaid(client: "httpx.Client", url: str) -> bytes | None:
    """Of a GraphQL endpoint that keeps its schema to itself what every schema has; None for anything else."""
    told = _answered(client, "POST", url, "{ __typename }").get("data")
    name = told.get("__typename") if isinstance(told, dict) else None
    if not isinstance(name, str):
        return None
    suggested = _suggested(client, url)
    return _document(
        client, url, suggested or graphql_schema.schema_of_none(name), untold=True, suggested=bool(suggested)
    )


def _suggested(client: "httpx.Client", url: str) -> dict[str, Any]:
    """What an endpoint's complaints about names that are nearly right tell of its schema; empty where they tell nothing."""
    walk = schema_suggested()
    try:
        document = next(walk)
        while True:
            errors = _answered(client, "POST", url, document).get("errors")
            document = walk.send(errors if isinstance(errors, list) else [])
    except StopIteration as end:
        schema: dict[str, Any] = end.value
        return schema


def _answered(client: "httpx.Client", method: str, url: str, query: str) -> dict[str, Any]:
    """What a query is answered with; empty where that is no object, or the connection is closed over it, as who knows
    no POST may do. Raises TargetError where nobody answers.
    """
    import httpx

    asked = {"query": query}
    try:
        answer = client.get(url, params=asked) if method == "GET" else client.post(url, json=asked)
        told = answer.json() if len(answer.content) <= MOST_BYTES else None
    except (httpx.RemoteProtocolError, ValueError):
        return {}
    except httpx.HTTPError as error:
        raise _not_reached(url, error) from error
    return told if isinstance(told, dict) else {}


def _tells_schema(told: dict[str, Any]) -> bool:
    data = told.get("data")
    return isinstance(data, dict) and bool(data.get("__schema"))


def _document(client: "httpx.Client", url: str, data: Any, *, untold: bool = False, suggested: bool = False) -> bytes:
    beside = {"endpoint": urlsplit(url).path or "/", "pages": _front_pages(client, url)}
    return json.dumps({**beside, "untold": untold, "suggested": suggested, "data": data}).encode()


def _is_called_graphql(url: str) -> bool:
    return urlsplit(url).path.rstrip("/").lower().endswith(("graphql", "/gql"))


def _front_pages(client: "httpx.Client", url: str) -> list[str]:
    """The page that people are shown there, and the first of those that it leads to: they may show what is told to the endpoint."""
    import httpx

    front = urljoin(url, "/")
    with suppress(httpx.HTTPError):
        answer = client.get(front)
        if answer.is_success and answer.headers.get("Content-Type", "").startswith("text/html"):
            links = (_joined(front, link) for link in each_href(answer.text[:_LOOK]))
            pages = (urlsplit(link).path for link in links if link.startswith(front) and "?" not in link)
            return [*dict.fromkeys(("/", *filter(_is_read, pages)))][:MOST_PAGES]
    return []


def _joined(front: str, link: str) -> str:
    """Where a link of the page leads; empty where it is no address, as `http://[` is none."""
    with suppress(ValueError):
        return urljoin(front, link)
    return ""


def _is_read(path: str) -> bool:
    """Whether a link leads to something that is read, and neither signs out nor deletes."""
    request = Request("GET", path.encode())
    return destroys(request) is None and not deletes(request)


def _places(url: str, usual: Iterable[str] = USUAL_PLACES) -> Iterator[str]:
    """The usual places: below the address where it looks like a folder, and at the host's root."""
    parts = urlsplit(url)
    root = f"{parts.scheme}://{parts.netloc}/"
    folder = root + parts.path.strip("/") + "/" if parts.path.strip("/") else root
    for base in dict.fromkeys((folder, root)):
        yield from (base + place for place in usual)


def _told_at(ask: Callable[[str], bytes | None], places: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
    """What each usual place says. One that never answers says nothing: a route of the application's own may wait there for
    something. Raises TargetError where more than a few are silent.
    """
    silent = 0
    for place in places:
        try:
            found = ask(place)
        except TargetError:
            silent += 1
            if silent > MOST_SILENT:
                raise
        else:
            yield place, found


def _check(origin: Origin, allowed: AllowedHosts) -> None:
    if not allowed.allows(origin.host, origin.port):
        raise MayNotBeAsked(origin, None)
    try:
        found = socket.getaddrinfo(origin.host, origin.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise TargetError(f"{origin} was not reached: {error.strerror or error}.") from error
    why = next(filter(None, (allowed.refusal(origin.host, origin.port, str(one[4][0])) for one in found)), None)
    if why is not None:
        raise MayNotBeAsked(origin, why)


def _read(client: "httpx.Client", url: str) -> bytes | None:
    """What is at the address; None for anything but a good answer. Raises TargetError where nobody answers."""
    import httpx

    home = origin_of(url)
    for _ in range(MOST_REDIRECTS):
        try:
            with client.stream(
                "GET", url, headers={"Accept": "application/json, application/yaml, */*;q=0.5"}
            ) as answer:
                if answer.next_request is not None:
                    url = str(answer.next_request.url)
                    if origin_of(url) != home:
                        return None
                    continue
                return _whole(answer) if answer.status_code == httpx.codes.OK else None
        except httpx.HTTPError as error:
            raise _not_reached(url, error) from error
    return None


def _not_reached(url: str, error: Exception) -> TargetError:
    import httpx

    told = f"{url} was not reached: {plain_reason(error, ', or use --no-verify-tls')}."
    # What speaks TLS alone closes the connection over a plain request.
    was_closed = isinstance(error, (httpx.ReadError, httpx.RemoteProtocolError)) and url.lower().startswith("http:")
    return TargetError(f"{told} Where it speaks TLS, https:// is meant." if was_closed else told)


def _whole(answer: "httpx.Response") -> bytes | None:
    """The body; None where it is larger than any description."""
    pieces: list[bytes] = []
    size = 0
    for piece in answer.iter_bytes():
        size += len(piece)
        if size > MOST_BYTES:
            return None
        pieces.append(piece)
    return b"".join(pieces)


def is_description(data: bytes) -> bool:
    """Whether an answer's body describes what may be asked."""
    try:
        return kind_of(data[:_LOOK]) in ("openapi", "swagger", "graphql", "wsdl", "odata", "postman")
    except UnreadableCapture:
        return False


def _is_empty(data: bytes) -> bool:
    """Whether a document describes nothing, as that of an application which only mounts others; theirs may be elsewhere."""
    if kind_of(data[:_LOOK]) not in ("openapi", "swagger"):
        return False
    try:
        return not load(io.BytesIO(data), "document").get("paths")
    except UnreadableCapture:
        return False
