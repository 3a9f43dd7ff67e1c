"""XML-RPC: one path, and the method that the message calls.

Counted as REST, as JSON-RPC is: only what is called there tells the endpoints of one address apart. Nothing is parsed as XML: no
entity is opened and no document type read.

Known misses: the calls within `system.multicall`, which is the method then.
Standards and references: the XML-RPC specification, "Requests".
"""

import re

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, Speaker, is_name

_TYPES = frozenset({b"text/xml", b"application/xml"})
_METHOD_NAME = re.compile(rb"<methodName>\s*+([\w.:/-]{1,100})\s*+</methodName>")


def operations(call: Call) -> tuple[str, ...] | None:
    """The method called; nothing where the message is no call."""
    name = method_called(call.body) if call.content_type in _TYPES else ""
    return (name,) if is_name(name) else None


def method_called(body: bytes) -> str:
    """The name of the method that a message calls; empty where it is none of XML-RPC."""
    found = _METHOD_NAME.search(body) if b"<methodCall" in body else None
    return found[1].decode("latin-1") if found is not None else ""


SPEAKER = Speaker(Protocol.REST, operations)
