"""Where a described message has what says who calls (a SOAP header's token, `"auth": "{{token}}"` of JSON-RPC, the argument
`token` of GraphQL) and holds no value of its own: what a login gives goes there.
"""

import re

import msgspec

from gatecrash.core.inventory.called_credentials import of_a_call, places_in_a_call
from gatecrash.formats.draft import Credential, Draft

# A name and a password in a header are a user's own, which no login gives.
_OF_A_USER = re.compile(r"passw|pwd|user|login", re.IGNORECASE)


def with_callers(draft: Draft, *, made_up: bool = False) -> Draft:
    """The draft that says where its message wants to be told who calls; itself where it does not, or brings that. made_up:
    nobody wrote any of its values.
    """
    brought = {one.point for one in of_a_call(draft.request)}
    open_ = {hole.point for hole in draft.holes}
    found = [one.point for one in places_in_a_call(draft.request) if one.point not in brought]
    # JSON has a place for it in every call; a text that is written there may be meant.
    points = [point for point in found if made_up or point[1] == "xml" or point in open_]
    if not points:
        return draft
    names = tuple(dict.fromkeys(point[-1].rpartition(":")[2] for point in points))
    told = (Credential("basic" if _OF_A_USER.search(point[-1]) else "bearer", point) for point in points)
    changed: Draft = msgspec.structs.replace(
        draft,
        holes=tuple(hole for hole in draft.holes if hole.point not in points),
        wants=(*draft.wants, *(name for name in names if name not in draft.wants)),
        places=(*draft.places, *told),
    )
    return changed
