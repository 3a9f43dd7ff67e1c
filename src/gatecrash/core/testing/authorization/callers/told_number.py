"""The number, or the other identifier, that an application gives to an account, where it tells its holder: `{"user": {"id": 7}}`.

told_number(response, name)      empty where nothing surely says it
"""

import re
from typing import Final

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.tokens.issued_tokens import handed_out
from gatecrash.core.testing.authorization.tokens.jwt import parse
from gatecrash.core.testing.oracles.leaves import Leaf, leaves

_NUMBER: Final = re.compile(r"\d{1,18}|[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# By what the field is called, or the object that it stands in; what is only called `id` may be anything's.
_OF_AN_ACCOUNT: Final = re.compile(r"(?:user|account|member|customer|profile)_?(?:uu)?id|uid", re.IGNORECASE)
_ACCOUNT: Final = re.compile(r"(?:new_?|created_?)?(?:user|account|member|customer|profile)", re.IGNORECASE)
_ID: Final = re.compile(r"_?(?:uu)?id", re.IGNORECASE)
_CLAIMED: Final = ("sub", "id", "_id")


def told_number(response: Response, name: str) -> str:
    """What an answer to a registration or a login, which had this name, tells of the account's number; a token's claims as well.

    An `id` is the account's beside that name, or in what is called an account.
    """
    told = leaves(response)
    named = {leaf.path[:-1] for leaf in told if leaf.path and leaf.value.lower() == name.lower()}
    own = (leaf.value for leaf in told if _is_of_account(leaf, named))
    return next((value for value in own if _NUMBER.fullmatch(value)), "") or _claimed(response)


def _is_of_account(leaf: Leaf, named: set[tuple[str, ...]]) -> bool:
    if not leaf.path:
        return False
    if _OF_AN_ACCOUNT.fullmatch(leaf.path[-1]):
        return True
    beside = leaf.path[:-1] in named or (len(leaf.path) > 1 and _ACCOUNT.fullmatch(leaf.path[-2]) is not None)
    return beside and _ID.fullmatch(leaf.path[-1]) is not None


def _claimed(response: Response) -> str:
    """What a token in an answer claims of its holder."""
    tokens = (parse(each.value) for each in handed_out(response))
    claims = [token.payload for token in tokens if token is not None]
    claims += [
        inner for each in claims for word, inner in each.items() if isinstance(inner, dict) and _ACCOUNT.fullmatch(word)
    ]
    found = (
        str(value)
        for each in claims
        for word, value in each.items()
        if (_OF_AN_ACCOUNT.fullmatch(word) or word in _CLAIMED) and value is not True
    )
    return next((value for value in found if _NUMBER.fullmatch(value)), "")
