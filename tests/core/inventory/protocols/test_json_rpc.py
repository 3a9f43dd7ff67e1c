"""The functions that a JSON-RPC message calls."""

import pytest

from gatecrash.core.inventory.protocols.call import Call
from gatecrash.core.inventory.protocols.json_rpc import SPEAKER

CALL = '{"jsonrpc": "2.0", "id": 1, "method": "%s", "params": {}}'


def told(body: str, content_type: bytes = b"application/json") -> tuple[str, ...] | None:
    return SPEAKER.operations(Call("POST", b"/rpc", b"", content_type, body=body.encode()))


@pytest.mark.parametrize("kind", [b"application/json", b"application/json-rpc"])
def test_a_message_calls_one_and_a_batch_each_of_its_own(kind: bytes) -> None:
    assert told(CALL % "part.find", kind) == ("part.find",)
    assert told(CALL % "tools/call", kind) == ("tools/call",)
    batch = ", ".join(CALL % name for name in ("part.find", "part.get", "part.find"))
    assert told(f"[{batch}]", kind) == ("part.find", "part.get")


@pytest.mark.parametrize(
    "body",
    [
        '{"method": "part.find", "params": {}}',
        '{"jsonrpc": "2.0", "id": 1, "result": 7}',
        CALL % "drop table; --",
        f"[{CALL % 'part.find'}, 7]",
        '{"jsonrpc"',
        "[]",
    ],
)
def test_other_json_is_none(body: str) -> None:
    assert told(body) is None


def test_nor_is_another_type() -> None:
    assert told(CALL % "part.find", b"text/html") is None
