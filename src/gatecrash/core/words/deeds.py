"""The words by which addresses, functions and fields say what is done to something, in English and in small letters."""

import re
from itertools import takewhile
from typing import Final

MAKES: Final = frozenset({"create", "add", "new", "make"})
OVERWRITES: Final = frozenset({"update", "edit", "set", "change", "modify", "patch"})
DELETES: Final = frozenset({"delete", "remove", "destroy", "discard", "del", "erase"})

_LEAST_IN_COMMON = 4
_ENDS_OF_DEEDS = frozenset({"", "e", "be", "y"})
_ENDS_OF_THINGS = re.compile(r"ments?|ings?|als?|(?:ic)?ations?|ptions?|i?tions?|ions?|ances?")


def makes_such(deed: str, thing: str) -> bool:
    """Whether a thing is called after the deed that makes it: an enrolment is made by `enrol`, a subscription by `subscribe`."""
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(deed, thing, strict=False)))
    is_deed = at >= _LEAST_IN_COMMON and deed[at:] in _ENDS_OF_DEEDS
    return is_deed and _ENDS_OF_THINGS.fullmatch(thing[at:]) is not None
