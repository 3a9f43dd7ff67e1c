"""The names of functions that are called at one address."""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.operations.procedures import procedure_of


def called(method: object, **more: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": {"id": 7}, "id": 1, **more}).encode()


SOAP = (
    b'<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header><w:Key>k</w:Key>'
    b'</s:Header><s:Body><w:DeleteOrder xmlns:w="urn:w"><w:id>7</w:id></w:DeleteOrder></s:Body></s:Envelope>'
)


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (called("orders.delete"), "orders.delete"),
        (b'{"method": "getUser", "params": [3], "id": 1}', "getUser"),
        (b"[" + called("users.get") + b"," + called("users.delete") + b"]", "users.get/users.delete"),
        (SOAP, "DeleteOrder"),
        (b"<?xml version='1.0'?><methodCall><methodName> orders.drop </methodName></methodCall>", "orders.drop"),
    ],
)
def test_a_call_names_its_function(body, name):
    assert procedure_of(Request("POST", b"/rpc", (), body)) == name


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b'{"method": "card", "amount": 3}',
        b'{"payment": {"method": "card", "params": {}}}',
        b'{"method": "x", "params": ',
        called({"name": "x"}),
        called("a" * 200),
        b"<order><method>x</method></order>",
        b"<methodName>x</methodName>",
    ],
)
def test_what_is_no_call_names_none(body):
    assert procedure_of(Request("POST", b"/rpc", (), body)) == ""


def test_only_what_is_posted_calls():
    assert procedure_of(Request("PUT", b"/rpc", (), called("orders.delete"))) == ""
