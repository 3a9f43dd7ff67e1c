"""An account that loses its role, its session and its password half way: nothing is called clean that was not tested."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.e2e.role_losing_api import DESTRUCTIVE, KEY, Api, role_losing_api

from gatecrash.cli.main import main


def scan(*arguments: str) -> tuple[int, dict[str, Any], str]:
    result = CliRunner().invoke(main, ["scan", *arguments, "--json"])
    return result.exit_code, json.loads(result.stdout), result.stderr


def operation(method: str, path: str) -> tuple[str, str]:
    number = path.removeprefix("/items/")
    return method, "/items/{item_id}" if number != path else path


@pytest.fixture(scope="module")
def scanned() -> Any:
    with role_losing_api() as (address, api):
        code, document, told = scan(address)
        yield api, code, document, told


def by_operation(document: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {
        operation(one["method"], "/" + one["url"].split("/", 3)[3].partition("?")[0]): one
        for one in document["baselines"]
    }


def test_what_can_destroy_is_sent_after_everything_else(scanned: tuple[Api, int, Any, str]) -> None:
    asked = [operation(method, path) for method, path, _ in scanned[0].asked]
    first_of_them = min(at for at, one in enumerate(asked) if one in DESTRUCTIVE)
    harmless = {
        ("GET", "/items"),
        ("GET", "/me"),
        ("GET", "/admin/search"),
        ("POST", "/items"),
        ("PUT", "/items/{item_id}"),
    }
    for one in harmless:
        assert asked.index(one) < first_of_them, one
    after = [
        (method, path)
        for method, path, _ in scanned[0].asked[first_of_them:]
        if operation(method, path) not in DESTRUCTIVE
    ]
    assert {method for method, _ in after if operation(method, _) in harmless} <= {"GET"}, (
        "what changes something is over"
    )
    asked_again = {path for method, path in after if method == "GET"}
    assert asked_again <= {"/items", "/me", "/admin/search", "/items/7001"}, (
        "controls repeat baselines, and carry nothing"
    )


def test_the_flaw_that_only_the_role_may_see_is_found(scanned: tuple[Api, int, Any, str]) -> None:
    found = {(one["type"], one["endpoint"]) for one in scanned[2]["vulnerabilities"]}
    assert ("sqli", "GET /admin/search") in found


def test_what_was_tested_without_the_role_or_the_session_is_not_called_clean(
    scanned: tuple[Api, int, Any, str],
) -> None:
    _, code, document, told = scanned
    assert code == 1
    tested = by_operation(document)
    for one in DESTRUCTIVE - {("DELETE", "/items/{item_id}")}:  # which needs no role, and comes before the session ends
        assert tested[one]["status"] in ("error", "failed"), one
    assert tested["POST", "/me/password"]["reason"] == "auth_failed"
    assert "NOT TESTED" in told
    assert document["test_run"]["baseline_check_passed_count"] == 6


def test_identifiers_come_from_the_targets_own_answers(scanned: tuple[Api, int, Any, str]) -> None:
    """The description shows none, and nobody guesses 7001; what is changed and deleted is what was created here."""
    api, _, document, _ = scanned
    tested = by_operation(document)
    assert tested["GET", "/items/{item_id}"]["url"].endswith("/items/7001")
    for method in ("PUT", "DELETE"):
        number = int(tested[method, "/items/{item_id}"]["url"].rpartition("/")[2])
        assert number >= 7002, "the item that was there before belongs to somebody"
    assert 7001 in api.items


def test_the_plan_shows_the_order_and_sends_nothing() -> None:
    with role_losing_api() as (address, api):
        code, plan, _ = scan(f"{address}/openapi.json", "--plan")
        assert code == 0
        assert [path for _, path, _ in api.asked] == ["/openapi.json"]
    orders = [one["order"] for one in plan["endpoints"]]
    assert orders == sorted(orders, key=("first", "then", "last").index)
    marked = {(one["method"], one["path"]) for one in plan["endpoints"] if one["last"]}
    assert marked == DESTRUCTIVE
    assert plan["asked_first"] == 10


def test_a_capture_of_the_same_calls_is_treated_with_the_same_care(tmp_path: Path) -> None:
    """Recorded while the account still had its role: answers of 200 must not vouch for tests that were refused."""
    with role_losing_api() as (address, api):
        lines = [
            {"method": "PUT", "url": f"{address}/me/role", "body": '{"role": "guest"}', "status": 200, "response_body": '{"done": true}'},
            {"method": "POST", "url": f"{address}/me/password", "body": '{"password": "Another-1"}', "status": 200, "response_body": '{"done": true}'},
            {"method": "GET", "url": f"{address}/me", "status": 200, "response_body": '{"name": "ann", "role": "admin"}'},
        ]  # fmt: skip
        headers = {"X-API-KEY": KEY, "Content-Type": "application/json"}
        capture = tmp_path / "calls.jsonl"
        capture.write_text("".join(json.dumps({**line, "headers": headers}) + "\n" for line in lines))
        code, document, _ = scan(str(capture))
        asked = [(method, path) for method, path, _ in api.asked]
    assert asked.index(("PUT", "/me/role")) > asked.index(("GET", "/me"))
    statuses = {one["url"].rpartition("/")[2]: one["status"] for one in document["baselines"]}
    assert statuses["me"] == "passed"
    assert statuses["password"] == "error"
    assert code == 1
