"""JSON-RPC methods, alone and in a batch."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, is_name
from gatecrash.core.inventory.protocols.jsonrpc import SPEAKER

GET, CANCEL = ({"jsonrpc": "2.0", "method": name, "params": [{}], "id": 1} for name in ("Loan.Get", "Loan.Cancel"))


def called(message: Any, kind: bytes = b"application/json") -> tuple[str, ...] | None:
    return SPEAKER.operations(Call("POST", b"/rpc", b"", kind, b"", None, json.dumps(message).encode()))


@pytest.mark.parametrize(
    ("message", "methods"),
    [(GET, ("Loan.Get",)), ([GET, CANCEL, GET], ("Loan.Get", "Loan.Cancel")), ([GET], ("Loan.Get",))],
)
def test_each_method_is_an_operation(message: Any, methods: tuple[str, ...]) -> None:
    assert called(message) == methods
    assert SPEAKER.protocol is Protocol.REST


@pytest.mark.parametrize(
    "message",
    [
        {"method": "card", "params": {"amount": 5}},
        {**GET, "method": "a b"},
        {**GET, "method": 7},
        {"jsonrpc": "2.0", "result": 7, "id": 1},
        [GET, {"amount": 5}],
        [],
        '"jsonrpc"',
    ],
)
def test_what_names_no_method_is_none(message: Any) -> None:
    assert called(message) is None


def test_another_type_is_none() -> None:
    assert called(GET, b"text/plain") is None


@given(st.binary(max_size=200))
def test_no_body_raises_and_names_are_names(body: bytes) -> None:
    call = Call("POST", b"/rpc", b"", b"application/json", b"", None, b'{"jsonrpc":' + body)
    assert all(map(is_name, SPEAKER.operations(call) or ()))
