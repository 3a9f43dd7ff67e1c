"""Errors that a GraphQL endpoint tells under a good status (GraphQL specification, section 7.1, Response Format)."""

import orjson


def tells_errors(text: str) -> bool:
    """Whether an answer is an object with a list of errors, each with a message."""
    if not text.startswith("{") or '"errors"' not in text:
        return False
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    errors = said.get("errors")
    return (
        isinstance(errors, list) and bool(errors) and all(isinstance(one, dict) and "message" in one for one in errors)
    )
