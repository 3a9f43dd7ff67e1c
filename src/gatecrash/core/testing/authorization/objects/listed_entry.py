"""The one entry of a list that a new object is: how its owner reads what has no page of its own.

entry_of(response, "41", "gift")    the object with `id` or `gift_id` 41, as an answer of its own; None for none or several
"""

import re
from typing import Final

import orjson

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.objects.answered_objects import objects_in
from gatecrash.core.testing.oracles.leaves import leaves

_NAMES: Final = frozenset({"id", "uuid", "guid", "oid", "number", "no", "code", "reference", "ref", "slug"})
_SIGNS: Final = re.compile(r"[^a-z]")
_JSON: Final = ((b"Content-Type", b"application/json"),)


def entry_of(response: Response, value: str, kind: str) -> Response | None:
    """The only object of an answer that calls itself so. kind: the word for such things, in the singular."""
    if not any(leaf.value == value for leaf in leaves(response)):
        return None
    plain = _SIGNS.sub("", kind.lower())
    own = _NAMES | {plain + name for name in _NAMES}
    found = [
        each
        for each in objects_in(response)
        if any(str(held) == value and _SIGNS.sub("", name.lower()) in own for name, held in each.items())
    ]
    return Response(200, _JSON, orjson.dumps(found[0])) if len(found) == 1 else None
