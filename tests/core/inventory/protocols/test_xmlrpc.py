"""XML-RPC methods, and documents that only look like calls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, is_name
from gatecrash.core.inventory.protocols.xmlrpc import SPEAKER, method_called

CALL = b"<?xml version='1.0'?>\n<methodCall>\n<methodName>berth.find</methodName>\n<params></params></methodCall>"


def called(body: bytes, kind: bytes = b"text/xml") -> tuple[str, ...] | None:
    return SPEAKER.operations(Call("POST", b"/xmlrpc", b"", kind, b"", None, body))


@pytest.mark.parametrize("kind", [b"text/xml", b"application/xml"])
def test_the_method_is_the_operation(kind: bytes) -> None:
    assert called(CALL, kind) == ("berth.find",)
    assert called(CALL.replace(b"berth.find", b" berth.find\n"), kind) == ("berth.find",)
    assert SPEAKER.protocol is Protocol.REST


@pytest.mark.parametrize(
    "body",
    [
        b"<order><methodName>berth.find</methodName></order>",
        b"<methodCall><params/></methodCall>",
        b"<methodCall><methodName>a b</methodName></methodCall>",
        b"<methodCall><methodName>&name;</methodName></methodCall>",
        b"<methodResponse><params/></methodResponse>",
        b"",
    ],
)
def test_what_calls_no_method_is_none(body: bytes) -> None:
    assert called(body) is None
    assert method_called(body) == ""


def test_another_type_is_none() -> None:
    assert called(CALL, b"application/json") is None


@given(st.binary(max_size=200))
def test_no_body_raises_and_names_are_names(body: bytes) -> None:
    assert all(map(is_name, called(b"<methodCall><methodName>" + body) or ()))
