"""What the members of a query, a form or JSON say of a deletion, where one address does for all: `?action=delete&id=7`,
`{"action": "deleteUser"}`, a button that is called `delete`; and of a GraphQL mutation what it asks to be told of: the
identifier of what it has deleted, whatever it is called itself (`withdrawOffer { deletedOfferId }`, Relay's mutations).
"""

import re
from typing import Final

from gatecrash.core.message import Request
from gatecrash.core.testing.operations.graphql import MUTATES, operation_of
from gatecrash.core.words.named import Words

_REMOVES: Final = r"(?:delete|remove|destroy|erase|purge|wipe|trash)"
_SAYS: Final = Words(
    r"(?:^|&|[{,]\s*\")(?:"
    rf"(?:action|act|do|op|operation|cmd|command|mode|task|event|method)(?:=|\"\s*:\s*\")(?:[\w-]+(?:/|%2f|[:.]))*+(?:bulk[-_]?)?{_REMOVES}(?!d)"
    rf"|{_REMOVES}(?:[-_]?(?:id|ids|item|post|page|file|user|row|entry|selected))?(?:\[\]|%5b%5d)?(?==)"
    r")",
    re.IGNORECASE,
)
# Asked of every request: what is not said in English is left to the address.
_SAID: Final = re.compile(_REMOVES, re.IGNORECASE)
_TOLD_AS_DELETED: Final = re.compile(rb"(?<![\w$])deleted\w*?Ids?(?![\w:])")


def says_to_delete(members: str) -> bool:
    """Whether they say that something is deleted."""
    return _SAID.search(members) is not None and _SAYS.search(members) is not None


def is_told_what_it_deleted(request: Request) -> bool:
    """Whether a GraphQL mutation selects the identifier of what was deleted."""
    if b"deleted" not in request.body or _TOLD_AS_DELETED.search(request.body) is None:
        return False
    operation = operation_of(request)
    return operation is not None and operation.type == MUTATES
