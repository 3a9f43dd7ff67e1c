"""What the scripts of a page ask the page's own server for, as requests; and where further scripts of it are.

code_of(text)                   what a page's scripts are, and what its elements do when they are clicked
sources_of(exchange)            targets of the scripts that a page loads from its own origin
loaded_in(page, script, code)   targets of the scripts that one of them loads; of what stands in the page itself, script is the page
requests_in(page, code)         the calls, and the openings of WebSockets, as requests; page: the request of the page that runs them
guesses_in(page, code)          targets of texts in them that are paths of the site
"""

import re
from collections.abc import Iterator
from urllib.parse import urljoin

import msgspec

from gatecrash.core.message import Exchange, Request, with_body, with_header, without_header
from gatecrash.core.testing.operations.sockets import as_opening
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.pages.markup import RAW, START, tokens
from gatecrash.formats.capture import header_bytes
from gatecrash.formats.offered_requests import as_asked, joined, target_at
from gatecrash.formats.scripts.calls import Called, called_in, paths_in
from gatecrash.formats.scripts.loading import chunks_of, imported_by, workers_of
from gatecrash.formats.scripts.page_values import with_values
from gatecrash.formats.scripts.sockets import opened_in

_LONGEST = 1_000_000
# HTML, 7.2.4: what a script knows its own site by.
_ORIGIN = re.compile(r"(?<![\w$.])(?:(?:window|document|self|globalThis)\.)?location\.origin(?![\w$])")


def code_of(text: str) -> str:
    """The scripts of a page, one behind the other, as they would read its fields."""
    found = []
    for token in tokens(text[:_LONGEST]):
        if token.kind == RAW and token.name == "script":
            found.append(text[token.begin : token.end])
        elif token.kind == START:
            found += [each.value for each in token.attributes if each.name.lower().startswith("on") and each.value]
    # A script that ends within a text does not take the next one with it.
    return with_values("\n;\n".join(found), text)


def sources_of(exchange: Exchange) -> list[bytes]:
    """Scripts of other origins are not the site's own. What a page only loads ahead (HTML, 4.6.7.13) runs, too, when it is used."""
    request, response, found = exchange.request, exchange.response, []
    if response is None or "html" not in media_type(response):
        return []
    for token in tokens(text_of(response)[:_LONGEST]):
        source = (
            _source({each.name: each.value for each in token.attributes}, token.name) if token.kind == START else None
        )
        target = target_at(request, joined(request.url, source)) if source else None
        found += [target] if target is not None else []
    return list(dict.fromkeys(found))


def loaded_in(page: Request, script: bytes, code: str) -> list[bytes]:
    """Scripts of the page's own origin alone."""
    place = joined(page.url, script.decode("latin-1"))
    further = [*imported_by(code), *chunks_of(code, script.decode("latin-1").partition("?")[0])]
    found = [*(joined(place, each) for each in further), *(joined(page.url, each) for each in workers_of(code))]
    return list(dict.fromkeys(filter(None, (target_at(page, each) for each in found))))


def requests_in(page: Request, code: str) -> Iterator[Request]:
    """The calls that lead to the page's own origin, in their order."""
    code = _ORIGIN.sub(f'"{page.origin}"', code)
    for called in called_in(code):
        target = target_at(page, joined(page.url, called.address))
        if target is not None:
            yield _sent(as_asked(page, target), called)
    for address in opened_in(code):
        target = target_at(page, joined(page.url, address))
        if target is not None:
            yield _opening(as_asked(page, target))


def guesses_in(page: Request, code: str) -> list[bytes]:
    """An application's data name what it shows; so do the routes of one that lives in the browser."""
    return list(dict.fromkeys(filter(None, (target_at(page, urljoin(page.url, each)) for each in paths_in(code)))))


def _source(attributes: dict[str, str], element: str) -> str | None:
    if element == "script":
        return attributes.get("src")
    kind = attributes.get("rel", "").lower()
    if element == "link" and (
        kind == "modulepreload" or (kind == "preload" and attributes.get("as", "").lower() == "script")
    ):
        return attributes.get("href")
    return None


def _opening(request: Request) -> Request:
    """As a browser opens a socket: with the page's origin, and no word of which page it is."""
    headers = without_header(without_header(request.headers, b"Referer"), b"Accept")
    return as_opening(
        msgspec.structs.replace(request, headers=with_header(headers, b"Origin", request.origin.encode()))
    )


def _sent(request: Request, called: Called) -> Request:
    headers = with_header(request.headers, b"Accept", b"*/*")
    for name, value in called.headers:
        headers = with_header(headers, header_bytes(name), header_bytes(value))
    if called.method == "GET":
        return msgspec.structs.replace(request, headers=headers)
    headers = with_header(headers, b"Origin", request.origin.encode())
    if called.kind:
        headers = with_header(headers, b"Content-Type", header_bytes(called.kind))
    return with_body(msgspec.structs.replace(request, method=called.method, headers=headers), called.body.encode())
