"""The inventory from the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Invoke

from gatecrash.cli.endpoints import TYPES, row, share
from gatecrash.core.auth.scheme import AuthType


def test_an_empty_inventory_is_a_document_too(invoke: Invoke, document: Callable[..., Any]) -> None:
    assert document("endpoints", "--auth", "missing", "--path", "/nowhere") == {"objects": [], "total": 0}
    listed = invoke("endpoints", "--path", "/nowhere")
    assert (listed.exit_code, listed.stdout) == (0, "")
    assert "Send traffic" in listed.stderr


def test_filters_are_checked_before_anything_is_asked(invoke: Invoke) -> None:
    assert invoke("endpoints", "--auth", "perhaps").exit_code == 2
    assert invoke("endpoints", "--type", "kerberos").exit_code == 2


def test_an_endpoint_of_which_nothing_is_recorded_is_tested_with_what_comes(
    invoke: Invoke, document: Callable[..., Any], tmp_path: Path
) -> None:
    capture = tmp_path / "capture.jsonl"
    capture.write_text('{"method": "GET", "url": "http://tested.example/orders", "status": 200}\n' * 3)
    assert invoke("observe", "--send", str(capture)).exit_code == 0
    (one,) = document("endpoints", "--host", "tested.example")["objects"]
    run = document("endpoints", "test", one["id"])
    assert (run["name"], run["recording"], run["tags"]) == ("GET tested.example/orders", True, [one["id"]])
    told = invoke("endpoints", "test", one["id"])
    assert (told.stdout[:3], "waits" in told.stderr) == ("tr_", True)
    assert invoke("run", "interrupt", told.stdout.strip()).exit_code == 0
    assert invoke("endpoints", "test", "ep_unknown").exit_code == 4


def test_every_type_that_is_detected_can_be_asked_for() -> None:
    assert set(TYPES) == {each.value for each in AuthType}


def test_an_endpoint_without_traffic_says_so() -> None:
    one = {
        "id": "ep_1",
        "method": "GET",
        "host": "h",
        "path": "/",
        "status": None,
        "coverage": None,
        "types": [],
        "requests": 0,
    }
    assert row(one) == ("ep_1", "GET", "h", "/", "no traffic", "-", [], 0, "-")
    assert row({**one, "operation": "query GetTea"})[3] == "/ query GetTea"


@pytest.mark.parametrize(
    ("percent", "shown"), [(100.0, "100%"), (94.99, "94.99%"), (0.0, "0%"), (0.01, "0.01%"), (None, "-")]
)
def test_a_share_is_shown_as_the_service_rounds_it(percent: float | None, shown: str) -> None:
    assert share(percent) == shown
