"""A described GraphQL request without the fields of its answer that its caller may not see, as the refusal names them."""

from collections.abc import Awaitable, Callable

import msgspec

from gatecrash.core.message import Response
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.operations.narrowing import narrowed
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.answered import fails

_MOST_ASKED = 4

Send = Callable[[Draft], Awaitable[Draft | None]]


async def narrower(answered: Draft, send: Send) -> Draft:
    """The draft without the fields that its caller may not see; what changes something only where nothing came of it."""
    for _ in range(_MOST_ASKED):
        response, reads = answered.response, only_queries(answered.request)
        if not isinstance(response, Response) or not (reads or fails(response)):
            break
        allowed = narrowed(answered.request, response)
        spare = narrowed(answered.spare, response) or answered.spare if answered.spare is not None else None
        again = msgspec.structs.replace(answered, request=allowed, spare=spare) if allowed is not None else None
        sent = await send(again) if again is not None else None
        if sent is None:
            break
        answered = sent
    return answered
