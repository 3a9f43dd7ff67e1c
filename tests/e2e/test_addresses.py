"""Odd addresses, methods and headers: always an envelope, never a server error, whatever a client normalises away."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.e2e.caller import plain_error
from tests.e2e.tenant import Tenant

pytestmark = pytest.mark.database

ODD = (
    "/v1/test_run/%00",
    "/v1/test_run/%ff%fe",
    "/v1/test_run/%F0%9F%99%82",
    "/v1/test_run/%2e%2e",
    "/v1/test_run/..",
    "/v1/../v1/nowhere",
    "/v1//test_run",
    "/v1/test_run/tr_absent/",
    "/v1/test_run;a=b",
    "/v1/test_run/tr_absent%2Faction%2Fstop",
    "/v1/test_run/" + "x" * 5000,
    "/v1/test_run/%zz",
    "/v1/test_run/tr_' OR '1'='1".replace(" ", "%20"),
    "/v1/clients/%00/apid/config/auth-parameters",
)


def ask(tenant: Tenant, method: str, path: str, **headers: str) -> tuple[int, dict[str, Any] | None]:
    """Send this very request line; the status and the checked envelope, None for an answer without a body."""
    parts = urlsplit(tenant.api)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    try:
        connection.request(method, path, headers={"X-Service-API-Token": tenant.token, **headers})
        answer = connection.getresponse()
        content = answer.read()
    finally:
        connection.close()
    if method == "HEAD":
        return answer.status, None
    document = json.loads(content)
    assert set(document) == {"status", "body"}
    assert document["status"] == answer.status
    return answer.status, document["body"]


@pytest.mark.parametrize("path", ODD, ids=lambda path: path[:40])
def test_nothing_is_found_at_an_odd_address(refused: Tenant, path: str) -> None:
    status, body = ask(refused, "GET", path)
    assert (status, (body or {})["error"]) == (404, "not_found")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "PROPFIND", "FOO"])
def test_another_method_is_405_and_the_answer_says_which_are_taken(refused: Tenant, method: str) -> None:
    status, body = ask(refused, method, "/v1/test_run")
    assert (status, (body or {})["error"]) == (405, "method_not_allowed")
    answer = refused.admin.ask("PUT", "/v1/test_run")
    assert answer.headers["allow"] == "GET, HEAD, POST"


def test_head_is_answered_where_get_is(refused: Tenant) -> None:
    assert ask(refused, "HEAD", "/v1/test_run")[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Length": "0"},
        {"Accept": "text/html"},
        {"Host": "elsewhere.example:99"},
        {"Host": "a b"},
        {"X-Forwarded-For": "\xff"},
        {"Cookie": "=" * 4000},
        {"X-HTTP-Method-Override": "DELETE"},
    ],
    ids=str,
)
def test_odd_headers_change_nothing(refused: Tenant, headers: dict[str, str]) -> None:
    assert ask(refused, "GET", "/v1/test_run", **headers)[0] in {200, 400}


@pytest.mark.parametrize(
    "query", ["?limit", "?=", "?&&&", "?limit=5&limit=6", "?%00=%00", "?a=%ff", "?" + "a=b&" * 5000, "?unknown=1"]
)
def test_odd_queries_are_no_server_error(refused: Tenant, query: str) -> None:
    assert ask(refused, "GET", f"/v1/test_run{query}")[0] in {200, 400}


def test_an_address_outside_the_api_is_a_plain_404(refused: Tenant) -> None:
    answer = refused.admin.http.get("/nowhere")
    assert answer.status_code == 404
    assert answer.text.startswith("<!doctype html>")
    assert "Traceback" not in answer.text


def test_an_error_names_no_internals(refused: Tenant) -> None:
    """No traceback, path, query or name of a library leaves with an answer."""
    for path in ODD:
        text = json.dumps(ask(refused, "GET", path)[1]).lower()
        assert not any(word in text for word in ("traceback", "django", "sqlite", "psycopg", ".py", "select "))


def test_a_refusal_of_the_method_comes_before_that_of_the_role(refused: Tenant) -> None:
    plain_error(refused.callers["node"].ask("PUT", "/v1/test_run"), 405, "method_not_allowed")
