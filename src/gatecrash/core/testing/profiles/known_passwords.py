"""Passwords that a record shows an account to have had: its logins bring them, and changes of one's own password set them.

Which of them holds depends on the target: it is as the record left it, was set up anew, or a test has changed the password as the
record did. So a login that is refused is sent once more with each of the others; none is made up.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from gatecrash.core.auth.logins import is_password
from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.authorization.callers.password_changes import password_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.places.walked_points import walked

_MOST_OTHERS: Final = 2
"""With the first one no more wrong passwords in a row than accounts are locked for."""


def password_set(exchange: Exchange, name: str) -> bytes:
    """The password that somebody of this name gave himself; empty where a request does no such thing."""
    request = exchange.request
    change = None if is_safe(request) else password_change(request, frozenset({name}), proven=True)
    if change is None or exchange.response is None or not is_taken(exchange.response):
        return b""
    return next((each.value for each in walked(request) if each.point == change.new), b"")


def password_sent(login: Request) -> bytes:
    """The one password that a login brings; empty where it brings none, or several."""
    found = _password(login)
    return b"" if found is None else found.value


def with_others(login: Exchange, passwords: Iterable[bytes]) -> Iterator[Exchange]:
    """The login with each of these in the place of its own, the last known first."""
    found = _password(login.request)
    if found is None:
        return
    others = [each for each in dict.fromkeys(reversed(list(passwords))) if each not in (b"", found.value)]
    for password in others[:_MOST_OTHERS]:
        try:
            yield msgspec.structs.replace(login, request=rewrite(login.request, found.point, password))
        except UserError:
            return


def _password(login: Request) -> Found | None:
    fields = (each for each in walked(login) if each.point[0] in ("get", "post") and not each.container)
    held = [each for each in fields if is_password(each.point[-1].encode("utf-8", "replace"))]
    return held[0] if len(held) == 1 else None
