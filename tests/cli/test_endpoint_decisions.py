"""Public marks, OpenAPI documents, pins, splits and settings from the command line, against a running service."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.cli.conftest import Invoke
from tests.cli.running import Up
from tests.plain_http import PLAIN

from gatecrash.cli.endpoint_decisions import COMMANDS
from gatecrash.wire import codec
from gatecrash.wire.counts import Added, Counts, EndpointCount
from gatecrash.wire.session import Hello, Welcome

Document = Callable[..., Any]
OPENAPI = "openapi: 3.1.0\ninfo: {title: Teas, version: 1}\nservers: [{url: https://teas.example}]\npaths: {/teas: {get: {}, post: {}}}\n"


@pytest.fixture
def endpoint_id(up: Up, document: Document) -> str:
    """An endpoint that a node counted."""
    known, now = up.known(), int(time.time())
    count = EndpointCount(now // 3600, "rest", "GET", "decided.example", "/prices", 3, 0, 0, now, now)
    with httpx.Client(base_url=known["api"], headers={"X-Service-API-Token": known["token"]}, **PLAIN) as http:

        def told(path: str, message: Any, answer: type[Any]) -> Any:
            sent = http.post(path, content=codec.encode(message), headers={"Content-Type": codec.CONTENT_TYPE})
            assert sent.status_code == 200, sent.content
            return codec.decode(sent.content, answer)

        welcome = told("/v1/node/hello", Hello("decider", "native", "0.24.0", f"spool{now}"), Welcome)
        batch = Counts(welcome.node_id, welcome.session, f"spool{time.monotonic_ns()}", 1, (count,))
        told("/v1/node/counts", batch, Added)
    return str(document("endpoints", "--path", "/prices")["objects"][0]["id"])


def test_every_command_has_help_and_an_example() -> None:
    assert len({command.name for command in COMMANDS}) == len(COMMANDS) == 11
    for command in COMMANDS:
        assert command.help, command.name
        assert (command.epilog or "").startswith(f"gatecrash endpoints {command.name}")


def test_a_mark_is_made_listed_and_taken_off(invoke: Invoke, document: Document, endpoint_id: str) -> None:
    made = document("endpoints", "mark-public", endpoint_id, "--reason", "prices", "--owner", "shop")
    assert made["endpoint_id"] == endpoint_id
    assert made["id"] in [one["id"] for one in document("endpoints", "marks")["objects"]]
    assert "prices" in invoke("endpoints", "marks").stdout
    again = invoke("endpoints", "mark-public", endpoint_id, "--reason", "r", "--owner", "o")
    assert (again.exit_code, "endpoint_id" in again.stderr) == (4, True), again.stderr
    removed = invoke("endpoints", "unmark", made["id"])
    assert removed.exit_code == 0
    assert made["id"] in removed.stdout + removed.stderr
    assert invoke("endpoints", "unmark", made["id"]).exit_code == 4


def test_a_document_is_uploaded_listed_and_removed(invoke: Invoke, document: Document, tmp_path: Path) -> None:
    path = tmp_path / "teas.yaml"
    path.write_text(OPENAPI)
    made = document("endpoints", "upload-document", "--host", "stage.example", str(path))
    assert (made["name"], made["operation_count"]) == ("teas", 2)
    assert made["servers"] == [{"host": "stage.example", "base_path": ""}]
    assert "stage.example" in invoke("endpoints", "documents").stdout
    assert [one["id"] for one in document("endpoints", "documents")["objects"]] == [made["id"]]
    assert invoke("endpoints", "remove-document", made["id"]).exit_code == 0
    assert document("endpoints", "documents")["total"] == 0


def test_a_document_that_cannot_be_read_is_refused_with_its_place(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "paths": {"teas": {}}}))
    refused = invoke("endpoints", "upload-document", str(path))
    assert refused.exit_code == 4
    assert "/paths/teas" in refused.stderr
    assert invoke("endpoints", "upload-document", "--name", "x", str(tmp_path / "absent")).exit_code == 2


def test_pins_and_splits_are_made_listed_and_removed(invoke: Invoke, document: Document) -> None:
    assert invoke("endpoints", "pin", "/shop/{colour}", "--host", "Shop.example").exit_code == 0
    assert invoke("endpoints", "split", "/shop/{shop_id}").exit_code == 0
    listed = {one["kind"]: one for one in document("endpoints", "rules")["objects"]}
    assert (listed["pin"]["host"], listed["split"]["host"]) == ("shop.example", None)
    assert "any host" in invoke("endpoints", "rules").stdout
    for one in listed.values():
        assert invoke("endpoints", "remove-rule", one["id"]).exit_code == 0
    assert document("endpoints", "rules")["total"] == 0
    assert invoke("endpoints", "pin", "no-slash").exit_code == 4


def test_settings_are_shown_and_changed(invoke: Invoke, document: Document) -> None:
    assert document("endpoints", "settings") == {"leave_refused_out": False}
    assert document("endpoints", "settings", "--leave-refused-out") == {"leave_refused_out": True}
    assert document("endpoints", "settings") == {"leave_refused_out": True}
    assert invoke("endpoints", "settings", "--take-refused-in").exit_code == 0
    assert document("endpoints", "settings") == {"leave_refused_out": False}
