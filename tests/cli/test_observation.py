"""What is read of files: every kind counts the same, and a file that cannot tell says so."""

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gatecrash.cli.main import main
from gatecrash.cli.observation import SHOWN, Observation, custom_points
from gatecrash.core.errors import UserError
from gatecrash.formats.capture import UnreadableCapture

TOKEN = "Bearer a-token-of-somebody"
NGINX = {
    "msec": "1795168800.0",
    "request_method": "GET",
    "http_host": "a.example",
    "request_uri": "/x",
    "status": "200",
}
ENVOY = {
    "start_time": "2026-11-20T10:00:00Z",
    "method": "GET",
    "authority": "a.example",
    "path": "/x",
    "response_code": 200,
}
LINE = {"method": "GET", "url": "http://a.example/x", "status": 200, "time": 1795168800}


def lines(of: dict[str, object], with_token: dict[str, object]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in [with_token] * 3 + [of])


@pytest.mark.parametrize(
    "data",
    [
        lines({**NGINX, "http_authorization": ""}, {**NGINX, "http_authorization": TOKEN}),
        lines(
            {**ENVOY, "request_headers": {"authorization": None}},
            {**ENVOY, "request_headers": {"authorization": TOKEN}},
        ),
        lines(LINE, {**LINE, "headers": {"Authorization": TOKEN}}),
    ],
)
def test_every_source_counts_the_same(data: bytes) -> None:
    observation = Observation(())
    observation.read("f", io.BytesIO(data))
    [endpoint] = observation.endpoints()
    assert (endpoint.key.host, endpoint.requests, endpoint.authenticated, endpoint.status) == (
        "a.example",
        4,
        3,
        "partial",
    )
    assert (observation.requests, observation.malformed, observation.silent) == (4, 0, False)


def entry(status: int, *headers: tuple[str, str]) -> dict[str, object]:
    listed = [{"name": name, "value": value} for name, value in headers]
    request = {"method": "POST", "url": "http://a.example/x", "headers": listed}
    return {"startedDateTime": "2026-11-20T10:00:00Z", "request": request, "response": {"status": status}}


@pytest.mark.parametrize(
    ("last", "requests", "status"),
    [(entry(-1), 1, "consistent"), (entry(0), 1, "consistent"), (entry(200), 2, "partial")],
)
def test_what_a_browser_cancelled_has_not_all_of_its_headers_yet(
    last: dict[str, object], requests: int, status: str
) -> None:
    """A browser adds its cookies when it sends a request; one that it cancelled is exported without them."""
    observation = Observation(())
    entries = [entry(200, ("Authorization", TOKEN)), last]
    observation.read("f.har", io.BytesIO(json.dumps({"log": {"entries": entries}}).encode()))
    [endpoint] = observation.endpoints()
    assert (endpoint.requests, endpoint.status) == (requests, status)


def test_a_har_file_of_requests_alone_is_counted() -> None:
    observation = Observation(())
    observation.read("f.har", io.BytesIO(json.dumps({"log": {"entries": [entry(0)] * 10}}).encode()))
    assert [endpoint.requests for endpoint in observation.endpoints()] == [10]


def test_a_log_that_shows_no_credentials_claims_no_status(tmp_path: Path) -> None:
    file = tmp_path / "access.log"
    file.write_bytes(lines(dict(NGINX), dict(NGINX)))
    result = CliRunner().invoke(main, ["observe", str(file), "--json", "--fail-on", "missing"])
    body = json.loads(result.stdout)
    assert (result.exit_code, body["credentials_stripped"], body["endpoints"][0]["status"]) == (2, True, None)
    assert "deploy/nginx" in result.stderr


def test_of_many_broken_entries_a_few_are_kept() -> None:
    observation = Observation(())
    observation.read("f", io.BytesIO(json.dumps(LINE).encode() + b"\n" + b"nope\n" * 1000))
    assert (observation.malformed, len(observation.examples)) == (1000, SHOWN)


def test_a_point_that_is_none_is_named() -> None:
    with pytest.raises(UserError, match=r"--param nope"):
        custom_points(["nope"])


def test_a_description_holds_no_traffic_to_observe() -> None:
    with pytest.raises(UnreadableCapture, match="describes an API"):
        Observation([]).read("api.yaml", io.BytesIO(b"openapi: 3.1.0\npaths: {/a: {get: {}}}\n"))
