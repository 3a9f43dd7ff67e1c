"""JSON-RPC: one path, and the method that the message calls; a batch calls a method each.

Counted as REST, whose addresses such services share: only what is called there tells their endpoints apart. A message without the
version that the specification asks for may be any object with a `method`, and is none.

Known misses: JSON-RPC 1.0, whose messages have no version.
Standards and references: JSON-RPC 2.0, sections 4 and 6.
"""

import orjson

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, Speaker, is_name

_JSON = frozenset({b"application/json", b"application/json-rpc", b"application/jsonrequest"})
_MOST_BATCH = 20


def operations(call: Call) -> tuple[str, ...] | None:
    """The methods called, each once; nothing where the request is no JSON-RPC."""
    if call.content_type not in _JSON or b'"jsonrpc"' not in call.body:
        return None
    try:
        read = orjson.loads(call.body)
    except orjson.JSONDecodeError:
        return None
    named = [_method(message) for message in (read[:_MOST_BATCH] if isinstance(read, list) else [read])]
    return tuple(dict.fromkeys(named)) if named and all(named) else None


def _method(message: object) -> str:
    method = message.get("method") if isinstance(message, dict) and "jsonrpc" in message else None
    return method if isinstance(method, str) and is_name(method) else ""


SPEAKER = Speaker(Protocol.REST, operations)
