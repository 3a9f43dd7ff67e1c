"""Which function of another program a request calls: JSON-RPC, XML-RPC and SOAP have one address for all of them.

procedure_of(request)     `orders.delete`, `DeleteOrder`; of a batch the names with a slash between; empty for anything else
References: JSON-RPC 2.0, sections 4 and 6; the XML-RPC specification, "Requests"; SOAP 1.1 section 4.3.
"""

from functools import lru_cache

import orjson

from gatecrash.core.inventory.protocols.call import is_name
from gatecrash.core.inventory.protocols.soap import first_element
from gatecrash.core.inventory.protocols.xmlrpc import method_called
from gatecrash.core.message import Request

_LONGEST = 64 * 1024
_MOST_CALLS = 20
# What stands beside the parameters and holds no value of the caller's (JSON-RPC 2.0, section 4).
ENVELOPE = frozenset({"jsonrpc", "method", "id"})


def procedure_of(request: Request) -> str:
    """The name of the function that is called."""
    body = request.body
    if request.method.upper() != "POST" or not body or len(body) > _LONGEST:
        return ""
    if b'"method"' in body and (b'"params"' in body or b'"jsonrpc"' in body):
        return _in_json(body)
    if b"Envelope" in body:
        return first_element(body) or ""
    return method_called(body)


@lru_cache(64)
def _in_json(body: bytes) -> str:
    try:
        read = orjson.loads(body)
    except orjson.JSONDecodeError:
        return ""
    calls = read[:_MOST_CALLS] if isinstance(read, list) else [read]
    names = [call.get("method") for call in calls if isinstance(call, dict) and ("params" in call or "jsonrpc" in call)]
    return "/".join(name for name in names if isinstance(name, str) and is_name(name))
