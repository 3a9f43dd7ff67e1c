"""Whether an answer tells of several people, who are nothing to each other, what nobody puts into a directory.

Customers, patients and their like must be called so, by the answer or by its address: authors, players and clubs have dates of
birth, balances and accounts that are published. Each must be told with how to reach him, and nothing may be masked.
Passwords of several accounts are nobody's to read, whoever they are.
"""

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.leaves import leaves
from gatecrash.core.testing.authorization.owners.ownership import (
    STRANGERS,
    contacts_of_several,
    is_contact,
    secret_of_several,
)
from gatecrash.core.testing.oracles.accounts import passwords_in
from gatecrash.core.words.english import in_english

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
    """What an answer calls the passwords of two accounts at least, or their hashes; empty where it tells none."""
    return "passwords of several accounts" if len(passwords_in(response)) > 1 else ""
