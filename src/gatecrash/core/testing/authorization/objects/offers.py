"""What is for one person alone to answer: `/gifts/7/accept`, where the request that made the gift names whom it is for.

Who offers something to everybody names nobody, and anybody may accept it.
"""

import re
from typing import Final

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Situation
from gatecrash.core.words.names import parted

_ANSWERS: Final = re.compile(rb"accept|decline|reject|claim", re.IGNORECASE)
_WHO: Final = r"(?:user|member|account|person|customer|friend)"
_FOR: Final = re.compile(
    rf"(?:recipient|receiver|addressee|invitee|payee|(?:to|target)(?:_{_WHO})?)(?:_(?:id|uuid|name|email|user_?name|handle))?"
)


def answers_an_offer(request: Request) -> bool:
    """Whether a request accepts or declines what somebody offered, as its last word says."""
    return _ANSWERS.fullmatch(request.path.rstrip(b"/").rpartition(b"/")[2]) is not None


def is_for_a_third(maker: Request, situation: Situation, other: Identity) -> bool:
    """Whether what a request makes is for somebody who is neither its sender nor another identity, as far as their names are
    known: of a number that is only known where the other has told his own.
    """
    values = {
        each.value.decode("utf-8", "replace").lower()
        for each in walked(maker)
        if each.point[0] == "post" and not each.container and _FOR.fullmatch(parted(each.point[-1]).lower())
    }
    if len(values) != 1 or "" in values:
        return False
    (named,) = values
    own = frozenset(situation.identities[0].known) if situation.identities else frozenset[str]()
    if named.isdigit() and not any(known.isdigit() for known in other.known):
        return False
    return named not in {*own, *other.known, *holder_values(situation)}
