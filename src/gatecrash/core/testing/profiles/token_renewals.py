"""Renewals that a record shows: a token given for another, of the same user, by a request that says so.

renews(request)        whether it is sent to be given a fresh token
renewed_by(answer)     the token that it was given, and where it stands; None for none
"""

import re
from typing import Final

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.operations.graphql import address_of
from gatecrash.core.testing.profiles.entrance import token_in
from gatecrash.core.testing.profiles.profile import Take

# Of the path's last words: `/auth/refresh`, `/token/renew`, `/auth/exchange-token`; and of the body: `refresh_token`.
_SAYS_SO: Final = re.compile(
    r"(?:refresh|renew|extend|rotate|exchange)(?:[-_]?(?:access)?[-_]?(?:token|session|jwt))?/?$", re.IGNORECASE
)
_CARRIES: Final = re.compile(rb"refresh[-_]?token|[\"'&]refresh[\"'=]|^refresh=", re.IGNORECASE)
_LEAST_TOKEN: Final = 12


def renews(request: Request) -> bool:
    """Whether a request asks for a fresh token in the place of another; whose it is says what it carries."""
    if request.method.upper() not in ("POST", "PUT"):
        return False
    return _SAYS_SO.search(address_of(request)) is not None or _CARRIES.search(request.body) is not None


def renewed_by(answer: Response) -> tuple[Take, str] | None:
    """The token of an answer, and where it is read there."""
    found = token_in(answer)
    return found if found is not None and len(found[1]) >= _LEAST_TOKEN else None
