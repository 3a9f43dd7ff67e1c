"""Registrations that a record shows: which role the application gives to whoever makes himself an account.

Such a role is the ordinary one, whatever it is called: an `operator` of a crane service drives a crane, and manages nobody.
"""

import re
from collections.abc import Iterable
from typing import Final

from gatecrash.core.message import Exchange
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.authorization.callers.account_endpoints import REGISTRATION, account_request
from gatecrash.core.testing.authorization.ranks.role_sections import role_word
from gatecrash.core.testing.authorization.ranks.roles import fields
from gatecrash.core.testing.oracles.outcomes.refused import refusal

# Whoever registers first, before all others, is often given everything.
_RULES: Final = re.compile(r"admin|root|super|owner")
_MOST_REMEMBERED: Final = 500


class Registrations:
    """What registrations by visitors have told.

    registrations.see(exchange)                         for each exchange of the record that carries no credentials
    registrations.ordinary([({"ann"}, "operator")])     the ordinary roles; given what each user is called, and his role
    """

    def __init__(self) -> None:
        """Nobody has registered yet."""
        self._roles: set[str] = set()
        self._names: set[str] = set()

    def see(self, exchange: Exchange) -> None:
        """One more exchange of a visitor."""
        response = exchange.response
        if response is None or response.status >= FIRST_ERROR or len(self._names) >= _MOST_REMEMBERED:
            return
        account = account_request(exchange)
        if account is None or account.kind != REGISTRATION or refusal(response) is not None:
            return
        self._names.add(account.value.strip().lower())
        role = role_word(fields(response))
        self._roles |= {role} if role else set()

    def ordinary(self, users: Iterable[tuple[Iterable[str], str]]) -> frozenset[str]:
        """The roles that registrations gave, as their answers say or those who registered were told later."""
        told = {role for names, role in users if role and not self._names.isdisjoint(names)}
        return frozenset(role for role in self._roles | told if not _RULES.search(role))
