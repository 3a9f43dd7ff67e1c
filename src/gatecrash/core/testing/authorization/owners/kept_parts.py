"""The part of a thing that its owner keeps to himself, though all know the thing: `/songs/7/draft`.

A list that shows a song to everybody says nothing of what its author has not published. Notes, documents and bills of a
project are none: a team has them together.
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.words.english import in_english

_KEPT = re.compile(r"(?:my-?|own-?)?drafts?|private(?:-?\w+)?|secrets?|diary|personal", re.IGNORECASE)


def is_kept_part(request: Request, named: Named) -> bool:
    """Whether the last word of a path, right behind the identifier, says so."""
    before, _, last = in_english(request.path.rstrip(b"/").decode("latin-1")).rpartition("/")
    is_behind = named.point[0] == "path" and before.count("/") == int(named.point[1]) + 1
    return is_behind and _KEPT.fullmatch(last) is not None
