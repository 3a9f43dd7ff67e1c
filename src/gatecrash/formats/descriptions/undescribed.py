"""What a login and a registration ask for where a description says nothing of their body.

Descriptions that frameworks write of functions which read the body themselves have no schema for it. By its path such an
operation is known all the same; a name, an address and a password are what nearly all of them ask for, and what else one
lacks its refusal tells.
"""

import orjson

from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.entrance import entrance_of
from gatecrash.formats.descriptions.sample_text import text_for

_ASKED = ("username", "email", "password")


def entering(method: str, path: str) -> dict[str, str]:
    """The members of such a body; empty where the path says of no login and no registration."""
    made = {name: text_for({}, name) for name in _ASKED}
    headers = ((b"Content-Type", b"application/json"),)
    asked = Request(method.upper(), path.encode("utf-8", "replace"), headers, orjson.dumps(made))
    found = entrance_of([asked])
    return made if asked in (found.login, found.registration) else {}
