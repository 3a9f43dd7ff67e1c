"""What else must be an account's own: a telephone number, a company's name, a handle.

A description shows one of each. The first account has it, and every later one is refused, also that of the next scan.
So a registration that is refused because somebody is there already is sent once more with others.
"""

import re

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.properties import made_unique
from gatecrash.core.testing.authorization.fields.sent_objects import body_of, sending
from gatecrash.core.testing.oracles.body import text_of

_TAKEN = re.compile(r"already|taken|in use|exists|duplicate|unique|registered", re.IGNORECASE)
# A database's own refusal is often answered as an error of the server.
_CONFLICT, _UNFIT = frozenset({409, 500}), frozenset({400, 403, 422})


def is_taken_by_another(response: Response) -> bool:
    """Whether a registration is refused because of what somebody else has."""
    return response.status in _CONFLICT or (response.status in _UNFIT and bool(_TAKEN.search(text_of(response))))


def with_its_own(registration: Request, mark: str) -> Request:
    """The registration with numbers and names that nobody else has; itself where its body holds none."""
    body = body_of(registration)
    return registration if body is None else sending(registration, made_unique(body, mark))
