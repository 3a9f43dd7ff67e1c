"""What a page offers to be asked, as the requests that a browser would send: its links and frames, and its forms filled in.

links_of(exchange)     the addresses at the page's own origin that it leads to, in their order, each once
forms_of(exchange)     its forms as requests; empty fields hold a value of their kind, the same one each time
told_paths(text)       what a site's robots.txt names (RFC 9309), and where its sitemaps are
told_places(text)      what a sitemap names (sitemaps.org, 0.9)

What scripts ask for is in `formats/scripts/asked`. Fields of files hold a small text, or a
picture of one point where the page speaks of pictures.
"""

import base64
import re
from collections.abc import Iterator
from urllib.parse import quote, urldefrag, urlencode, urljoin

import msgspec

from gatecrash.core.message import Exchange, Request, with_body, with_header
from gatecrash.core.points.percent import for_request_line
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.pages.forms import PageForm, Way, forms_on
from gatecrash.core.testing.oracles.pages.landing import refreshed
from gatecrash.core.testing.oracles.pages.markup import START, tokens
from gatecrash.formats.capture import address_of, header_bytes
from gatecrash.formats.descriptions.media import Part, multipart_body
from gatecrash.formats.descriptions.sample_text import FORMATS, text_for

_LEADING = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
# Where scripts that many sites use find an address (htmx), and an SVG its links (SVG 1.1, 17.1).
_ANYWHERE = ("data-href", "data-url", "hx-get", "data-hx-get", "xlink:href")
_LONGEST, _MOST_PATHS = 1_000_000, 500
_PLACE = re.compile(r"<loc>\s*+([^<\s]++)\s*+</loc>", re.IGNORECASE)
_FORM, _MULTIPART = b"application/x-www-form-urlencoded", "multipart/form-data"
_KINDS = {"email": "email", "url": "url", "date": "date", "time": "time", "password": "password", "tel": "phone"}
_NUMBERS = frozenset({"number", "range"})
_FILE, _FILE_NAME, _FILE_TYPE = "example\n", "example.txt", "text/plain"
# One transparent pixel (PNG 1.2).
_PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
).decode("utf-8", "surrogateescape")
_PICTURES = re.compile(r"image|picture|photo|avatar|(?<![a-z])pics?(?![a-z])|\.(?:png|jpe?g)", re.IGNORECASE)


def links_of(exchange: Exchange) -> list[bytes]:
    """The targets of what an answer leads to by its markup."""
    request, response = exchange.request, exchange.response
    if response is None or "html" not in media_type(response):
        return []
    base, found = request.url, []
    for token in tokens(text_of(response)[:_LONGEST]):
        attributes = {each.name: each.value for each in token.attributes} if token.kind == START else {}
        addresses = [attributes.get(name) for name in (_LEADING.get(token.name, ""), *_ANYWHERE)]
        if token.name == "base" and attributes.get("href"):
            base = joined(base, attributes["href"])
        elif token.name == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
            addresses = [refreshed(attributes.get("content", "")) or None]
        found += [target_at(request, joined(base, each)) for each in addresses if each is not None]
    return list(dict.fromkeys(filter(None, found)))


def forms_of(exchange: Exchange) -> Iterator[Request]:
    """The forms that lead to the page's own origin, in their order. Method GET and POST alone can be sent (HTML, 4.10.18.6)."""
    request, response = exchange.request, exchange.response
    if response is None or "html" not in media_type(response):
        return
    text = text_of(response)[:_LONGEST]
    shows_pictures = _PICTURES.search(text) is not None
    for form in forms_on(text):
        ways: list[PageForm | Way] = [*(() if form.stays else (form,)), *form.other_ways]
        for way in ways:
            target = target_at(request, joined(request.url, way.action or request.url))
            if target is not None and way.method in ("GET", "POST", ""):
                yield _sent(as_asked(request, target), form, way, shows_pictures)


def told_paths(text: str) -> list[str]:
    """Paths and addresses; patterns are none."""
    found: list[str] = []
    for line in text[:_LONGEST].splitlines():
        name, _, value = line.partition("#")[0].partition(":")
        value = value.strip()
        if name.strip().lower() in ("allow", "disallow", "sitemap") and value and not set(value) & set("*$"):
            found.append(value)
    return list(dict.fromkeys(found))[:_MOST_PATHS]


def told_places(text: str) -> list[str]:
    """Addresses of pages, or of further sitemaps."""
    return [found[1].replace("&amp;", "&") for found in _PLACE.finditer(text[:_LONGEST])][:_MOST_PATHS]


def target_at(request: Request, address: str) -> bytes | None:
    """The target of an address where that is at the request's own origin; None for any other, and for what is no address."""
    try:
        found = address_of(urldefrag(address).url)
    except ValueError:
        return None
    own = (request.scheme, request.host, request.port)
    return for_request_line(found.target) if (found.scheme, found.host, found.port) == own else None


def joined(base: str, address: str) -> str:
    """An address as a page at `base` means it; empty where it is no address, as `http://[` is none."""
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return ""


def as_asked(request: Request, target: bytes) -> Request:
    """As a browser comes there from a page."""
    headers = with_header(request.headers, b"Referer", request.url.encode("latin-1", "replace"))
    return msgspec.structs.replace(request, method="GET", target=target, headers=headers, body=b"")


def _sent(request: Request, form: PageForm, way: PageForm | Way, shows_pictures: bool) -> Request:
    values = _values(form, way)
    if way.method != "POST":
        query = urlencode(values, quote_via=quote).encode()
        return msgspec.structs.replace(request, target=request.path + (b"?" + query if query else b""))
    headers = with_header(request.headers, b"Origin", request.origin.encode())
    kind, body = _FORM, urlencode(values, quote_via=quote).encode()
    if form.enctype == _MULTIPART:
        parts = [Part(name, value) for name, value in values]
        files = (_file(name, form.written.get(name, {}).get("accept", ""), shows_pictures) for name in form.files)
        written = multipart_body([*parts, *files])
        kind, body = header_bytes(written.content_type), written.data
    headers = with_header(headers, b"Content-Type", kind)
    return with_body(msgspec.structs.replace(request, method="POST", headers=headers), body)


def _file(name: str, accepted: str, shows_pictures: bool) -> Part:
    """accepted: the kinds of file that the field takes (HTML, 4.10.5.1.17); empty where it does not say."""
    if _PICTURES.search(accepted or name) or (not accepted and shows_pictures):
        return Part(name, _PICTURE, "example.png", "image/png")
    return Part(name, _FILE, _FILE_NAME, _FILE_TYPE)


def _values(form: PageForm, way: PageForm | Way) -> list[tuple[str, str]]:
    """What stands in each field when somebody has filled all of them in, and pressed the first button, or the one that goes this way."""
    values = {name: value or _made_up(name, form.written.get(name, {})) for name, value in form.fields.items()}
    for name, choices in form.choices.items():
        if name not in values:
            values[name] = next(filter(None, choices), "")
    return [*values.items(), *([way.button] if way.button is not None else [])]


def _made_up(name: str, attributes: dict[str, str]) -> str:
    kind = attributes.get("type", "text").lower()
    if kind == "hidden":
        return ""
    if kind in _NUMBERS:
        return attributes.get("min") or "1"
    schema: dict[str, object] = {"format": _KINDS[kind]} if kind in _KINDS else {}
    if attributes.get("pattern"):
        schema["pattern"] = attributes["pattern"]
    for written, called in (("minlength", "minLength"), ("maxlength", "maxLength")):
        if attributes.get(written, "").isdigit():
            schema[called] = int(attributes[written])
    return text_for(schema, name) or FORMATS["binary"]
