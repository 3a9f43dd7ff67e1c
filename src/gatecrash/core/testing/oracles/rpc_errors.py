"""Errors that a JSON-RPC service tells under a good status (JSON-RPC 2.0, section 5.1)."""

import orjson


def tells_fault(text: str) -> bool:
    """Whether an answer is a call's that failed: an error with its code and message in the place of a result."""
    if not text.startswith("{") or '"error"' not in text:
        return False
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    error = said.get("error")
    is_call = "jsonrpc" in said or "id" in said
    told = isinstance(error, dict) and isinstance(error.get("code"), int) and isinstance(error.get("message"), str)
    return is_call and told and said.get("result") is None
