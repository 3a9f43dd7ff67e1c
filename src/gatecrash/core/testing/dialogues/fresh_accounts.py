"""Accounts that a test makes for itself, by the registration of the record, and signs in by its login.

account = yield from registered(situation, registration)            the request that made one, and whose it is
session = yield from entered(entrance, account)                     what the login hands out to it
answer = yield from let_in(entrance, account)                       what it answers then
pairs_of(situation)                                                 the registrations and the logins that a probe is given
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.walk import read, walk
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.asking import ask, ask_raw, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import (
    LOGIN,
    REGISTRATION,
    AccountRequest,
    account_request,
    filled_in,
)
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.fields.properties import made_unique
from gatecrash.core.testing.authorization.fields.sent_objects import sending, views_of
from gatecrash.core.testing.authorization.tokens.handed_sessions import Session, session_of
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Situation, TestRequest


class FreshAccount(NamedTuple):
    """An account that was registered. request: the registration. account: which of its fields hold name and password. answer: what
    the registration was answered, where that is known.
    """

    request: Request
    account: AccountRequest
    answer: Response | None = None

    @property
    def password(self) -> str:
        """What it was registered with; empty where the registration names none."""
        held = read(self.request, self.account.password) if self.account.password is not None else None
        return "" if held is None else held.decode("utf-8", "replace")


def pairs_of(situation: Situation) -> list[tuple[Request, Request]]:
    """Each registration with each login of what a probe was given, as a visitor sends them."""
    bare = without_credentials(situation.baseline.request, situation.credentials)
    # As kept they have no headers but those of their bodies: not even a host, without which many servers answer nothing.
    asked = [asking(bare, Page(made.request, rendered=False)) for made in situation.makers]
    kinds = [(account.kind, each) for each in asked if (account := _account(each)) is not None]
    registrations = [each for kind, each in kinds if kind == REGISTRATION]
    return [(each, entrance) for each in registrations for kind, entrance in kinds if kind == LOGIN]


def registered(situation: Situation, registration: Request) -> Generator[TestRequest, Answer, FreshAccount | None]:
    """An account made as recorded, under a fresh name; None where that is refused. Whether it is there its login says, to which many
    registrations send their visitor.
    """
    views = views_of(registration)
    if not views:
        return None
    body = made_unique(views[-1].inner, fresh_letters(situation.random, 6))
    request = sending(registration, views[-1].wrap(body))
    account = _account(request)
    exchange = yield from ask(request, "control")
    answer = response_of(exchange)
    is_made = FIRST_REDIRECT <= answer.status < FIRST_ERROR or is_taken(answer)
    return FreshAccount(request, account, answer) if account is not None and is_made else None


def entered(
    entrance: Request, made: FreshAccount, password: str | None = None
) -> Generator[TestRequest, Answer, Session | None]:
    """What the login hands out to the account; None where it is not let in. password: another than it was registered with."""
    answer = yield from let_in(entrance, made, password)
    return None if answer is None else session_of(answer)


def let_in(
    entrance: Request, made: FreshAccount, password: str | None = None
) -> Generator[TestRequest, Answer, Response | None]:
    """What the login answers the account; None where it is not let in. password: another than it was registered with."""
    own = _account(entrance)
    password = made.password if password is None else password
    entering = filled_in(entrance, own, name_for(own, made), password) if own is not None and password else None
    answer = None if entering is None else response_of((yield from ask_raw(entering, "control")))
    return answer if answer is not None and session_of(answer) is not None else None


def name_for(login: AccountRequest, made: FreshAccount) -> str:
    """What a new account signs in with: the field that is called as the login's, else an e-mail address where the login takes one."""
    sent = {
        found.point[-1]: found.value
        for found in walk(made.request).points
        if found.point[0] == "post" and not found.container
    }
    mail = next((value for value in sent.values() if b"@" in value), None) if "@" in login.value else None
    value = sent.get(login.name[-1], mail)
    return made.account.value if value is None else value.decode("utf-8", "replace")


def _account(request: Request) -> AccountRequest | None:
    """Whose it is, and what it brings. What a probe is given to sign in by has let somebody in, whatever its address says."""
    sent = Exchange(request)
    return account_request(sent, makes_accounts=True) or account_request(sent, let_in=True)
