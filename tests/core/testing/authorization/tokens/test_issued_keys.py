"""A new key is asked for by what is posted to where keys are, or by a call that says so; a list of keys is none."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.tokens.issued_keys import issues_a_key, may_be_issued


def posted(target: str, body: str = '{"name": "server"}', method: str = "POST") -> Request:
    return Request(method, target.encode(), ((b"Content-Type", b"application/json"),), body.encode())


def called(name: str) -> Request:
    return posted("/rpc", f'{{"jsonrpc": "2.0", "id": 1, "method": "{name}", "params": {{}}}}')


@pytest.mark.parametrize(
    "request_",
    [
        posted("/v2/keys"),
        posted("/users/7/tokens"),
        posted("/apiKeys"),
        posted("/api/access-keys/AK7/rotate"),
        posted("/servers/key-pairs/new?for=7"),
        called("createApiKey"),
        called("keys.generate_key"),
    ],
)
def test_a_new_key_is_asked_for(request_):
    assert issues_a_key(request_)


@pytest.mark.parametrize(
    "request_",
    [
        posted("/v2/keys", method="GET"),
        posted("/keys/search"),
        posted("/orders"),
        posted("/monkeys"),
        posted("/keys/7/owner"),
        called("getApiKey"),
        called("listKeys"),
    ],
)
def test_those_that_there_are_or_something_else_is_asked_for(request_):
    assert not issues_a_key(request_)


def test_what_opens_a_database_is_made_for_no_caller():
    assert may_be_issued("a private key")
    assert not may_be_issued("a database address with its password")
