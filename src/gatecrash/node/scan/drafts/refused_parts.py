"""What a described list refused to be asked by while it had no rows (`?sort=example`), asked for by what its rows have by now.

An account that was just made has nothing, and its lists tell no column to sort by and no state to choose. Once the scan has made
something they do. What made the application fall over, and does so still, is left alone.
"""

from collections.abc import Awaitable, Callable

import msgspec

from gatecrash.core.message import Response
from gatecrash.core.statuses import FIRST_SERVER_ERROR
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.places.left_out import LeftOut
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.known_values import KnownValues
from gatecrash.node.scan.drafts.optional_parts import with_refused

Send = Callable[[Draft], Awaitable[Draft | None]]


async def by_its_rows(draft: Draft, known: KnownValues, send: Send) -> Draft:
    """The draft with whatever of its refused parts is answered well with a value out of the rows."""
    if any(hole.loose for hole in draft.holes) and not known.lists(draft.request):
        await send(draft)
    whole, refused = draft, list[LeftOut]()
    for part in draft.left_out:
        before = with_refused(whole.request, part)
        better = known.filled(msgspec.structs.replace(whole, request=before))
        answered = await send(better) if better.request != before else None
        if answered is not None and isinstance(answered.response, Response) and is_good(answered.response):
            whole = answered
        elif part.response.status != FIRST_SERVER_ERROR:
            refused.append(part)
    return msgspec.structs.replace(whole, left_out=tuple(refused))
