"""Low rights that a request sets itself, as its description lists them, and that its sender may be able to raise:
`is_staff: false`, `role: user`.

Only where nobody may raise them: the object is the sender's own account, as it names him, and he is nobody
in particular: an account that anybody can make, one of a low role by his token or by what he was told about
himself, or one that stands below another and above nobody. Whoever manages others may be asked for such
values rightly. What is called after such a right, as `/users/7/role` is, is the function that gives it:
whether it is open to whom it is not for is asked elsewhere.
"""

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.fields.assignable_here import manages_others
from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES, Property, is_right, is_sure, learned
from gatecrash.core.testing.authorization.objects.answered_objects import Object
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE, shared_roles
from gatecrash.core.testing.authorization.ranks.roles import claims, low_role
from gatecrash.core.testing.known.identity import ANYBODY, Identity
from gatecrash.core.testing.probe import Situation
from gatecrash.core.words.names import words_in


def raised(situation: Situation, shown: Object, body: Object) -> list[Property]:
    """The rights at the top of an object that a body sets, with a higher value: shown as low as the body sets them."""
    low = LOW_ROLES | shared_roles(situation.identities)
    sent = {name for name, value in body.items() if is_right(name) and _is_low(value, low) and shown.get(name) == value}
    sent = {name for name in sent if not _is_called_after(situation.baseline.request, name)}
    if not sent or not _is_himself(situation, shown) or not _is_nobody(situation, low):
        return []
    rest = {name: value for name, value in body.items() if name not in sent}
    found = (each for each in learned(shown, rest, situation.random) if not each.path and each.name in sent)
    return [each._replace(written=(each.name,)) for each in found if is_sure(each, low)]


def _is_low(value: object, low: frozenset[str]) -> bool:
    return value is False or (isinstance(value, str) and value.lower() in low)


def _is_called_after(request: Request, right: str) -> bool:
    """Whether the last word of an address is the right: `/users/7/role`, `/members/7/set-admin` of `is_admin`."""
    last = request.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1")
    return not {singular(word) for word in words_in(last)}.isdisjoint(singular(word) for word in words_in(right)[-1:])


def _is_himself(situation: Situation, shown: Object) -> bool:
    """Whether an object names its sender, by more than a number, which another's thing may have too."""
    told = {str(value).lower() for value in shown.values() if isinstance(value, str) and not value.isdigit()}
    return not holder_values(situation).isdisjoint(told)


def _is_nobody(situation: Situation, low: frozenset[str]) -> bool:
    own = next(iter(situation.identities), None)
    if own is not None and (own.rank <= ANYBODY or _is_below(own, situation)):
        return True
    role = low_role(claims(situation.baseline.request, situation.credentials), low)
    heard = {known.removeprefix(HAS_ROLE) for known in own.known if known.startswith(HAS_ROLE)} if own else set()
    return role != "" and (bool(role) or (bool(heard) and heard <= low))


def _is_below(own: Identity, situation: Situation) -> bool:
    return any(each.rank > own.rank for each in situation.identities) and not manages_others(situation)
