"""Fields that only the application sets elsewhere, and that users of the record set of things themselves: whether a trip is
paid, where a page has a box for it.

set_by(request)           `trips.paid`, of what a recorded request makes or changes
may_be_set(situation)     those of the sender, and of whoever may do no more than he

Of people nothing counts: a client that sends an account back as it was shown sets nothing. Nor does what a change sends of
a thing, unless it is true, or sent alone, as the balance of an account in a book of one's own: the rest may be sent back,
too. Whose a thing is, and what is ordered or paid for, is never told by what clients send.
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.oneself import SETS
from gatecrash.core.testing.authorization.fields.properties import is_of_people
from gatecrash.core.testing.authorization.fields.sent_objects import views_of
from gatecrash.core.testing.authorization.objects.answered_objects import Object
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.probe import Situation

SET = re.compile(
    r"(?:is_?)?(?:paid|confirmed|verified|approved|vip|premium)|discount|points|credits?|quota|balance|plan|tier|subscription",
    re.IGNORECASE,
)
"""What only the application sets of people and orders, and users may set of their own things."""
_UNSET = (False, None, 0, "", "0", "false")
ORDERED = re.compile(
    r"order|basket|cart|checkout|purchase|booking|reserv|payment|transaction|transfer|ticket", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z][A-Za-z_-]*")
PEOPLE = re.compile(
    r"(?:.*[-_])?(?:me|self|users?|accounts?|profiles?|members?|customers?|settings|register|registration|sign-?up|wallets?)",
    re.IGNORECASE,
)
_DONE_TO_IT = re.compile(r"edit|update|save|create|store|new|add|change|modify")
# They may be people's, and such as hold money.
_HOLD_MONEY = re.compile(r"accounts|wallets")


def set_by(request: Request) -> frozenset[str]:
    """The kind of the thing and the fields that a request sets of it, where these are the application's elsewhere."""
    kind = kind_of(request)
    if is_safe(request) or operation_of(request) is not None or not kind:
        return frozenset()
    if ORDERED.search(kind) or (PEOPLE.fullmatch(kind) and not _HOLD_MONEY.fullmatch(kind)):
        return frozenset()
    makes = request.method.upper() == "POST"
    return frozenset(
        f"{kind}.{name}"
        for view in views_of(request)
        if not is_of_people(view.inner)
        for name in _set_of(view.inner, makes=makes)
        if name == "balance" or not PEOPLE.fullmatch(kind)
    )


def _set_of(sent: Object, *, makes: bool) -> list[str]:
    """The fields of an object that are surely set, and not sent back."""
    found = {name.lower(): value for name, value in sent.items() if SET.fullmatch(name)}
    surely = makes or len(found) == len(sent)
    return [
        name for name, value in found.items() if (value not in _UNSET if surely else value is True or value == "true")
    ]


def may_be_set(situation: Situation, name: str) -> bool:
    """Whether the record shows the sender, or somebody who may do no more, set such a field of such a thing."""
    told = f"{SETS}{kind_of(situation.baseline.request)}.{name.lower()}"
    own = next(iter(situation.identities), None)
    return own is not None and any(told in each.known for each in situation.identities if each.rank <= own.rank)


def kind_of(request: Request) -> str:
    """The last plain word of an address that does not say what is done (`invoices` of `/invoices/7/edit`)."""
    words = [word.lower() for word in request.path.decode("latin-1").split("/") if _WORD.fullmatch(word)]
    return next((word for word in reversed(words) if not _DONE_TO_IT.fullmatch(word)), "")
