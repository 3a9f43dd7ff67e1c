"""A step of a login as the request that is sent: variables filled in, each written as its place wants it."""

import base64
from collections.abc import Callable, Iterable, Mapping
from typing import Final
from urllib.parse import quote_plus, urlsplit

import orjson

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.message import DEFAULT_PORTS, Headers, Request, with_header
from gatecrash.core.testing.profiles.profile import CheckAddress, Step
from gatecrash.core.testing.profiles.template import fill

_CONTENT_TYPES: Final = {"json": b"application/json", "form": b"application/x-www-form-urlencoded"}
_DROPPED: Final = str.maketrans("", "", "\r\n\x00")

Cookies = Callable[[str], Iterable[tuple[str, bytes]]]


def request_of(step: Step, variables: Mapping[str, str], origin: str, cookies: Cookies) -> Request:
    """The step's request. origin: what a path is resolved against. cookies: those that a host is sent.

    Raises InvalidProfile where a variable has no value, or the address is none.
    """
    kind, body = _body(step, variables)
    request = _addressed(step.method, fill(step.url, variables, _in_address), origin)
    headers = request.headers
    if kind:
        headers = with_header(headers, b"Content-Type", _CONTENT_TYPES[kind])
    if step.basic is not None:
        user, password = (fill(part, variables) for part in step.basic)
        headers = with_header(headers, b"Authorization", b"Basic " + base64.b64encode(f"{user}:{password}".encode()))
    for name, value in step.headers:
        filled = fill(value, variables).translate(_DROPPED)
        headers = with_header(headers, name.encode("latin-1", "replace"), filled.encode("utf-8"))
    headers = _with_cookies(headers, cookies(request.host))
    if body or step.method in ("POST", "PUT", "PATCH"):
        headers = with_header(headers, b"Content-Length", b"%d" % len(body))
    return Request(
        step.method, request.target, headers, body, request.scheme, request.host, request.port, request.version
    )


def check_request(check: CheckAddress, origin: str) -> Request:
    """The question whether a session lives, without any credentials yet."""
    return _addressed(check.method, check.url, origin)


def _addressed(method: str, url: str, origin: str) -> Request:
    try:
        parts = urlsplit(url if not url.startswith("/") else origin + url)
        host, port = parts.hostname, parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        host, port = None, None
    if not host or "%" in host or not port or parts.scheme not in ("http", "https"):
        raise InvalidProfile("a step's address is no http address once its variables are filled in")
    path, query = parts.path or "/", f"?{parts.query}" if parts.query else ""
    authority = parts.netloc.rpartition("@")[2].encode("idna" if not parts.netloc.isascii() else "ascii")
    target = (path + query).encode("utf-8")
    return Request(method, target, ((b"Host", authority),), b"", parts.scheme, host, port)


def _body(step: Step, variables: Mapping[str, str]) -> tuple[str, bytes]:
    if step.json is not None:
        return "json", orjson.dumps(_filled(orjson.loads(step.json), variables))
    if step.form is not None:
        pairs = ((quote_plus(name), quote_plus(fill(value, variables))) for name, value in step.form)
        return "form", "&".join(f"{name}={value}" for name, value in pairs).encode()
    return "", fill(step.body or "", variables).encode("utf-8")


def _filled(document: object, variables: Mapping[str, str]) -> object:
    """A JSON document with its strings filled in; names stay as they are."""
    if isinstance(document, str):
        return fill(document, variables)
    if isinstance(document, list):
        return [_filled(item, variables) for item in document]
    if isinstance(document, dict):
        return {name: _filled(value, variables) for name, value in document.items()}
    return document


def _with_cookies(headers: Headers, cookies: Iterable[tuple[str, bytes]]) -> Headers:
    """The jar's cookies behind those that the step names itself."""
    crumbs = [name.encode("latin-1") + b"=" + value for name, value in cookies]
    own = next((value for name, value in headers if name.lower() == b"cookie"), b"")
    return with_header(headers, b"Cookie", b"; ".join([own, *crumbs] if own else crumbs)) if crumbs else headers


def _in_address(value: str) -> str:
    return quote_plus(value, safe="-._~").replace("+", "%20")
