"""Methods of JSON-RPC."""

import json

import pytest

from gatecrash.core.inventory.protocols.call import Call
from gatecrash.core.inventory.protocols.json_rpc import SPEAKER, methods_in


def called(body: object, method: str = "POST") -> tuple[str, ...] | None:
    written = body if isinstance(body, bytes) else json.dumps(body).encode()
    return SPEAKER.operations(Call(method, b"/rpc", b"", b"application/json", body=written))


def test_a_call_names_its_method_and_a_batch_each_of_its_own_once() -> None:
    brew, pour = ({"jsonrpc": "2.0", "method": name, "id": 1} for name in ("tea.brew", "pour_tea"))
    assert called(brew) == ("tea.brew",)
    assert called([brew, pour, brew]) == ("tea.brew", "pour_tea")


@pytest.mark.parametrize(
    "body",
    [
        {"method": "brew", "params": {}},
        {"jsonrpc": "2.0", "result": 7},
        {"jsonrpc": "2.0", "method": "Ann Lee, 7 Tea Lane"},
        {"jsonrpc": "2.0", "method": 7},
        b'{"jsonrpc": "2.0", "method": "brew"',
        [],
        ["jsonrpc"],
    ],
    ids=str,
)
def test_nothing_else_is_spoken(body: object) -> None:
    assert called(body) is None


def test_nobody_calls_by_get() -> None:
    assert called({"jsonrpc": "2.0", "method": "brew"}, "GET") is None


def test_older_versions_are_known_by_their_parameters_where_that_is_asked() -> None:
    assert methods_in(b'{"method": "brew", "params": []}') == ("brew",)
