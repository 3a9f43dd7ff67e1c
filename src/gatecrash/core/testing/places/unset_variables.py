"""Variables that a GraphQL query declares and that nobody gave a value: the search box of a page that was left empty.

Clients send one document whatever is filled in, and leave out what is not. A text stands there as the server takes it for
none: as the document's default, or as an empty one.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import orjson

from gatecrash.core.message import with_body
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.operations.graphql import document_of, only_queries
from gatecrash.core.testing.operations.unfiltered import optional_texts


def with_unset(baseline: Baseline) -> Iterator[Baseline]:
    """The baseline with all of them, where a JSON body has any; what changes something is left alone, which an empty text may empty."""
    request = baseline.request
    declared = optional_texts(document_of(request)) if request.body and only_queries(request) else {}
    message = _message(request.body) if declared else None
    if message is None:
        return
    given = message.get("variables") or {}
    unset = {name: text for name, text in declared.items() if given.get(name) is None}
    if unset:
        fuller = with_body(request, orjson.dumps(message | {"variables": {**given, **unset}}))
        yield Baseline(baseline.id, msgspec.structs.replace(baseline.exchange, request=fuller))


def _message(body: bytes) -> dict[str, Any] | None:
    """One operation, its variables an object or none."""
    try:
        message = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    is_one = isinstance(message, dict) and isinstance(message.get("variables") or {}, dict)
    return message if is_one else None
