"""The transcript of contract 4.1 to 4.5, played with curl against the running service, field by field and type by type."""

import json
import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import Any

import pytest
from tests.absent import require
from tests.e2e.service import Service
from tests.e2e.shapes import check_run, filled, integer
from tests.e2e.tenant import Tenant, wait_until

pytestmark = pytest.mark.database

HEADERS = ("APIKEY", "CLIENT_SECRET", "JWT", "OCP-APIM-SUBSCRIPTION-KEY", "X-SECRET", "X-TOKEN")
COOKIES = (
    "access-token",
    "access_token",
    "auth-token",
    "Authorization",
    "jwt",
    "<IDP>_IDENTITY",
    "refresh_token",
    "session-token",
)
QUERY = (
    "access_token",
    "api_key",
    "apiKey",
    "apikey",
    "Authorization",
    "authorization",
    "client_secret",
    "refresh_token",
)
FORM = ("access_token", "api_key", "apiKey", "Authorization", "authorization", "client_secret", "refresh_token")
JSON_FIELDS = ("access_token", "api_key", "apiKey", "client_secret", "refresh_token")
DEFAULTS = [
    *(["header", name] for name in HEADERS),
    *(["header", "COOKIE", "cookie", name] for name in COOKIES),
    *(["get", name] for name in QUERY),
    *(["post", "form_urlencoded", name] for name in FORM),
    *(["post", "json_doc", "json_obj", name] for name in JSON_FIELDS),
]
SHAPES = [
    ["header", "X-PARTNER-KEY"],
    ["header", "COOKIE", "cookie", "partnerSession"],
    ["get", "partnerKey"],
    ["post", "form_urlencoded", "partnerKey"],
    ["post", "json_doc", "json_obj", "partnerKey"],
]


@dataclass(frozen=True)
class Curl:
    """curl, as a reader of the contract would type it."""

    tenant: Tenant

    def __call__(self, method: str, path: str, body: object = None) -> tuple[int, dict[str, Any]]:
        """Ask, and give HTTP status and body after checking the envelope."""
        command = ["curl", "-sS", "--noproxy", "*", "-X", method, "-w", "\n%{http_code} %{content_type}"]
        command += ["-H", f"x-service-api-token: {self.tenant.token}", self.tenant.api + path]
        if body is not None:
            command += ["-H", "Content-Type: application/json", "-d", json.dumps(body)]
        text = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
        content, _, trailer = text.rpartition("\n")
        status, _, kind = trailer.partition(" ")
        document = json.loads(content)
        assert kind.partition(";")[0] == "application/json"
        assert list(document) == ["status", "body"]
        assert integer(document["status"])
        assert document["status"] == int(status)
        assert isinstance(document["body"], dict)
        return document["status"], document["body"]


@pytest.fixture
def tenant(service: Service) -> Any:
    with service.tenant() as one:
        yield one


@pytest.fixture
def curl(tenant: Tenant) -> Curl:
    require(shutil.which("curl"), "curl was not found")
    return Curl(tenant)


def test_the_contract_lists_34_names() -> None:
    assert len(DEFAULTS) == 34


def test_reading_and_adding_authentication_parameters(curl: Curl) -> None:
    status, body = curl("GET", curl.tenant.parameters)
    assert (status, list(body)) == (200, ["parameters"])
    assert [entry["point"] for entry in body["parameters"]] == [[point] for point in DEFAULTS]
    for entry in body["parameters"]:
        assert set(entry) == {"id", "point", "source", "created_at"}
        assert filled(entry["id"])
        assert (entry["source"], entry["created_at"]) == ("default", None)
    assert len({entry["id"] for entry in body["parameters"]}) == 34

    added = []
    for point in SHAPES:
        status, entry = curl("POST", curl.tenant.parameters, {"point": [point]})
        assert (status, set(entry)) == (200, {"id", "point", "source", "created_at"})
        assert (entry["point"], entry["source"]) == ([point], "custom")
        assert entry["id"].startswith("ap_")
        assert integer(entry["created_at"])
        added.append(entry)
    listed = curl("GET", curl.tenant.parameters)[1]["parameters"]
    assert listed[:34] == body["parameters"], "defaults first"
    assert sorted(listed[34:], key=str) == sorted(added, key=str)
    assert curl("GET", curl.tenant.parameters)[1]["parameters"] == listed, "in a stable order"


@pytest.mark.parametrize(
    "point",
    [["header", "X-TOKEN"], ["header", "x-token"], ["get", "apiKey"], ["post", "json_doc", "json_obj", "api_key"]],
)
def test_a_default_cannot_be_added_again(curl: Curl, point: list[str]) -> None:
    assert curl("POST", curl.tenant.parameters, {"point": [point]}) == (
        409,
        {"point": {"error": "already_exists", "value": [point]}},
    )


def test_a_header_is_the_same_in_any_case_and_a_query_name_is_not(curl: Curl) -> None:
    first = curl("POST", curl.tenant.parameters, {"point": [["header", "x-partner"]]})
    assert (first[0], first[1]["point"]) == (200, [["header", "X-PARTNER"]])
    assert curl("POST", curl.tenant.parameters, {"point": [["header", "X-Partner"]]})[0] == 409
    assert curl("POST", curl.tenant.parameters, {"point": ["header", "X-PARTNER"]})[0] == 409
    assert curl("POST", curl.tenant.parameters, {"point": [["get", "partner"]]})[0] == 200
    assert curl("POST", curl.tenant.parameters, {"point": [["get", "Partner"]]})[0] == 200


def test_the_bare_form_is_understood_and_answered_nested(curl: Curl) -> None:
    assert curl("POST", curl.tenant.parameters, {"point": ["get", "bare"]})[1]["point"] == [["get", "bare"]]


def test_a_custom_parameter_can_be_removed_and_a_default_cannot(curl: Curl) -> None:
    _, entry = curl("POST", curl.tenant.parameters, {"point": [["get", "gone"]]})
    assert curl("DELETE", f"{curl.tenant.parameters}/{entry['id']}")[0] == 200
    assert curl("DELETE", f"{curl.tenant.parameters}/{entry['id']}")[0] == 404
    default = curl("GET", curl.tenant.parameters)[1]["parameters"][0]
    status, body = curl("DELETE", f"{curl.tenant.parameters}/{default['id']}")
    assert (status, body["error"]) == (403, "forbidden")


def test_creating_with_the_least_takes_the_defaults(curl: Curl) -> None:
    before = int(time.time())
    status, run = curl("POST", "/v1/test_run", {"name": "nightly"})
    assert status == 200
    check_run(run)
    expected = {
        "name": "nightly",
        "state": "running",
        "simple_state": "running",
        "allowed_actions": ["stop", "pause", "interrupt"],
        "vulns": [],
        "clientid": curl.tenant.client_id,
        "test_record_name": "nightly",
        "desc": "",
        "file_extensions_to_exclude": "",
        "policy_id": "default",
        "stop_on_first_fail": False,
        "skip_duplicated_baselines": True,
        "rps_per_baseline": None,
        "rps": None,
        "inactivity_timeout": 1800,
        "tags": [],
        "recording": True,
        "baseline_count": 0,
        "sended_requests_count": 0,
        "planing_requests_count": 0,
        "domains": [],
        "end_time": None,
        "interrupt_reason": None,
        "current_rps": None,
        "avg_rps": None,
        "estimated_time_to_completion": None,
    }
    assert {name: run[name] for name in expected} == expected
    assert run["id"].startswith("tr_")
    assert run["test_record_id"].startswith("rec_")
    assert before <= run["start_time"] <= int(time.time())


def test_creating_with_everything_takes_it(curl: Curl) -> None:
    given = {
        "name": "all fields",
        "test_record_name": "the record",
        "desc": "what it is for",
        "file_extensions_to_exclude": "png|jpe?g, css",
        "policy_id": "quick",
        "stop_on_first_fail": True,
        "skip_duplicated_baselines": False,
        "rps_per_baseline": 50,
        "rps": 100,
        "inactivity_timeout": 600,
        "tags": ["nightly", "api"],
        "clientid": curl.tenant.client_id,
    }
    status, run = curl("POST", "/v1/test_run", {**given, "type": "node"})
    assert status == 200
    check_run(run)
    assert {name: run[name] for name in given} == given


def test_a_record_that_is_recorded_into_cannot_be_copied(curl: Curl) -> None:
    _, run = curl("POST", "/v1/test_run", {"name": "unfinished"})
    record = run["test_record_id"]
    assert curl("POST", "/v1/test_run", {"name": "too early", "test_record_id": record}) == (
        400,
        {"test_record_id": {"error": "not_ready_for_cloning", "value": record}},
    )
    _, after = curl("GET", f"/v1/test_run/{run['id']}")
    assert after["state"] == "running", "a rejected copy interrupts nothing"


def test_an_empty_record_cannot_be_copied(curl: Curl) -> None:
    record = curl.tenant.emptied()
    status, body = curl("POST", "/v1/test_run", {"name": "nothing in it", "test_record_id": record})
    assert status == 400
    assert (body["test_record_id"]["error"], body["test_record_id"]["value"]) == ("empty_test_record", record)


def test_a_copy_reuses_the_record(curl: Curl) -> None:
    original = curl.tenant.recorded("original", baselines=3)
    asked = {"name": "again", "test_record_id": original["test_record_id"], "policy_id": "quick", "rps": 5}
    status, copy = curl("POST", "/v1/test_run", asked)
    assert status == 200
    check_run(copy)
    assert {name: copy[name] for name in asked} == asked
    assert (copy["state"], copy["simple_state"], copy["allowed_actions"]) == ("cloning", "running", ["interrupt"])
    assert copy["id"] != original["id"]
    cloned = wait_until(lambda: curl("GET", f"/v1/test_run/{copy['id']}")[1], lambda run: run["state"] != "cloning")
    check_run(cloned)
    assert (cloned["state"], cloned["baseline_count"], cloned["recording"]) == ("running", 3, False)
    _, first = curl("GET", f"/v1/test_run/{original['id']}")
    assert (first["state"], first["interrupt_reason"]) == ("interrupted", "another_test_run"), (
        "a new run for the same node interrupts the one before"
    )


def test_polling_a_run_to_its_end_with_a_finding(curl: Curl) -> None:
    run = curl.tenant.tested("with a finding", passed=2, failed=1, errors=1)
    status, seen = curl("GET", f"/v1/test_run/{run['id']}")
    assert status == 200
    check_run(seen)
    expected = {
        "state": "failed",
        "simple_state": "failed",
        "allowed_actions": [],
        "baseline_count": 4,
        "baseline_check_all_terminated_count": 4,
        "baseline_check_passed_count": 2,
        "baseline_check_fail_count": 1,
        "baseline_check_tech_fail_count": 1,
        "baseline_check_interrupted_count": 0,
        "baseline_check_running_count": 0,
        "baseline_check_waiting_count": 0,
        "planing_requests_count": 0,
        "recording": False,
        "domains": ["shop.example"],
    }
    assert {name: seen[name] for name in expected} == expected
    assert [vulnerability["type"] for vulnerability in seen["vulns"]] == ["sqli"]
    assert seen["sended_requests_count"] > 0


def test_a_run_without_findings_passes(curl: Curl) -> None:
    seen = curl("GET", f"/v1/test_run/{curl.tenant.tested('clean', passed=2)['id']}")[1]
    check_run(seen)
    assert (seen["state"], seen["vulns"]) == ("passed", [])


def test_actions_move_the_run_as_documented(curl: Curl) -> None:
    _, run = curl("POST", "/v1/test_run", {"name": "moved"})
    path = f"/v1/test_run/{run['id']}/action"
    for action, state in (("pause", "paused"), ("resume", "running"), ("interrupt", "interrupted")):
        status, seen = curl("POST", f"{path}/{action}")
        assert (status, seen["state"]) == (200, state)
        check_run(seen)
    status, body = curl("POST", f"{path}/pause")
    assert (status, body["action"]["error"]) == (409, "action_not_allowed")
    assert curl("POST", f"{path}/explode")[0] == 404


def test_an_unknown_run_is_not_found(curl: Curl) -> None:
    status, body = curl("GET", "/v1/test_run/tr_absent")
    assert (status, body["error"], set(body)) == (404, "not_found", {"error", "message"})


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nowhere", 404, "not_found"),
        ("GET", "/v1", 404, "not_found"),
        ("GET", "/v1/", 404, "not_found"),
        ("GET", "/v1/test_run/", 404, "not_found"),
        ("DELETE", "/v1/test_run", 405, "method_not_allowed"),
        ("PUT", "/v1/test_run", 405, "method_not_allowed"),
    ],
)
def test_the_envelope_is_kept_off_the_path(curl: Curl, method: str, path: str, status: int, code: str) -> None:
    seen, body = curl(method, path)
    assert (seen, body["error"], set(body)) == (status, code, {"error", "message"})
