"""Requests that ask for a session and change nothing that others have."""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.destruction import names_a_change
from gatecrash.core.testing.operations.one_script import spoken_path
from gatecrash.core.words.named import Words

# Of what may be a session's or a token's own address, only the whole of it: what stands below one changes it.
_LETS_IN = Words(
    r"(?<!cata)(?<!ana)(?<!dia)(?<!b)(?:log[-_]?in|sign[-_]?in|logon)(?![a-z])"
    r"|/(?:(?:access|api|auth|oauth2?|user|admin|jwt|bearer|id)[-_]?)?(?:auth(?:enticate|orize)?|sessions?|tokens?)"
    r"(?:/(?:local|basic|credentials|ldap|db|callback|new|create))*(?:\.\w{1,5})?/?$",
    re.IGNORECASE,
)


def asks_to_be_let_in(request: Request) -> bool:
    """Whether a request only asks for a session, with a password or anything else, which changes nothing that others have."""
    lets_in = request.method.upper() == "POST" and _LETS_IN.search(spoken_path(request)) is not None
    return lets_in and not names_a_change(request)
