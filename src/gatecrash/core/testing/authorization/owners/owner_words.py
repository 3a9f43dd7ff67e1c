"""An application's own words for owners: `keeper_id` of pets, where all that one user is shown holds what he is called in it.

No list of words has them all. Two users' lists at one address tell: what each of them is called stands in the same field of
every entry.

references(shown)                       what the fields of one object refer to
called_apart(mine, theirs, own, others) the fields that name whom they are shown to
may_own(name)                           whether a field may name an owner, and nobody else
"""

import re
from collections.abc import Iterable, Mapping

from gatecrash.core.testing.authorization.owners.ownership import PARTY, says_who_made

# A bare number is that of many things: the field must say that it is somebody's or something's.
_REFERENCE = re.compile(r"\w(?:[_-](?:id|no|nr|number|ref|key)|I[dD])$")


def references(shown: Mapping[str, object]) -> frozenset[tuple[str, str]]:
    """The fields of an object that refer to something by an identifier, with their values in lower case; not who made it, nor
    who has to do with it beside its owner.
    """
    return frozenset(
        (name, str(value).lower())
        for name, value in shown.items()
        if isinstance(value, str | int) and not isinstance(value, bool) and _REFERENCE.search(name) and may_own(name)
    )


def called_apart(
    mine: Iterable[tuple[str, str]], theirs: Iterable[tuple[str, str]], own: Iterable[str], others: Iterable[str]
) -> list[tuple[str, str]]:
    """Of what all entries of two users' lists refer to: the fields, with the value, that hold for each of the two what he
    alone is called.

    own, others: what the two are called, in lower case.
    """
    there, his, called = dict(theirs), frozenset(own), frozenset(others)
    return [
        (name, value)
        for name, value in mine
        if value in his - called and there.get(name) is not None and there[name] in called - his
    ]


def may_own(name: str) -> bool:
    """Whether a field of this name says neither who made something nor who has to do with it beside its owner."""
    return not says_who_made(name) and PARTY.search(name) is None
