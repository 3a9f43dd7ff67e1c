"""What else must be an account's own: a telephone number, a company's name, a handle.

A description shows one of each. The first account has it, and every later one is refused, also that of the next scan.
So a registration that is refused because somebody is there already is sent once more with others.
"""

import re
import secrets

from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import CONFLICT
from gatecrash.core.testing.authorization.fields.properties import made_unique
from gatecrash.core.testing.authorization.fields.sent_objects import body_of, sending
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.profiles.entrance import fields

_TAKEN = re.compile(r"already|taken|in use|exists|duplicate|unique|registered", re.IGNORECASE)
_LETTERS = 8
# A database's own refusal is often answered as an error of the server.
_CONFLICT, _UNFIT = frozenset({CONFLICT, 500}), frozenset({400, 403, 422})


def is_taken_by_another(response: Response) -> bool:
    """Whether a registration is refused because of what somebody else has."""
    return response.status in _CONFLICT or (response.status in _UNFIT and bool(_TAKEN.search(text_of(response))))


def with_its_own(registration: Request, mark: str) -> Request:
    """The registration with numbers and names that nobody else has; itself where its body holds none."""
    body = body_of(registration)
    return registration if body is None else sending(registration, made_unique(body, mark))


def registered_anew(registration: Request, response: Response) -> Request | None:
    """The registration with names and addresses that nobody has yet, where its answer says that somebody has them; None for any other
    answer, and for what makes no account: an example is there once, from the scan before perhaps.
    """
    makes_one = registration.method.upper() == "POST" and "password" in fields(registration).values()
    if not makes_one or signs_in(registration) or _TAKEN.search(text_of(response)) is None:
        return None
    anew = with_its_own(registration, fresh_letters(secrets.SystemRandom(), _LETTERS))
    return None if anew == registration else anew
