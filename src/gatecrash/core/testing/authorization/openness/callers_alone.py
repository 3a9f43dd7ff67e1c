"""Requests that can act upon nobody but their caller: `POST /account/leave` without anything beside it.

Sent without credentials there is no caller, and nothing that it says could be done to: that it is answered well all the same,
in a word or two, gives nothing away and changes nothing.
"""

import re
from typing import Final

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.structured import structured

_ONES_OWN: Final = re.compile(rb"/(?:me|self|myself|account|profile|session)/[a-z][a-z_-]*/?$", re.IGNORECASE)
_MOST_TOLD: Final = 2
_LONGEST_TOLD: Final = 60


def acts_on_its_caller_alone(request: Request, answer: Response) -> bool:
    """Whether a changing request brings nothing, its address ends below the caller's own, and its answer tells no more than that it
    is done.
    """
    if is_safe(request) or request.body or request.query or _ONES_OWN.search(request.path) is None:
        return False
    if not answer.body:
        return True
    told = leaves(answer) if structured(answer) is not None else []
    return bool(told) and len(told) <= _MOST_TOLD and all(len(each.value) <= _LONGEST_TOLD for each in told)
