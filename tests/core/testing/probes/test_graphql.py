"""The probe graphql, driven against the range's places over a real port."""

import json
import re
from urllib.parse import parse_qs, urlencode

import graphql
import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange
from tests.range.graph import ROOT, SCHEMA

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.probes.graphql import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "graphql"
    probe = PROBE


def by_get_only(request: Request) -> Response:
    """An endpoint that reads its documents in its address, and shows no console."""
    asked = parse_qs((request.query or b"").decode())
    if request.method != "GET" or "query" not in asked:
        return Response(405, (), b"")
    result = graphql.graphql_sync(SCHEMA, asked["query"][0], ROOT)
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(result.formatted).encode())


def test_an_endpoint_that_takes_documents_by_get_is_asked_by_get():
    request = Request("GET", b"/graphql?query=%7B+tea(id%3A+3)+%7B+id+name+%7D+%7D")
    (check,) = plan(record(by_get_only, request), WITHOUT_NAMES, (), (PROBE,))
    verdict = drive(check, by_get_only).verdict
    assert verdict.outcome is Outcome.VULNERABLE
    assert verdict.detail == "introspection, suggestions, aliases, duplicates, depth"


def test_directives_without_a_bound_are_told_with_what_else_has_none():
    def lenient(request: Request) -> Response:
        """A library of before directives had to be unique: it carries out each, or complains of each."""
        (asked,) = parse_qs((request.query or b"").decode()).get("query", [""])
        read = Request("GET", b"/?" + urlencode({"query": asked.replace("@include(if: true)", "")}).encode())
        return by_get_only(read)

    request = Request("GET", b"/graphql?query=%7B+tea(id%3A+3)+%7B+id+name+%7D+%7D")
    (check,) = plan(record(by_get_only, request), WITHOUT_NAMES, (), (PROBE,))
    assert drive(check, lenient).verdict.detail == "introspection, suggestions, aliases, duplicates, depth, directives"


def test_a_bound_of_depth_that_lets_questions_about_the_schema_through_is_one():
    """As the usual libraries count: what begins with two underscores is none of the data."""

    def bounded(request: Request) -> Response:
        (asked,) = parse_qs((request.query or b"").decode()).get("query", [""])
        if "__type" not in asked and re.search(r"(?:\{[^{}]*){9}", asked):
            message = {"message": "'' exceeds maximum operation depth of 8"}
            return Response(400, ((b"Content-Type", b"application/json"),), json.dumps({"errors": [message]}).encode())
        return by_get_only(request)

    request = Request("GET", b"/graphql?query=%7B+tea(id%3A+3)+%7B+id+name+%7D+%7D")
    (check,) = plan(record(bounded, request), WITHOUT_NAMES, (), (PROBE,))
    assert drive(check, bounded).verdict.detail == "introspection, suggestions, aliases, duplicates"


def test_a_console_behind_a_cookie_that_says_off_is_found_and_what_else_a_cookie_says_stays():
    seen: list[bytes] = []
    forecasts: list[int] = []

    def guarded(request: Request) -> Response:
        """A console for whoever has the cookie; the cookie of a taste holds the same letters."""
        cookies = request.first(b"Cookie") or b""
        seen.append(cookies)
        if request.method == "GET" and request.path == b"/graphiql" and b"page=console%3Aenable" in cookies:
            return Response(200, ((b"Content-Type", b"text/html"),), b"<script src='/x/graphiql.min.js'></script>")
        return Response(400, ((b"Content-Type", b"application/json"),), b'{"errors": [{"message": "refused"}]}')

    def asked(cookie: bytes) -> Request:
        headers = ((b"Content-Type", b"application/json"), (b"Cookie", cookie))
        return Request("POST", b"/graphql", headers, b'{"query": "{ tea(id: 3) { id } }"}')

    for cookie, found in (
        (b"theme=coffee-official; page=console%3Adisable", "console"),
        (b"theme=coffee-official; page=console", ""),
    ):
        (check,) = plan(record(guarded, asked(cookie)), WITHOUT_NAMES, (), (PROBE,))
        forecasts.append(check.forecast)
        verdict = drive(check, guarded).verdict
        assert (verdict.outcome is Outcome.VULNERABLE, verdict.detail if found else "") == (bool(found), found)
    assert {each.split(b";")[0] for each in seen} == {b"theme=coffee-official"}
    assert forecasts[0] == forecasts[1] + 4, "the endpoint and three names are asked once more"


@pytest.mark.parametrize(
    ("given", "found"),
    [(b"page=console:off; Path=/; HttpOnly", True), (b"page=console:shut; Path=/", False), (b"", False)],
)
def test_a_cookie_that_is_set_with_the_answers_may_say_that_a_console_is_off(given: bytes, *, found: bool):
    seen: list[bytes] = []

    def guarded(request: Request) -> Response:
        cookies = request.first(b"Cookie") or b""
        seen.append(cookies)
        if request.method == "GET" and request.path == b"/graphiql" and b"page=console:on" in cookies:
            return Response(200, ((b"Content-Type", b"text/html"),), b"<script src='/x/graphiql.min.js'></script>")
        headers = ((b"Content-Type", b"application/json"), *(((b"Set-Cookie", given),) if given else ()))
        return Response(400, headers, b'{"errors": [{"message": "refused"}]}')

    headers = ((b"Content-Type", b"application/json"), (b"Cookie", b"theme=dark"))
    request = Request("POST", b"/graphql", headers, b'{"query": "{ tea(id: 3) { id } }"}')
    (check,) = plan(record(guarded, request), WITHOUT_NAMES, (), (PROBE,))
    verdict = drive(check, guarded).verdict
    assert (verdict.outcome is Outcome.VULNERABLE) is found
    assert {each.split(b";")[0] for each in seen} == {b"theme=dark"}
    assert (b"theme=dark; page=console:on" in seen) is found
