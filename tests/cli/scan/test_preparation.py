"""What a scan reads, asks and plans before its tests, and whom it leaves alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.scan.scanning import Listener, Scan, moved, of_path

from gatecrash.demo.target.expectations import FLAWS
from gatecrash.demo.target.store import USERS


def test_nothing_is_sent_to_a_host_that_is_not_allowed(
    scan: Scan, entries: list[dict[str, Any]], listener: Listener, address: str
) -> None:
    one = of_path(entries, "/wallet")
    host = address.removeprefix("http://")
    foreign = moved(one, f"http://127.0.0.1:{listener.port}/wallet")
    result = scan("--allow-host", host, "--types", "auth", of=[one, foreign])
    assert listener.connections == 0
    assert f"127.0.0.1:{listener.port} (1)" in result.stderr
    assert f"--allow-host 127.0.0.1:{listener.port} adds one" in result.stderr
    assert result.exit_code == 0


def test_without_a_list_only_loopback_is_tested(scan: Scan, entries: list[dict[str, Any]]) -> None:
    result = scan("--json", of=[moved(of_path(entries, "/wallet"), "https://api.example.com/wallet")])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["test_run"]["sended_requests_count"] == 0
    assert "only loopback may be tested without --allow-host" in result.stderr
    assert "NOTHING WAS TESTED" in result.stderr


def test_a_plan_sends_nothing(scan: Scan, entries: list[dict[str, Any]], listener: Listener) -> None:
    shown = moved(of_path(entries, "/reviews"), f"http://127.0.0.1:{listener.port}/reviews?tea_id=1")
    result = scan("--plan", "--json", "--types", "sqli,auth", of=[shown, shown])
    assert listener.connections == 0
    body = json.loads(result.stdout)
    (endpoint,) = body["endpoints"]
    assert (endpoint["path"], endpoint["baselines"], body["skipped"]) == ("/reviews", 1, {"duplicate": 1})
    assert {(check["type"], *map(tuple, check["point"])) for check in endpoint["checks"]} == {
        ("auth",),
        ("sqli", ("get", "tea_id")),
    }
    assert body["requests"] == endpoint["requests"] == sum(check["requests"] for check in endpoint["checks"]) > 0
    table = scan("--plan", of=[shown])
    assert "query:tea_id" in table.stdout
    assert "Nothing was sent" in table.stderr
    assert listener.connections == 0


def test_a_capture_of_elsewhere_is_sent_to_the_target(scan: Scan, entries: list[dict[str, Any]], address: str) -> None:
    elsewhere = [
        moved(entry, entry["request"]["url"].replace(address, "https://tea.example.com"))
        for entry in (of_path(entries, "/reviews"), of_path(entries, "/wallet"))
    ]
    body = json.loads(scan("--json", "--target", address, "--types", "sqli", of=elsewhere).stdout)
    assert [one["endpoint"] for one in body["vulnerabilities"]] == ["GET /reviews"]
    assert body["test_run"]["target_url"] == address
    mixed = [*elsewhere, moved(elsewhere[0], "https://ads.example.net/a")]
    unclear = scan("--target", address, of=mixed)
    assert unclear.exit_code == 2
    assert "--from-host" in unclear.stderr
    clear = scan("--json", "--target", address, "--from-host", "tea.example.com", "--types", "auth", of=mixed)
    assert json.loads(clear.stdout)["test_run"]["baseline_count"] == 2
    assert scan("--target", "https://api.example.com").exit_code == 2


def test_a_file_without_credentials_says_so_and_is_tested_anyway(scan: Scan, entries: list[dict[str, Any]]) -> None:
    entry = of_path(entries, "/teas/by-origin")
    bare = {**entry, "request": {**entry["request"], "headers": []}}
    result = scan("--types", "auth", of=[bare])
    assert "holds no Cookie, Set-Cookie or Authorization header" in result.stderr
    assert "1 baseline request:" in result.stdout


def test_a_profile_signs_in_where_the_file_holds_no_credentials(
    scan: Scan, entries: list[dict[str, Any]], address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    login, password = USERS[0]
    monkeypatch.setenv("SHOP_PASSWORD", password)
    profile = tmp_path / "profile.yaml"
    profile.write_text(
        "login: [{path: /login, json: {login: '${user}', password: '${env:SHOP_PASSWORD}'}, take: {token: {json: $.token}}}]\n"
        f"variables: {{user: {login}}}\n"
        "values: [{point: [header, Authorization], value: 'Bearer ${token}'}]\n"
    )
    wanted = {flaw.path.partition("?")[0].partition("{")[0] for flaw in FLAWS if flaw.type == "sqli"}
    bare = [{**entry, "request": {**entry["request"], "headers": []}} for entry in entries]
    bare = [entry for entry in bare if any(path in entry["request"]["url"] for path in wanted)]
    result = scan("--json", "--types", "sqli", "--auth-profile", str(profile), of=bare)
    body = json.loads(result.stdout)
    assert {one["type"] for one in body["vulnerabilities"]} == {"sqli"}
    assert body["test_run"]["baseline_check_tech_fail_count"] == 0, body["baselines"]
    assert body["test_run"]["authenticated_share"] == 1.0
    assert password not in result.output
    assert "Bearer $TOKEN" in result.stdout
    without = json.loads(scan("--json", "--types", "sqli", of=bare).stdout)
    assert {one["endpoint"] for one in without["vulnerabilities"]} < {
        one["endpoint"] for one in body["vulnerabilities"]
    }


def test_two_users_in_the_file_are_told_apart_and_said(
    scan: Scan, entries: list[dict[str, Any]], listener: Listener
) -> None:
    one = moved(of_path(entries, "/orders"), f"http://127.0.0.1:{listener.port}/orders")
    users = [{"name": "authorization", "value": value} for value in ("Basic YWRhOnB3MQ==", "Basic Ym9iOnB3Mg==")]
    of = [{**one, "request": {**one["request"], "headers": [user]}} for user in users]
    result = scan("--plan", "--json", "--types", "idor", of=of)
    assert "2 users are told apart in the file" in result.stderr
    assert listener.connections == 0
    assert "2 users" not in scan("--plan", "--json", "--types", "idor", of=of[:1]).stderr
