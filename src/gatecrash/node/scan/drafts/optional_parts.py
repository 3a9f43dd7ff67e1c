"""What a description calls optional of a request that only reads, so that it can be asked with some of it.

Of a query these are its parameters, of GraphQL the variables: an argument whose variable has no value is one that was not given
(GraphQL section 6.4.1).
"""

from collections.abc import Collection
from typing import Any

import msgspec
import orjson

from gatecrash.core.message import Request, with_body
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.places.left_out import LeftOut

MOST_PARTS = 8
"""Requests that are spent to find out which of them are refused."""


def parts_of(whole: Request, spare: Request) -> list[str]:
    """The names of what the whole has more than the spare one; none where they are more than are worth asking for."""
    read = _variables if only_queries(whole) else _parameters
    needed = read(spare)
    found = [name for name in read(whole) if name not in needed]
    return found if len(found) <= MOST_PARTS else []


def with_parts(whole: Request, spare: Request, parts: Collection[str]) -> Request:
    """The whole without those parts that the spare one has not, but for these."""
    left_out = set(parts_of(whole, spare)) - set(parts)
    if only_queries(whole):
        return _with_variables(whole, {name: one for name, one in _variables(whole).items() if name not in left_out})
    kept = [pair for name, pairs in _parameters(whole).items() if name not in left_out for pair in pairs]
    target = whole.path + (b"?" + "&".join(kept).encode("latin-1") if kept else b"")
    aimed: Request = msgspec.structs.replace(whole, target=target)
    return aimed


def with_refused(request: Request, part: LeftOut) -> Request:
    """The request with what was refused of another, and it has not."""
    if part.body:
        other = msgspec.structs.replace(request, body=part.body)
        return _with_variables(other, _variables(other) | _variables(request))
    own = _parameters(request)
    asked = _parameters(msgspec.structs.replace(request, target=request.path + b"?" + part.query))
    pairs = [pair for name, listed in (own | asked).items() for pair in own.get(name, listed)]
    changed: Request = msgspec.structs.replace(request, target=request.path + b"?" + "&".join(pairs).encode("latin-1"))
    return changed


def _with_variables(request: Request, variables: dict[str, Any]) -> Request:
    document = orjson.loads(request.body)
    document["variables"] = variables
    return with_body(request, orjson.dumps(document))


def _parameters(request: Request) -> dict[str, list[str]]:
    """The pairs of a query by their names."""
    found: dict[str, list[str]] = {}
    for pair in (request.query or b"").decode("latin-1").split("&"):
        if pair:
            found.setdefault(pair.partition("=")[0], []).append(pair)
    return found


def _variables(request: Request) -> dict[str, Any]:
    try:
        document = orjson.loads(request.body)
    except orjson.JSONDecodeError:
        return {}
    found = document.get("variables") if isinstance(document, dict) else None
    return found if isinstance(found, dict) else {}
