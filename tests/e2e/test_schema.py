"""The OpenAPI document and the running service agree: schemathesis finds no server error and no undocumented answer."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.e2e.routes import MAKERS, document, identifiers
from tests.e2e.service import Service
from tests.e2e.tenant import Tenant
from tests.plain_http import PLAIN

pytestmark = pytest.mark.database

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "allow_header_conformance",
)


@pytest.fixture
def tenant(service: Service) -> Iterator[Tenant]:
    with service.tenant() as one:
        one.token = service.token(one.client_id, "admin", deployment=True)
        one.tested("something to read", passed=1, failed=1)
        yield one


def schemathesis(tenant: Tenant, home: Path, *more: str, real: bool) -> None:
    """Let it loose on the service, its identifiers made up or real; its own words explain a failure."""
    made = {} if not real else identifiers(tenant, tuple(name for name in MAKERS if name != "managed_client_id"))
    lines = [f'"path.{name}" = "{value}"' for name, value in made.items()]
    lines.append('"query.wait" = 1')  # else it holds answers for as long as the document allows
    (home / "schemathesis.toml").write_text("\n".join(["[parameters]", *lines, ""]))
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{tenant.api}/v1/openapi.json"]
    command += ["-H", f"X-Service-API-Token: {tenant.token}", "--checks", ",".join(CHECKS)]
    command += ["--generation-deterministic", "--no-color", "--request-timeout", "20"]
    done = subprocess.run([*command, *more], cwd=home, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2_000:]
    assert re.search(r"Tested: +\d\d", done.stdout), "it looked at the operations"


@pytest.mark.timeout(1200)  # a minute of one core; a loaded machine takes its time
def test_no_server_error_and_no_undocumented_answer(tenant: Tenant, tmp_path: Path) -> None:
    schemathesis(tenant, tmp_path, "--phases", "examples,coverage,fuzzing", "--max-examples", "5", real=True)


@pytest.mark.soak
@pytest.mark.parametrize("real", [True, False])
def test_the_same_for_long_and_where_identifiers_are_made_up(tenant: Tenant, tmp_path: Path, real: bool) -> None:
    # One worker: in several threads CPython 3.11 breaks now and then over the tool's own source (SystemError of `ast`).
    schemathesis(tenant, tmp_path, "--max-examples", "300", "--max-time", "600", "--workers", "1", real=real)


def test_the_document_is_openapi_3_1_and_raw(service: Service) -> None:
    found = document(service.api)
    assert found["openapi"].startswith("3.1")
    assert {"/v1/test_run", "/v1/test_run/{test_run_id}"} <= set(found["paths"])
    assert "/v1/clients/{client_id}/apid/config/auth-parameters" in found["paths"]


def test_every_operation_names_its_roles_and_its_answers(service: Service) -> None:
    for path, item in document(service.api)["paths"].items():
        for method, operation in item.items():
            assert operation["x-roles"], (method, path)
            assert operation["security"], (method, path)
            assert {"200", "401", "403", "404", "405", "429", "500"} <= set(operation["responses"]), (method, path)
            if "requestBody" in operation:
                assert {"400", "413", "415"} <= set(operation["responses"]), (method, path)


def test_those_who_watch_need_no_token(service: Service) -> None:
    with httpx.Client(base_url=service.api, **PLAIN) as anybody:
        assert anybody.get("/healthz").json() == {"status": "ok"}
        assert anybody.get("/readyz").json() == {"status": "ok"}
        numbers = anybody.get("/metrics")
    assert numbers.headers["content-type"].startswith("text/plain")
    assert "# TYPE gatecrash_api_requests_total counter" in numbers.text
