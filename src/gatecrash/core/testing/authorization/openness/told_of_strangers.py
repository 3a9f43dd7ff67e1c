"""Whether an answer tells of several people, who are nothing to each other, what nobody puts into a directory.

Customers, patients and their like must be called so, by the answer or by its address: authors, players and clubs have dates of
birth, balances and accounts that are published. Each must be told with how to reach him, and nothing may be masked.
Passwords of several accounts, and what signs them in, are nobody's to read, whoever they are.
"""

import re
from typing import Final

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.answered_objects import objects_in
from gatecrash.core.testing.authorization.owners.private_fields import (
    STRANGERS,
    contacts_of_several,
    is_contact,
    secret_of_several,
)
from gatecrash.core.testing.forms.tokens import is_random
from gatecrash.core.testing.oracles.leaks.accounts import passwords_listed_in
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.words.english import in_english

# A device's or a form's token signs nobody in.
_SESSION: Final = re.compile(
    r"(?:access|auth|session|bearer|login|refresh)?[-_]?(?:token|jwt)|sid|session(?:[-_]?(?:id|key|token))?",
    re.IGNORECASE,
)
_HOLDER: Final = re.compile(
    r"(?:user|account|member|owner)(?:[-_]?(?:id|name|e?mail))?|e?mail|login|sub", re.IGNORECASE
)
_LEAST_TOKEN: Final = 20
_MASKS = (b"**", b"\xe2\x80\xa2\xe2\x80\xa2", b"XXXX", b"xxxx")


def kept_of_strangers(request: Request, response: Response) -> str:
    """The name of the field that tells it; empty where none does."""
    if b"@" not in response.body or any(mask in response.body for mask in _MASKS):
        return ""
    secret = secret_of_several(response)
    if not secret:
        return ""
    told = contacts_of_several(response) or (_is_of_strangers(request) and _contacts(response) > 1)
    return secret if told else ""


def _is_of_strangers(request: Request) -> bool:
    path = in_english(request.path.decode("latin-1"))
    return any(STRANGERS.fullmatch(part) for part in path.split("/"))


def _contacts(response: Response) -> int:
    return len({leaf.value for leaf in leaves(response) if leaf.path and is_contact(leaf.path[-1])})


def passwords_of_several(response: Response) -> str:
    """What an answer calls the passwords of two accounts at least in a list of such, or their hashes; empty where it tells none.
    Those of who wrote a note, or of both whom a message names, are too much in an answer that is its reader's to have.
    """
    return "passwords of several accounts" if passwords_listed_in(response) > 1 else ""


def sessions_of_several(response: Response) -> str:
    """What an answer calls the session tokens of two people at least, each beside who has it; empty where it tells none."""
    whose: dict[str, str] = {}
    for each in objects_in(response):
        tokens = [str(value) for name, value in each.items() if _SESSION.fullmatch(name)]
        people = [str(value) for name, value in each.items() if _HOLDER.fullmatch(name) and value]
        if len(tokens) == 1 and people and len(tokens[0]) >= _LEAST_TOKEN and is_random(tokens[0]):
            whose[tokens[0]] = people[0]
    return "session tokens of several people" if len(set(whose.values())) > 1 else ""
