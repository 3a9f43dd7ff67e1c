"""Identifiers that stand in the paths of saved requests as they were when somebody wrote them: `/orders/7/lines`.

They name things as a description's parameters do whose value is shown: what is not there any more gives way to what answers
teach, and what is deleted to what was made for it.
"""

import re
from itertools import pairwise

import msgspec

from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole

# Digits, a UUID (RFC 9562), or twelve bytes as document stores count by.
_IDENTIFIER = re.compile(rb"\d{1,19}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}", re.IGNORECASE)
_WORD = re.compile(rb"[a-z][a-z_-]{2,40}", re.IGNORECASE)


def with_numbered(draft: Draft) -> Draft:
    """The draft with a hole for each of them that stands behind a word, and is none yet."""
    segments = draft.request.path.strip(b"/").split(b"/")
    known = {hole.point for hole in draft.holes}
    pairs = pairwise(segments)
    points = [
        Point(("path", str(place)))
        for place, (before, segment) in enumerate(pairs, 1)
        if _IDENTIFIER.fullmatch(segment) and _WORD.fullmatch(before)
    ]
    found = tuple(Hole("id", point, given=True) for point in points if point not in known)
    if not found:
        return draft
    changed: Draft = msgspec.structs.replace(draft, holes=(*draft.holes, *found))
    return changed
