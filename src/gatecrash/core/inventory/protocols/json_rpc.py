"""JSON-RPC: one path, and the functions that the message calls by their names.

A batch calls each of its own. A message says itself that it is one (`"jsonrpc": "2.0"`): other JSON has members called
`method`, too. It is told as REST, whose path it has.

Known misses: JSON-RPC 1.0, whose messages say nothing of it.
References: JSON-RPC 2.0, sections 4 and 6.
"""

import orjson

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, Speaker, is_name

_JSON = frozenset({b"application/json", b"application/json-rpc", b"application/jsonrequest"})
_MOST_BATCH = 20


def operations(call: Call) -> tuple[str, ...] | None:
    """The functions called, each once; nothing where the request is no JSON-RPC."""
    if call.content_type not in _JSON or b'"jsonrpc"' not in call.body:
        return None
    try:
        read = orjson.loads(call.body)
    except orjson.JSONDecodeError:
        return None
    named = [_one(message) for message in (read[:_MOST_BATCH] if isinstance(read, list) else [read])]
    found = [name for name in named if name]
    return tuple(dict.fromkeys(found)) if found and len(found) == len(named) else None


def _one(message: object) -> str:
    """The function of one message, whose name some write like a path (`tools/call`); "" where it is none."""
    if not isinstance(message, dict) or "jsonrpc" not in message:
        return ""
    name = message.get("method")
    return name if isinstance(name, str) and is_name(name.replace("/", ".")) else ""


SPEAKER = Speaker(Protocol.REST, operations)
