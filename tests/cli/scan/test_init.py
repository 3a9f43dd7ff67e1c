"""`gatecrash scan` on real traffic with the tea shop: what is planted is found, no twin is reported, nobody else is asked."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.cli.capturing import Browser, har, shop

from gatecrash.cli.main import main
from gatecrash.core.reports.formats import FORMATS
from gatecrash.demo.comparison import shape
from gatecrash.demo.target.expectations import FLAWS
from gatecrash.demo.target.store import USERS
from gatecrash.demo.traffic import Step

RUN_FIELDS = {
    "id", "name", "vulns", "clientid", "state", "simple_state", "allowed_actions",
    "baseline_check_all_terminated_count", "baseline_check_fail_count", "baseline_check_tech_fail_count",
    "baseline_check_passed_count", "baseline_check_running_count", "baseline_check_interrupted_count",
    "baseline_check_waiting_count", "sended_requests_count", "planing_requests_count", "start_time", "end_time",
    "domains", "baseline_count", "test_record_id", "current_rps", "avg_rps", "estimated_time_to_completion",
}  # fmt: skip
FINDING_FIELDS = {
    "id", "code", "type", "threat", "cwe", "owasp_api", "owasp", "method", "url", "endpoint", "point", "title",
    "verified_by", "curl", "test_request", "test_response", "baseline_request", "remediation",
}  # fmt: skip


class Listener:
    """A server that counts who connects, and never answers."""

    def __init__(self) -> None:
        self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shop() as started:
        yield started


@pytest.fixture(scope="module")
def entries(address: str) -> list[dict[str, Any]]:
    """Every operation of the shop once."""
    with Browser(address) as browser:
        browser.tour()
        return browser.entries


Scan = Callable[..., Result]


def scanned(file: Path, *options: str) -> Result:
    """`gatecrash scan` of a file, in this process."""
    result = CliRunner(env={"NO_COLOR": "1"}).invoke(main, ["scan", str(file), *options])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


@pytest.fixture
def scan(entries: list[dict[str, Any]], tmp_path: Path) -> Scan:
    """Scan the tour, or other entries."""

    def call(*options: str, of: list[dict[str, Any]] | None = None) -> Result:
        return scanned(har(entries if of is None else of, tmp_path / "session.har"), *options)

    return call


@pytest.fixture(scope="module")
def whole(entries: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The tour scanned with everything as it is by default, told in JSON."""
    return scanned(har(entries, tmp_path_factory.mktemp("whole") / "session.har"), "--json")


def moved(entry: dict[str, Any], url: str) -> dict[str, Any]:
    """The entry, asked elsewhere."""
    return {**entry, "request": {**entry["request"], "url": url}}


def of_path(entries: list[dict[str, Any]], path: str) -> dict[str, Any]:
    return next(entry for entry in entries if path in entry["request"]["url"])


def test_every_planted_flaw_is_found_and_no_twin_is_reported(whole: Result) -> None:
    body = json.loads(whole.stdout)
    found = {
        (one["type"], one["method"], shape(one["endpoint"].partition(" ")[2]), *map(tuple, one["point"]))
        for one in body["vulnerabilities"]
    }
    planted = {
        (flaw.type, flaw.method, shape(flaw.path), *([tuple(flaw.point)] if flaw.point else [])) for flaw in FLAWS
    }
    assert found == planted
    assert whole.exit_code == 1
    assert "VULNERABLE: " in whole.stderr
    assert set(body["test_run"]) >= RUN_FIELDS
    assert {frozenset(one) for one in body["vulnerabilities"]} == {frozenset(FINDING_FIELDS)}


def test_the_document_adds_up_and_holds_no_credential(whole: Result, entries: list[dict[str, Any]]) -> None:
    text = whole.stdout
    body = json.loads(text)
    run, baselines = body["test_run"], body["baselines"]
    assert run["state"] == "failed"
    assert run["sended_requests_count"] == sum(one["sent"] for one in baselines) > 0
    assert run["planing_requests_count"] == 0
    assert run["baseline_count"] == len(baselines) == len(entries)
    failed = {one["id"] for one in baselines if one["status"] == "failed"}
    assert len(failed) == run["baseline_check_fail_count"]
    listed = [name for one in baselines for name in one["vulnerabilities"]]
    assert (
        sorted(listed) == sorted(one["id"] for one in body["vulnerabilities"]) == sorted(v["id"] for v in run["vulns"])
    )
    header = of_path(entries, "/orders")["request"]["headers"]
    token = next(pair["value"] for pair in header if pair["name"] == "authorization").partition(" ")[2]
    assert token not in text
    assert "$TOKEN" in text


def test_the_same_capture_gives_the_same_codes(whole: Result, scan: Scan) -> None:
    def codes(result: Result) -> list[tuple[str, str, str]]:
        found = json.loads(result.stdout)["vulnerabilities"]
        return [(one["code"], one["type"], one["endpoint"]) for one in found]

    assert codes(scan("--json")) == codes(whole) != []


def test_a_sound_part_passes_with_0_and_a_report(scan: Scan, entries: list[dict[str, Any]], tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    sound = [of_path(entries, "/wallet"), of_path(entries, "/suppliers")]
    result = scan("--types", "auth", "--report", f"json={report}", of=sound)
    assert result.exit_code == 0, result.stderr
    assert "2 baseline requests: 2 passed" in result.stdout
    written = json.loads(report.read_text())
    assert [one["status"] for one in written["baselines"]] == ["passed", "passed"]
    assert written["vulnerabilities"] == []


def test_what_is_accepted_fails_nothing_and_what_is_not_does(
    scan: Scan, entries: list[dict[str, Any]], tmp_path: Path
) -> None:
    reviews, report, listed = of_path(entries, "/reviews"), tmp_path / "old.json", tmp_path / "accepted.yaml"
    assert scan("--types", "sqli", f"--report=json={report}", of=[reviews]).exit_code == 1
    known = scan("--types", "sqli", "--accepted", str(report), "--json", of=[reviews])
    assert known.exit_code == 0, known.stderr
    assert "SUPPRESSED: 1 vulnerability of S0001" in known.stderr
    (one,) = json.loads(known.stdout)["vulnerabilities"]
    assert (one["suppressed"], one["suppression_reason"]) == (True, "known from old.json")
    listed.write_text("- {type: sqli, endpoint: GET /elsewhere, reason: written wrongly}")
    other = scan("--types", "sqli", "--accepted", str(listed), of=[reviews])
    assert other.exit_code == 1
    assert "Accepted and not found this time: sqli at any point of GET /elsewhere." in other.stderr


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


def test_of_two_targets_none_is_tested(scan: Scan, entries: list[dict[str, Any]], listener: Listener) -> None:
    targets = (f"http://127.0.0.1:{listener.port}", "http://127.0.0.1:9")
    result = scan("--target", targets[0], "--target", targets[1], of=entries[:1])
    assert result.exit_code == 2
    assert "--target is given 2 times" in result.stderr
    assert listener.connections == 0


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


def test_a_target_that_is_away_is_3(scan: Scan, entries: list[dict[str, Any]], listener: Listener) -> None:
    result = scan("--types", "auth", of=[moved(of_path(entries, "/wallet"), f"http://127.0.0.1:{listener.port}/w")])
    assert result.exit_code == 3, result.stderr
    assert f"TARGET NOT REACHED: http://127.0.0.1:{listener.port} gave no answer at all." in result.stderr
    assert "connection failed" in result.stdout
    assert listener.connections > 0


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


def test_the_first_finding_ends_it_where_that_is_wanted(scan: Scan) -> None:
    run = json.loads(scan("--json", "--types", "auth", "--stop-on-first-fail", "--workers", "1").stdout)["test_run"]
    assert (run["state"], run["baseline_check_fail_count"]) == ("failed", 1)
    assert run["baseline_check_interrupted_count"] > 0


def test_standard_input_may_be_zipped_json_lines(address: str) -> None:
    import gzip

    line = json.dumps({"method": "GET", "url": f"{address}/reviews?tea_id=1", "status": 200}).encode()
    login, password = USERS[0]
    with Browser(address) as browser:
        answer = browser.ask(Step("POST", "/login", body={"login": login, "password": password}))
        token = answer.json()["token"]
    line = json.dumps({**json.loads(line), "headers": {"Authorization": f"Bearer {token}"}}).encode()
    result = CliRunner().invoke(main, ["scan", "-", "--json", "--types", "sqli"], input=gzip.compress(line))
    assert [one["type"] for one in json.loads(result.stdout)["vulnerabilities"]] == ["sqli"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_with_130_and_every_report_holds_what_was_found_so_far(
    entries: list[dict[str, Any]], tmp_path: Path, number: int
) -> None:
    file = har(entries, tmp_path / "session.har")
    reports = [f"--report={name}={tmp_path / name}" for name in FORMATS]
    process = subprocess.Popen(
        [sys.executable, "-m", "gatecrash", "scan", str(file), "--json", "--rps", "5", *reports],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert process.stderr is not None
    assert "running" in process.stderr.readline()
    process.send_signal(number)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    run = json.loads(told)["test_run"]
    assert (run["state"], run["interrupt_reason"], run["planing_requests_count"]) == ("interrupted", "requested", 0)
    assert all((tmp_path / name).stat().st_size for name in FORMATS)
    assert json.loads((tmp_path / "json").read_text()) == json.loads(told)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--policy", "mine.json"), "choose default, quick, thorough"),
        (("--types", "sqli,nonsense"), "nonsense"),
        (("--types", ","), "choose out of"),
        (("--report", "pdf=a"), "FORMAT=FILE"),
        (("--report", "json=/nowhere/at/all.json"), "there is no folder"),
        (("--report", "json=/"), "it is a folder"),
        (("--allow-host", "~("), "--allow-host: `~(` is no regular expression"),
        (("--target", "nonsense"), "--target 'nonsense' is no address"),
        (("--from-host", "a"), "--target"),
    ],
)
def test_wrong_usage_is_2_before_anything_is_sent(scan: Scan, options: tuple[str, ...], words: str) -> None:
    result = scan(*options)
    assert result.exit_code == 2
    assert words in result.stderr
