"""Evidence that a caller is an ordinary user: the roles in his token or in what the application tells him about
himself, or how he got his account.
"""

import re
from collections.abc import Generator

import msgspec

from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import REGISTRATION, account_request
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.callers.oneself import HIGH
from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS, objects_in
from gatecrash.core.testing.authorization.objects.named import listing
from gatecrash.core.testing.authorization.ranks.role_sections import ordinary_roles, role_word
from gatecrash.core.testing.authorization.ranks.roles import claims, fields, low_role, manages
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import ANYBODY
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

MOST_ASKED = 3
# Who has registered what he is at the head of.
_HEADS = re.compile(r"owner|founder|director|head|chief|principal|lead|editor|boss")
# Who takes part in what others run, and keeps nothing of his own there that he would have to manage, as who sells or lets does.
_TAKE_PART = frozenset({"driver", "rider", "passenger", "renter", "borrower", "candidate", "traveler", "traveller"})
_CALLED = (*IDENTIFIERS, "email", "username", "login")
_ABOUT_ONESELF = (b"/me", b"/users/me", b"/profile")

_Saying = Generator[TestRequest, Answer, str]


def ordinary(situation: Situation, section: bytes) -> _Saying:
    """What says so of the sender of a baseline, in words; empty where nothing does, or anything says that he is more.

    section: the path before what is meant for others, which he may be introduced below.
    """
    request = situation.baseline.request
    told = claims(request, situation.credentials)
    if any(HIGH.search(value) for _, value in told):
        return ""
    if situation.identities and situation.identities[0].rank <= ANYBODY:
        return "Its caller is an account that anybody can make by the registration."
    if is_lower_at_draft(situation):
        return "Its caller is of a lower rank than another identity."
    low = _low_roles(situation)
    role = low_role(told, low)
    if role is not None:
        return f"Its caller's token says that he is {role!r}." if role else ""
    for path in _ABOUT_ONESELF:
        answer = response_of((yield from ask(listing(request, section + path), "control")))
        role = low_role(fields(answer), low) if is_good(answer) else None
        if role is not None:
            where = (section + path).decode("latin-1")
            return f"Of its caller {where} says that he is {role!r}." if role else ""
    return ""


def is_at_the_head(situation: Situation, section: bytes) -> Generator[TestRequest, Answer, bool]:
    """Whether the application tells the sender of a baseline that he manages others, or is the head of something:
    whoever registers a company may be its administrator.
    """
    for path in _ABOUT_ONESELF:
        answer = response_of((yield from ask(listing(situation.baseline.request, section + path), "control")))
        if is_good(answer):
            told = fields(answer)
            return manages(told) or _HEADS.search(role_word(told)) is not None
    return False


def _low_roles(situation: Situation) -> frozenset[str]:
    """What low roles are called, by everybody or by this application: a role that whoever registers is given. Who
    registers a company manages it.
    """
    given = (role for own in situation.identities[:1] for role in ordinary_roles(own))
    low = LOW_ROLES | _TAKE_PART
    return low.union(role for role in given if not HIGH.search(role) and _HEADS.search(role) is None)


def is_lower_at_draft(situation: Situation) -> bool:
    """Whether somebody stands above the sender of a request that is only described: no page of his own led him to it."""
    own = situation.identities[:1]
    return situation.baseline.exchange.drafted and any(each.rank > own[0].rank for each in situation.identities)


def as_visitors_register(situation: Situation) -> Situation:
    """The same without credentials where it registers somebody by GraphQL for a caller of whom nothing is known: whom it lets
    in so may be anybody.
    """
    exchange = situation.baseline.exchange
    if operation_of(exchange.request) is None or rules_nobody(situation):
        return situation
    account = account_request(exchange)
    if account is None or account.kind != REGISTRATION:
        return situation
    bare = without_credentials(exchange.request, situation.credentials)
    baseline = Baseline(situation.baseline.id, msgspec.structs.replace(exchange, request=bare))
    changed: Situation = msgspec.structs.replace(situation, baseline=baseline, credentials=())
    return changed


def rules_nobody(situation: Situation) -> bool:
    """Whether a GraphQL mutation's caller rules nobody, to whom its schema may offer rights to give: nobody who is known, an
    account that anybody can make, one of a low role, or somebody who changes what he is himself.
    """
    request, response = situation.baseline.request, situation.baseline.response
    if not situation.credentials or (situation.identities and situation.identities[0].rank <= ANYBODY):
        return True
    objects = objects_in(response) if response is not None else []
    shown = {str(each[name]).lower() for each in objects for name in _CALLED if name in each}
    return bool(low_role(claims(request, situation.credentials)) or shown & holder_values(situation))
