"""What another identity is shown of an object: all of it, or a view without what is its owner's alone.

A calendar shows colleagues that somebody is busy, a profile its visitors no telephone number: most of what both read is the same,
and the rest is what is kept. Only objects of JSON are compared, whose fields stand at one place each.
"""

import re
from collections import Counter

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.owners.private_fields import is_kind_of_private
from gatecrash.core.testing.oracles.difference import Fact
from gatecrash.core.testing.oracles.leaves import leaves

# What depends on who looks: it says nothing of the object.
_OF_THE_LOOKER = re.compile(
    r"permission|access|rights|role|relation|viewer|^(?:can|is|may|has)(?:_|(?=[A-Z]))|_?links?$|href|url$|etag"
)
_TEXT = re.compile(r"[^\W\d_]{3}")
_WORDS = ("true", "false")


def shows_less(private: frozenset[Fact], mine: Response, theirs: Response, own: frozenset[str]) -> bool:
    """Whether the other is shown a view of the object that keeps what its owner reads: another text stands in its place, or
    nothing of a private kind is left of several.

    private: what every good answer says to its owner, and none to a stranger. own: who the owner is, which depends on who looks.
    """
    steady = {value for _, value in private}
    before, after = _fields(mine), _fields(theirs)
    told = {
        path: value
        for path, value in before.items()
        if value.lower() in steady and value.lower() not in own and not _OF_THE_LOOKER.search(path[-1])
    }
    kept = {path for path, value in told.items() if after.get(path) != value}
    if any(is_kind_of_private(path[-1]) for path in told.keys() - kept):
        return False
    return any(is_kind_of_private(path[-1]) or (path in after and _is_text(told[path])) for path in kept)


def _fields(response: Response) -> dict[tuple[str, ...], str]:
    """The fields that stand at one place each."""
    told = [leaf for leaf in leaves(response) if leaf.path]
    often = Counter(leaf.path for leaf in told)
    return {leaf.path: leaf.value for leaf in told if often[leaf.path] == 1}


def _is_text(value: str) -> bool:
    return _TEXT.search(value) is not None and value.lower() not in _WORDS
