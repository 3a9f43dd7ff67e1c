"""Bytes of a request body into a JSON object, strictly: what two parsers could read differently is refused.

Refused with a plain 400: no JSON, no object, a name twice in one object, NaN and Infinity (RFC 8259 section 6),
numbers that would become it (1e999), nesting over 32 levels, integers of thousands of digits, and bytes that are no
UTF-8 (RFC 8259 section 8.1).
"""

import json
import math
import re
from typing import Any, NoReturn

from gatecrash.control.api.errors import ApiError

MAX_DEPTH = 32
# PostgreSQL's text cannot hold NUL, and half a surrogate pair cannot be written as UTF-8.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def parse(body: bytes) -> dict[str, Any]:
    """The object in the body. Raises ApiError (400)."""
    try:
        document = _decoder.decode(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ApiError("invalid_value", f"The body is no UTF-8 (byte {error.start}).") from error
    except RecursionError as error:
        raise _too_deep() from error
    except json.JSONDecodeError as error:
        raise ApiError(
            "invalid_value", f"The body is no JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from error
    except ValueError as error:  # an integer with more digits than Python converts
        raise ApiError("invalid_value", "The body holds a number that is too long.") from error
    if not isinstance(document, dict):
        raise ApiError("invalid_type", "The body must be a JSON object.")
    if _depth_exceeds(document, MAX_DEPTH):
        raise _too_deep()
    return document


def is_storable(value: object) -> bool:
    """Whether every text in the value can be stored: no NUL, no half surrogate pair. Names were looked at by `parse`."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            if UNSTORABLE.search(item):
                return False
        elif isinstance(item, dict):
            pending += item.values()
        elif isinstance(item, list):
            pending += item
    return True


def _depth_exceeds(document: object, limit: int) -> bool:
    level: list[object] = [document]
    for _ in range(limit):
        level = [child for item in level for child in _children(item)]
        if not level:
            return False
    return True


def _children(item: object) -> list[object]:
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else []


def _too_deep() -> ApiError:
    return ApiError("invalid_value", f"The body is nested deeper than {MAX_DEPTH} levels.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, its names each once (RFC 8259 section 4: the meaning of repeated names is unpredictable)."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ApiError("invalid_value", "The body has the same name twice in one object.")
    if any(UNSTORABLE.search(name) for name in result):
        raise ApiError("invalid_value", "A name in the body holds a NUL character or half a surrogate pair.")
    return result


def _constant(name: str) -> NoReturn:
    raise ApiError("invalid_value", f"{name} is no JSON number.")


def _number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ApiError("invalid_value", "The body holds a number that is too large.")
    return number


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_number)
