"""Optional parameters of a description whose values the target refused: tested beside the request that works without them.

A scan asks for what a document calls optional one by one, and keeps what is answered well. A made-up value often names
nothing (`?file=example` is a 404), and the parameter that reads files would never be looked at.
"""

from collections.abc import Iterable, Iterator

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.baseline import Baseline


class LeftOut(msgspec.Struct, frozen=True):
    """One parameter. query: of the request that has it. response: what that was answered."""

    query: bytes
    response: Response


def with_left_out(baseline: Baseline, left_out: Iterable[LeftOut]) -> Iterator[Baseline]:
    """The baseline as it is with each of them, alone."""
    for one in left_out:
        request: Request = msgspec.structs.replace(baseline.request, target=baseline.request.path + b"?" + one.query)
        yield Baseline(baseline.id, msgspec.structs.replace(baseline.exchange, request=request, response=one.response))
