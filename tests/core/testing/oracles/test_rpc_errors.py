"""Errors of JSON-RPC are told under a good status, and other words about errors are none."""

import pytest

from gatecrash.core.testing.oracles.rpc_errors import tells_fault


@pytest.mark.parametrize(
    "text",
    [
        '{"jsonrpc": "2.0", "error": {"code": -32603, "message": "Internal error", "data": "…"}, "id": 1}',
        '{"result": null, "error": {"code": 1, "message": "no such order"}, "id": "a"}',
    ],
)
def test_an_error_in_the_place_of_a_result_is_told(text):
    assert tells_fault(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"jsonrpc": "2.0", "result": {"error": {"code": 1, "message": "x"}}, "id": 1}',
        '{"jsonrpc": "2.0", "result": 3, "error": null, "id": 1}',
        '{"error": {"code": 1, "message": "x"}}',
        '{"error": "x", "id": 1}',
        '{"error": {"code": 1, "message": "x"',
        '[{"error": 1}]',
        "an error",
    ],
)
def test_other_words_about_errors_are_none(text):
    assert not tells_fault(text)
