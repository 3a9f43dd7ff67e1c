"""The sender's own token, put where a request asks about a token and was sent one that is none.

What tells whose a token is, or whether it is one, answers about no made-up value, and nothing of what it looks at is ever
seen: `whoami(token: "…")`, `{"token": "…"}` of a check. Whoever is signed in has one that is good. Only what reads is asked
so: a token that is handed over to be signed out would be gone.
"""

import re
from collections.abc import Iterable

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.authorization.openness.access import may_be_repeated
from gatecrash.core.testing.authorization.tokens.jwt import parse
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Draft

_NAMES_ONE = re.compile(r"(?:(?:access|auth|bearer|id|session)?token|jwt)")


def holding_ones_own(draft: Draft, credentials: Iterable[bytes]) -> Request | None:
    """The draft's request with the sender's token in the place of those that it asks about; None where it asks about none, does more
    than read, or no credential is a JSON Web Token. credentials: what the draft is sent with, as headers have it.
    """
    request = draft.request
    bare = (value.rpartition(b" ")[2] for value in credentials)
    token = next((value for value in bare if parse(value) is not None), None)
    if token is None or not may_be_repeated(request):
        return None
    asked = [
        one.point
        for one in walk(request).points
        if one.point[0] in ("get", "post") and not one.container and _NAMES_ONE.fullmatch(plain(one.point[-1]))
    ]
    try:
        return rewrite_many(request, dict.fromkeys(asked, token)) if asked else None
    except GatecrashError:
        return None
