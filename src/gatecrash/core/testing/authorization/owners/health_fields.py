"""Fields that tell of somebody's health beside somebody: of a breed, a dish or an herb the same words tell what it is known for.

tells_of_health(told)    whether an answer has such a field in an object that is about a person or has an owner
"""

import re
from collections.abc import Sequence

from gatecrash.core.testing.oracles.leaves import Leaf

_HEALTH = re.compile(r"health_?(?:data|info|issues?|conditions?)$", re.IGNORECASE)
_LESS = re.compile(r"blood_?(?:type|group)|^allerg(?:y|ies)$", re.IGNORECASE)
# Who cooks it or writes about it is none, and accounts have to do with everything; animals have an age and a sex, too.
_SOMEBODY = re.compile(
    r"patient|employee|student|pupil|child|resident|member|owner|emergency|^(?:first|last|full|sur|given)_?name$",
    re.IGNORECASE,
)


def tells_of_health(told: Sequence[Leaf], *, strictly: bool = False) -> bool:
    """strictly: of a kind that no directory shows."""
    about = {leaf.path[:-1] for leaf in told if any(map(_SOMEBODY.search, leaf.path[-2:]))}
    return any(
        leaf.path[:-1] in about
        for leaf in told
        if _HEALTH.search(leaf.path[-1]) or (not strictly and _LESS.search(leaf.path[-1]))
    )
