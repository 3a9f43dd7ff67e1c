"""Whose an object is to change or to delete, by what the application itself says: who it is named after, who may read it,
whose lists show it, and who works at it together with others.
"""

from collections.abc import Generator

import msgspec

from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import common_tenants, holder_values, values_of
from gatecrash.core.testing.authorization.callers.oneself import WROTE
from gatecrash.core.testing.authorization.objects.made_anew import is_shown
from gatecrash.core.testing.authorization.objects.named import listing, named_objects
from gatecrash.core.testing.authorization.owners.authors import is_said_by
from gatecrash.core.testing.authorization.owners.listed_elsewhere import (
    Listed,
    linked_as,
    listed_elsewhere,
)
from gatecrash.core.testing.authorization.owners.open_to_all import is_open_to_all
from gatecrash.core.testing.authorization.owners.own_form import is_named_by_own_form, stands_in_forms_of_one
from gatecrash.core.testing.authorization.owners.owner_evidence import is_called_so, is_his_by_kind
from gatecrash.core.testing.authorization.owners.ownership import (
    concerns,
    is_changed_by_several,
    is_of_tenant,
    listed_apart,
    names_owner,
    says_who_made,
)
from gatecrash.core.testing.authorization.owners.shared_groups import has_his_own_beside, stands_in_group_of
from gatecrash.core.testing.authorization.owners.where_made import kept_where_made
from gatecrash.core.testing.authorization.ranks.overseers import oversees
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.oracles.outcomes.told_errors import tells_errors
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_APART = "the list in which its owner reads it does not show it to the other"

_Evidence = Generator[TestRequest, Answer, str]


def evidence_of_own(
    situation: Situation,
    other: Identity,
    named: Named,
    by: Exchange,
    *,
    makers: bool = True,
    answered: Response | None = None,
) -> _Evidence:
    """What says that an object is its owner's to change or to delete, in words; empty where nothing does.

    by: how its owner reads it. makers: whether a field that names who made it says whose it
    is. answered: what the application said of the object when its owner changed it, as a page for people names him in
    no field. Who did the same to it in the record himself may do so.
    """
    request = situation.baseline.request
    if named.point[0] == "path" and f"{WROTE}{request.method.upper()} {request.path.decode('latin-1')}" in other.known:
        return ""
    told = yield from _told_of_own(situation, other, named, by, makers=makers, answered=answered)
    if told and (yield from has_his_own_beside(situation, other, named, by)):
        return ""
    return told


def _told_of_own(
    situation: Situation, other: Identity, named: Named, by: Exchange, *, makers: bool, answered: Response | None
) -> _Evidence:
    """The same, whoever may work at it together."""
    asked, before = by.request, response_of(by)
    values = holder_values(situation)
    if concerns(before, values_of(other, situation)):
        return ""
    said = answered if answered is not None and is_shown(answered, named.value) else before
    # What somebody made for the tenant or the team of both is theirs together; what tells its last editor beside, of all who may change it.
    several = is_changed_by_several(before) or is_changed_by_several(said)
    together = several or is_of_tenant(before, common_tenants(other, situation))
    if several and says_who_made(named.point[-1]):
        return ""
    is_named = any(names_owner(each, values, makers=makers and not together) for each in (before, said))
    is_named = is_named or is_said_by(situation.baseline.request, named, said, values)
    if is_named or is_called_so(situation.baseline.request, named, values):
        if (yield from _is_for_both(situation, other, named, by)):
            return ""
        return "the object is named after its owner, as the owner's credentials say"
    if is_his_by_kind(situation.baseline.request, named, before, values):
        return "an answer about the owner himself says that it is his"
    seen = response_of((yield from ask_as(asked, other.name, "control")))
    is_told = tells_errors(text_of(seen)) and not tells_errors(text_of(before))
    if not is_taken(seen) or is_told:
        return "the other identity may not even read it"
    if is_named_by_own_form(asked, before, seen, named):
        return f"a form that each is shown of his own names it by {named.point[-1]!r} for its owner, and something else for the other"
    return (yield from _by_lists(situation, other, named, by, seen))


def _by_lists(situation: Situation, other: Identity, named: Named, by: Exchange, seen: Response) -> _Evidence:
    """Whether a list shows the object to its owner only, as evidence in words.

    by: how the owner reads the object. seen: what the other is answered to the same.
    """
    asked, before = by.request, response_of(by)
    in_path = named.point[0] == "path"
    address = linked_as(situation.baseline.request, named) if in_path else asked.target
    beside = yield from _listed(situation, other, named, address, by)
    if beside.where and not beside.shared:
        return f"{beside.where.decode('latin-1')} shows it to the owner only"
    made_there = yield from kept_where_made(situation, other, named, address)
    if made_there:
        return made_there
    is_apart = not beside.shared and listed_apart(before, seen, named.value, b"")
    if named.collection is None:
        in_forms = stands_in_forms_of_one(situation.baseline.request, named, before, seen)
        return _APART if is_apart or (in_forms and not beside.shared) else ""
    above = listing(situation.baseline.request, named.collection)
    mine = response_of((yield from ask(above, "control")))
    theirs = response_of((yield from ask_as(above, other.name, "control")))
    path = address.partition(b"?")[0]
    if oversees(situation, other, mine, theirs, named.value):
        return ""
    # Where nobody reads the list above, one at a word below it says the same: `/tapes/mine`.
    if not is_taken(mine):
        return _APART if is_apart and named.value.encode() not in asked.path else ""
    return "its list shows it to the owner only" if listed_apart(mine, theirs, named.value, path) else ""


def _listed(
    situation: Situation, other: Identity, named: Named, address: bytes, by: Exchange
) -> Generator[TestRequest, Answer, Listed]:
    """What pages beside say of it; where they say nothing, by the name of the question that its owner reads it by: that of a
    change by a call may say a part of it as well (`editOrderNote`, which is read by `order`).
    """
    beside = yield from listed_elsewhere(situation, other, named, address)
    own = next((each for each in named_objects(by.request) if each.value == named.value), None)
    is_call = operation_of(by.request) is not None or procedure_of(by.request)
    if beside.where or beside.shared or own is None or not is_call:
        return beside
    reading = msgspec.structs.replace(situation, baseline=Baseline(situation.baseline.id, by))
    return (yield from listed_elsewhere(reading, other, own, by.request.target))


def _is_for_both(
    situation: Situation, other: Identity, named: Named, by: Exchange
) -> Generator[TestRequest, Answer, bool]:
    """Whether the other may change it, too, though it names its owner: in a group of both, or where whoever reads it may."""
    before = response_of(by)
    if (yield from stands_in_group_of(situation, other, named, before)):
        return True
    may_be_open = is_open_to_all(situation.baseline.request, named, before)
    return may_be_open and is_taken(response_of((yield from ask_as(by.request, other.name, "control"))))
