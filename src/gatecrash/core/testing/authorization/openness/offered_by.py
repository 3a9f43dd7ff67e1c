"""Who offers, writes or looks after what an answer shows: a shop, a library or a list of packages tells it to everybody."""

import re

from gatecrash.core.testing.oracles.leaves import Leaf

_OFFERED_BY = re.compile(
    r"(?:seller|vendor|organi[sz]er|host|artist|publisher|exhibitor|speaker|manufacturer|author|writer)(?:[-_]?(?:name|id|user(?:name)?))?"
    r"|authors|maintainers?|contributors?|translators?|curators?|poster|(?:posted|written|signed)[-_]?by|who",
    re.IGNORECASE,
)


def says_who_offers(leaf: Leaf) -> bool:
    """Whether a field, or the object around it, names who offers something."""
    return any(map(_OFFERED_BY.fullmatch, leaf.path[-2:]))
