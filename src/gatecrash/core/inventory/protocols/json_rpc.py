"""JSON-RPC: one path, and the method that the call names; a batch calls several.

Standards and references: JSON-RPC 2.0, sections 4 and 6.
"""

from functools import lru_cache

import orjson

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, Speaker, is_name

_MARK = b'"jsonrpc"'
_MOST_CALLS = 20


def operations(call: Call) -> tuple[str, ...] | None:
    """The methods called; nothing where no member says that it is JSON-RPC, or no method has a name that may be shown."""
    if call.method.upper() != "POST" or _MARK not in call.body:
        return None
    return tuple(dict.fromkeys(methods_in(call.body))) or None


@lru_cache(64)
def methods_in(body: bytes) -> tuple[str, ...]:
    """The methods that a call, or each of a batch, names; of older versions, too, which have no member that says what they are."""
    try:
        read = orjson.loads(body)
    except orjson.JSONDecodeError:
        return ()
    calls = read[:_MOST_CALLS] if isinstance(read, list) else [read]
    names = [call.get("method") for call in calls if isinstance(call, dict) and ("params" in call or "jsonrpc" in call)]
    return tuple(name for name in names if isinstance(name, str) and is_name(name))


SPEAKER = Speaker(Protocol.JSON_RPC, operations)
