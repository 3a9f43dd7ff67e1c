"""What a description says how to delete and the scan has not made: that was there before, and is somebody's.

Nobody has asked for the deletion of one thing, as a record or a saved request does: an operation was described. So it
is sent only about what was made here: by a request at the address above it, by a registration, or at the very address
where there is one of a kind (`/cart`); and about whoever is signed in (`/me`), but for his account where it is somebody's,
whom an auth profile names. All else is left alone, and told with what to do; so is what resets or restarts all there is.
What says by its name or its address that it cancels something is taken for a deletion.
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.cancelling import cancels
from gatecrash.core.testing.effects.destruction import DELETES, deletes, destroys, resets_all
from gatecrash.core.testing.effects.sign_out import ends_account
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.answered import is_good
from gatecrash.node.scan.drafts.known_values import KnownValues, segments

_OF_ONESELF = re.compile(rb"/(?:me|self|myself|my|mine|current|own|account|profile)(?=/|$)", re.IGNORECASE)


def ends_something(request: Request) -> bool:
    """Whether a request destroys or cancels something, so that it is sent last of all."""
    return destroys(request) is not None or cancels(request)


def is_kept(draft: Draft, known: KnownValues, *, somebodys: bool = False) -> bool:
    """Whether a draft would delete or reset what was there before, as far as answers tell. somebodys: whether its sender's
    account is no one that was made here.
    """
    request = draft.request
    if somebodys and draft.operation and ends_account(request):
        return True
    if not (draft.holes or draft.operation) or (destroys(request) != DELETES and not cancels(request)):
        return False
    if not (deletes(request) or cancels(request)):  # it resets, restarts or ends: all there is, where nothing is said
        return draft.operation and (resets_all(request) or (not request.body and not draft.holes))
    return not known.made(draft) and _OF_ONESELF.search(request.path) is None


def thing_of(draft: Draft) -> tuple[str, str]:
    """The innermost thing that a path names and no document shows: what such things are called there, and which; empty for none."""
    path = segments(draft.request)
    places = [int(hole.point[1]) for hole in draft.holes if hole.point[0] == "path" and not hole.given]
    at = max(places, default=0)
    return (path[at - 1], path[at]) if 0 < at < len(path) else ("", "")


def makes(draft: Draft, kind: str) -> bool:
    """Whether it made a thing of that kind."""
    return draft.request.method == "POST" and is_good(draft.response) and segments(draft.request)[-1] == kind
