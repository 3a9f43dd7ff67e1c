"""The inventory from the command line."""

from collections.abc import Callable
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
