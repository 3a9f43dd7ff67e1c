"""A place of the range: one handler on a real engine, broken in one way or sound in a way that looks broken.

    @flaw("ssti")
    def concatenated(given): ...          # reached at /<module>/concatenated, its value in `q`

Every place is asked in several ways, each of which is a baseline: as a query, a form and JSON.
"""

import json
import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import parse_qsl, quote, unquote, urlencode

from gatecrash.core.message import Headers, Request, Response

QUERY, FORM, JSON, PATH, HEADER, TEXT = "query", "form", "json", "path", "header", "text"
WAYS = (QUERY, FORM, JSON)
SPELT, NAMED = "spelt", "named"
READS = (QUERY,)


@dataclass
class Given:
    """What a handler is asked: the request and its parameters of every kind."""

    request: Request
    values: dict[str, object] = field(default_factory=dict)

    @property
    def q(self) -> str:
        value = self.values.get("q", "")
        return value if isinstance(value, str) else json.dumps(value)


Handler = Callable[[Given], Response]


@dataclass(frozen=True)
class Place:
    """type: what is there, or what it looks like. flaw: whether it is there. also: what may rightly be found besides.

    missed: known not to be found. slow: needs real waits. replayed: no engine runs behind it, it answers as one was seen to.
    loose: it is asked for other spellings of its path (SPELT), or where a header names it (NAMED), too.
    apart: it has a host of its own, as what makes a node wait for a whole host has, and what the pages of other places
    would tell of.
    beside: what the record holds besides: pages of the place that were read before.
    """

    type: str
    flaw: bool
    path: str
    handler: Handler
    requests: tuple[Request, ...]
    also: tuple[str, ...] = ()
    slow: bool = False
    missed: bool = False
    replayed: bool = False
    loose: str = ""
    apart: bool = False
    beside: tuple[Request, ...] = ()

    def __str__(self) -> str:
        return f"{'flaw' if self.flaw else 'twin'} {self.type} {self.path}"


PLACES: list[Place] = []


def flaw(type_: str, value: str = "tea", ways: tuple[str, ...] = WAYS, **more: object) -> Callable[[Handler], Handler]:
    """Register a handler as a flaw of this type."""
    return _register(type_, value, ways, broken=True, **more)


def twin(type_: str, value: str = "tea", ways: tuple[str, ...] = WAYS, **more: object) -> Callable[[Handler], Handler]:
    """Register a handler as a twin of this type: it looks like it and is none."""
    return _register(type_, value, ways, broken=False, **more)


def miss(type_: str, value: str = "tea", ways: tuple[str, ...] = WAYS, **more: object) -> Callable[[Handler], Handler]:
    """Register a handler as a flaw that is known not to be found."""
    return _register(type_, value, ways, broken=True, missed=True, **more)


def _register(type_: str, value: str, ways: tuple[str, ...], *, broken: bool, **more) -> Callable[[Handler], Handler]:
    also, slow, replayed = more.pop("also", ()), more.pop("slow", False), more.pop("replayed", False)
    loose, apart = more.pop("loose", ""), more.pop("apart", False)

    def register(handler: Handler) -> Handler:
        name = more.get("name", "q")
        path = f"/{handler.__module__.rpartition('.')[2]}/{handler.__name__}".replace("_", "-")
        raw = more.get("request")
        requests = (raw(path),) if raw else tuple(_asked(way, path, name, value) for way in ways)
        missed = bool(more.get("missed"))
        beside = tuple(each(path) for each in more.get("beside", ()))
        kinds = {"slow": slow, "missed": missed, "replayed": replayed, "loose": loose, "apart": apart}
        PLACES.append(Place(type_, broken, path, handler, requests, also, beside=beside, **kinds))
        return handler

    return register


def _asked(way: str, path: str, name: str, value: str) -> Request:
    target = path.encode()
    if way == QUERY:
        return Request("GET", target + b"?" + urlencode({name: value}).encode())
    if way == PATH:
        return Request("GET", target + b"/" + quote(value, safe="").encode())
    if way == HEADER:
        return Request("GET", target, ((b"X-Value", value.encode()),))
    if way == TEXT:
        return posted(path, value.encode(), b"text/plain;charset=UTF-8")
    if way == FORM:
        kind, body = b"application/x-www-form-urlencoded", urlencode({name: value}).encode()
    else:
        kind, body = b"application/json", json.dumps({name: value}).encode()
    return posted(path, body, kind)


def posted(path: str, body: bytes, kind: bytes, headers: Headers = ()) -> Request:
    """A POST with a body of this type."""
    return Request("POST", path.encode(), ((b"Content-Type", kind), *headers), body)


def respond(request: Request) -> Response:
    """What the range answers to a request; an exception of a handler is a 500 without a word."""
    path = unquote(request.path.decode("latin-1"))
    found = _loosely(request, path) or _place_at(path)
    if found is None:
        return text("no such place", 404)
    given = Given(request, _values(request))
    if path != found.path:
        given.values["q"] = path.removeprefix(found.path + "/")
    if (header := request.first(b"X-Value")) is not None:
        given.values["q"] = header.decode("latin-1")
    try:
        return found.handler(given)
    except Exception:  # noqa: BLE001 -- as frameworks do: whatever a handler raises is a 500
        return text("internal error", 500)


@cache
def _index(count: int) -> tuple[dict[str, int], tuple[Place, ...]]:
    """Of so many places, which has a path first, and those that want to be found loosely: each request looks here."""
    first: dict[str, int] = {}
    for number, place in enumerate(PLACES[:count]):
        first.setdefault(place.path, number)
    return first, tuple(place for place in PLACES[:count] if place.loose)


def _place_at(path: str) -> Place | None:
    """The first place that has this path, or one above it."""
    first, _ = _index(len(PLACES))
    above = (path[:end] for end, letter in enumerate(path) if letter == "/" and end > 1)
    number = min((first[name] for name in (path, *above) if name in first), default=None)
    return None if number is None else PLACES[number]


def _loosely(request: Request, path: str) -> Place | None:
    """The place that another spelling of a path, or a header, leads to; only those that want to be found so."""
    named = (request.first(b"X-Original-URL") or b"").decode("latin-1").partition("?")[0]
    parameterless = re.sub(r";[^/]*", "", path).strip().lower()
    plain = posixpath.normpath("/" + parameterless.lstrip("/")).removesuffix(".json")
    asked = {SPELT: plain, NAMED: named or path}
    _, loose = _index(len(PLACES))
    return next((p for p in loose if (asked[p.loose] + "/").startswith(p.path + "/")), None)


def _values(request: Request) -> dict[str, object]:
    given: dict[str, object] = dict(
        parse_qsl((request.query or b"").decode("utf-8", "replace"), keep_blank_values=True)
    )
    kind = request.first(b"Content-Type") or b""
    body = request.body.decode("utf-8", "replace")
    if b"text/plain" in kind:
        return given | {"q": body}
    if b"json" in kind:
        try:
            document = json.loads(body)
        except ValueError:
            return given
        return given | (document if isinstance(document, dict) else {})
    return given | dict(parse_qsl(body, keep_blank_values=True)) if b"form-urlencoded" in kind else given


def text(content: str, status: int = 200, *headers: tuple[bytes, bytes]) -> Response:
    return Response(
        status, ((b"Content-Type", b"text/plain; charset=utf-8"), *headers), content.encode("utf-8", "replace")
    )


def page(content: str, status: int = 200, *headers: tuple[bytes, bytes]) -> Response:
    body = f"<!doctype html><html><body>{content}</body></html>".encode("utf-8", "replace")
    return Response(status, ((b"Content-Type", b"text/html; charset=utf-8"), *headers), body)


def answer(document: object, status: int = 200, *headers: tuple[bytes, bytes]) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"), *headers), json.dumps(document).encode())
