"""Objects that the record shows somebody ask for who is not their owner: he tried an address while he recorded (`/users/8`).

is_recorded_of(situation, owner, named)    whether an object is another's, by what it is called or says of its owner
exchanged(situation, owner)                the situation as it were if its owner had recorded it
is_led_to(exchanged, reader, named)        whether the application led whoever recorded it there
as_sent_by(situation, owner, dialogue)     a dialogue of that situation, in the names of the one that there is
"""

import re
from collections.abc import Generator, Iterable
from typing import TypeVar

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.testing.asking import ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.callers.peers import peers_of
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.owners.listed_elsewhere import linked_as, lists_it
from gatecrash.core.testing.authorization.owners.owner_evidence import is_called_so, is_listed_to
from gatecrash.core.testing.authorization.owners.ownership import concerns
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import asking
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

# Whom nobody serves: a customer, a patient or a recipient is the business of somebody else as well.
_OWNER = re.compile(
    r"(?:owner|user|account|holder)(?:_?(?:id|uid|uuid|name|e?mail))?|login|sub|uid|e_?mail(?:_?address)?",
    re.IGNORECASE,
)

_Told = TypeVar("_Told")


def is_recorded_of(situation: Situation, owner: Identity, named: Iterable[Named]) -> bool:
    """Whether an answer is about what is another's of the same rank, and names its recorded sender nowhere."""
    request, response = situation.baseline.request, situation.baseline.response
    named = tuple(named)
    if response is None or not named or situation.identities[0] not in peers_of((owner, *_without(situation, owner))):
        return False
    his = values_of(owner, situation)
    if concerns(response, holder_values(situation) | frozenset(situation.identities[0].known)):
        return False
    owned = (leaf for leaf in leaves(response) if leaf.path and _OWNER.fullmatch(leaf.path[-1]))
    return any(is_called_so(request, each, his) for each in named) or any(leaf.value.lower() in his for leaf in owned)


def exchanged(situation: Situation, owner: Identity) -> Situation:
    """The owner stands first among the identities, and what the recorded credentials say is said of nobody."""
    identities = (owner, *_without(situation, owner))
    changed: Situation = msgspec.structs.replace(situation, identities=identities, credentials=())
    return changed


def is_led_to(situation: Situation, reader: Identity, named: Named) -> Generator[TestRequest, Answer, bool]:
    """Whether a recorded page, or the list above, shows the object to whoever recorded it: a seller, a doctor or a friend
    of its owner finds it there.
    """
    request, address = situation.baseline.request, linked_as(situation.baseline.request, named)
    for page in situation.pages:
        if named.value in page.shown and not _asks_for(page.request, named):
            shown = response_of((yield from ask_as(asking(request, page), reader.name, "control")))
            if is_good(shown) and lists_it(shown, page, request, named, address, shown):
                return True
    return (yield from is_listed_to(reader, request, named))


def as_sent_by(
    situation: Situation, owner: Identity, dialogue: Generator[TestRequest, Answer, _Told]
) -> Generator[TestRequest, Answer, _Told]:
    """Its own questions are sent as the owner, and those of the recorded sender with the credentials that the record has."""
    sender = situation.identities[0].name
    try:
        asked = next(dialogue)
        while True:
            name = owner.name if asked.identity is None else None if asked.identity == sender else asked.identity
            answer = yield msgspec.structs.replace(asked, identity=name)
            asked = dialogue.send(answer)
    except StopIteration as end:
        told: _Told = end.value
        return told


def _asks_for(page: Request, named: Named) -> bool:
    """Whether a page names the object itself: what stands below it (`/users/8/orders`) led nobody there."""
    return any(each.value == named.value for each in named_objects(page))


def _without(situation: Situation, owner: Identity) -> tuple[Identity, ...]:
    return tuple(each for each in situation.identities if each != owner)
