from types import SimpleNamespace

import pytest

from gatecrash.control.api.caller import Caller, caller, found
from gatecrash.control.api.roles import Role


def test_the_gate_leaves_caller_and_rows_on_the_request() -> None:
    who = Caller("tok_1", "cl_1", Role.VIEWER, deployment=False, node_id=None, expires_at=None)
    request = SimpleNamespace(caller=who, found={"test_run_id": "row"})
    assert caller(request) is who
    assert found(request, "test_run_id") == "row"


def test_a_request_that_passed_no_gate_has_no_caller() -> None:
    with pytest.raises(AssertionError):
        caller(SimpleNamespace(caller=None))
