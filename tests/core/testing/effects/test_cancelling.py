"""What says by its name that it cancels something."""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.cancelling import cancels

JSON = (b"Content-Type", b"application/json")


def asked(document: str) -> Request:
    return Request("POST", b"/graphql", (JSON,), json.dumps({"query": document}).encode())


def called(method: str) -> Request:
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"id": 7}}
    return Request("POST", b"/rpc", (JSON,), json.dumps(call).encode())


@pytest.mark.parametrize(
    "request_",
    [
        asked("mutation { cancelVisit(id: 7) }"),
        asked("mutation { withdrawOffer(id: 7) { id } }"),
        asked("mutation { revokeKey(id: 7) }"),
        called("visit.cancel"),
    ],
)
def test_it_is_told_by_the_first_word(request_: Request):
    assert cancels(request_)


@pytest.mark.parametrize(
    "request_",
    [
        asked("{ cancelReasons { id } }"),
        asked("mutation { moveVisit(id: 7) }"),
        asked("mutation { withdrawMoney(amount: 7) }"),
        called("visit.move"),
        Request("POST", b"/visits/7/cancel"),
        Request("GET", b"/visits/7"),
    ],
)
def test_what_reads_or_does_something_else_or_has_an_address_of_its_own_does_not(request_: Request):
    assert not cancels(request_)
