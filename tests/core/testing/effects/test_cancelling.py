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
        Request("POST", b"/visits/7/cancel"),
        Request("PUT", b"/visits/cancel/7"),
        Request("POST", b"/v1/visits/7:cancel"),
        Request("POST", b"/api/cancelVisit", (JSON,), b'{"id": 7}'),
        Request("POST", b"/buchungen/7/stornieren"),
        Request("POST", b"/offers/7/withdraw"),
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
        Request("GET", b"/visits/7/cancel"),
        Request("POST", b"/accounts/7/withdraw", (JSON,), b'{"amount": 7}'),
        Request("POST", b"/oauth/revoke", (), b"token=abc"),
        Request("POST", b"/cancel-reasons/7/notes"),
        Request("GET", b"/visits/7"),
    ],
)
def test_what_reads_or_does_something_else_or_says_no_more_than_a_part_does_not(request_: Request):
    assert not cancels(request_)
