"""The thorough policy reaches every place that a value can stand in: headers, cookies, names, segments, nested encodings.

Each application joins what it finds at one place into a statement on SQLite, and hides all else of the request.
"""

import base64
import gzip
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from urllib.parse import parse_qsl, unquote

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.sqli import PROBE
from gatecrash.core.testing.verdict import Outcome
from tests.core.testing.driving import runs

FORM, JSON = ((b"Content-Type", b"application/x-www-form-urlencoded"),), ((b"Content-Type", b"application/json"),)
Found = Callable[[Request], str]


def header(name: bytes) -> Found:
    return lambda request: (request.first(name) or b"").decode("latin-1")


def cookie(request: Request) -> str:
    found = re.search(rb"desk=([^;]*)", request.first(b"Cookie") or b"")
    return unquote(found[1].decode("latin-1")) if found else ""


def query(request: Request) -> dict[str, str]:
    return dict(parse_qsl((request.query or b"").decode("latin-1"), keep_blank_values=True))


def form(request: Request) -> dict[str, str]:
    return dict(parse_qsl(request.body.decode("latin-1"), keep_blank_values=True))


def decoded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))


PACKED = base64.b64encode(json.dumps({"desk": "lamp", "at": [3, {"shelf": "lamp"}]}).encode()).decode()
ZIPPED = base64.b64encode(gzip.compress(b"lamp", mtime=0)).decode()
QUOTED = "%7B%22desk%22%3A%22lamp%22%7D"
PARTS = b'--x\r\nContent-Disposition: form-data; name="desk"\r\n\r\nlamp\r\n--x--\r\n'
MULTIPART = ((b"Content-Type", b"multipart/form-data; boundary=x"),)


def part(request: Request) -> str:
    return request.body.partition(b"\r\n\r\n")[2].rpartition(b"\r\n--x--")[0].decode("latin-1")


PLACES: dict[str, tuple[Request, Found]] = {
    "a header": (Request("GET", b"/a", ((b"X-Desk", b"lamp"),)), header(b"X-Desk")),
    "the referer": (Request("GET", b"/a", ((b"Referer", b"lamp"),)), header(b"Referer")),
    "the user agent": (Request("GET", b"/a", ((b"User-Agent", b"lamp"),)), header(b"User-Agent")),
    "a cookie": (Request("GET", b"/a", ((b"Cookie", b"theme=dark; desk=lamp"),)), cookie),
    "a parameter's name": (Request("GET", b"/a?lamp=1"), lambda request: next(iter(query(request)), "")),
    "a field's name": (Request("POST", b"/a", FORM, b"lamp=1"), lambda request: next(iter(form(request)), "")),
    "a member's name": (Request("POST", b"/a", JSON, b'{"lamp": 1}'), lambda request: next(iter(json.loads(request.body)))),
    "a segment": (Request("GET", b"/desks/lamp"), lambda request: unquote(request.path.decode().rpartition("/")[2])),
    "a number within the path": (
        Request("GET", b"/desks/5/lamps?x=1"),
        lambda request: unquote(request.path.decode().split("/")[2]).replace("5", "lamp", 1),
    ),
    "JSON in base64 in a query": (
        Request("GET", b"/a?q=" + PACKED.encode()),
        lambda request: json.loads(decoded(query(request)["q"]))["desk"],
    ),
    "deep within it": (
        Request("GET", b"/a?q=" + PACKED.encode()),
        lambda request: json.loads(decoded(query(request)["q"]))["at"][1]["shelf"],
    ),
    "gzip in base64 in a form": (
        Request("POST", b"/a", FORM, b"q=" + ZIPPED.replace("+", "%2B").replace("=", "%3D").encode()),
        lambda request: gzip.decompress(decoded(form(request)["q"])).decode(),
    ),
    "JSON in a form": (
        Request("POST", b"/a", FORM, b"q=" + QUOTED.encode()),
        lambda request: json.loads(form(request)["q"])["desk"],
    ),
    "JSON in base64 in a cookie": (
        Request("GET", b"/a", ((b"Cookie", b"desk=" + PACKED.encode()),)),
        lambda request: json.loads(decoded(cookie(request)))["desk"],
    ),
    "a part of a form": (Request("POST", b"/a", MULTIPART, PARTS), part),
    "XML": (
        Request("POST", b"/a", ((b"Content-Type", b"application/xml"),), b"<a><desk>lamp</desk></a>"),
        lambda request: re.search("<desk>(.*)</desk>", request.body.decode(), re.DOTALL)[1].replace("&apos;", "'").replace("&#39;", "'"),
    ),
}  # fmt: skip
ONLY_THOROUGH = {"a header", "the referer", "the user agent", "a cookie", "JSON in base64 in a cookie"}


def joining(found: Found):
    def application(request: Request) -> Response:
        try:
            with closing(sqlite3.connect(":memory:")) as database:
                rows = database.execute(f"SELECT 1 WHERE 'lamp' = '{found(request)}'").fetchall()
        except (sqlite3.Error, ValueError, LookupError, TypeError, OSError, StopIteration, EOFError) as error:
            return Response(500, (), f"{type(error).__name__}: {error}".encode("utf-8", "replace"))
        return Response(200, JSON, b'{"found": true, "desk": "by the window"}' if rows else b'{"found": false}')

    return application


def places_found(name: str, policy) -> list[tuple[str, ...]]:
    request, found = PLACES[name]
    made = runs(joining(found), request, (PROBE,), policy)
    return [tuple(run.check.point) for run in made if run.verdict.outcome is Outcome.VULNERABLE]


@pytest.mark.parametrize("name", list(PLACES))
def test_a_flaw_is_found_wherever_its_value_stands(name):
    assert places_found(name, THOROUGH), name


@pytest.mark.parametrize("name", sorted(ONLY_THOROUGH))
def test_the_default_policy_leaves_headers_alone(name):
    assert places_found(name, DEFAULT) == []
