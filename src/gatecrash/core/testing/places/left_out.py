"""Optional parameters and arguments of a description whose values the target refused: tested beside the request that works without them.

A scan asks for what a document calls optional one by one, and keeps what is answered well. A made-up value often names
nothing (`?file=example` is a 404), and the parameter that reads files would never be looked at.
"""

from collections.abc import Iterable, Iterator

import msgspec

from gatecrash.core.message import Request, Response, with_body
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.operations.graphql import only_queries


class LeftOut(msgspec.Struct, frozen=True):
    """One parameter. query: of the request that has it. response: what that was answered. body: of a GraphQL query that has it."""

    query: bytes
    response: Response
    body: bytes = b""


def left_out(request: Request, response: Response) -> LeftOut:
    """What was refused, of the request that has it."""
    return LeftOut(request.query or b"", response, request.body if only_queries(request) else b"")


def with_left_out(baseline: Baseline, left_out: Iterable[LeftOut]) -> Iterator[Baseline]:
    """The baseline as it is with each of them, alone."""
    for one in left_out:
        request = with_body(baseline.request, one.body) if one.body else _with_query(baseline.request, one.query)
        yield Baseline(baseline.id, msgspec.structs.replace(baseline.exchange, request=request, response=one.response))


def _with_query(request: Request, query: bytes) -> Request:
    changed: Request = msgspec.structs.replace(request, target=request.path + b"?" + query)
    return changed
