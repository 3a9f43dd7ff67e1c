"""Functions that are for some alone by the description of their API, and whether somebody is none of those.

What a description calls admins is more than anybody: to be told lower is enough. Any other role may be his, unless the
application says which he has. A scope may be in a token that nobody can read.
"""

from typing import Final

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.callers.oneself import HIGH
from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.owners.private_fields import private_of_several
from gatecrash.core.testing.authorization.ranks.ranked_functions import told_of_others
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE
from gatecrash.core.testing.authorization.ranks.roles import role_named
from gatecrash.core.testing.known.declared import Meant
from gatecrash.core.testing.known.identity import ANYBODY, Identity
from gatecrash.core.testing.probe import Situation

_ADMIN: Final = "admin"
# Others of those who manage may be what a description calls an administrator: Django's staff are.
_BELOW_ADMINS: Final = frozenset({"manager", "moderator", "operator", "support"})


def described(situation: Situation) -> Meant | None:
    """Whom a baseline is for by the description of its API; None where that says nothing of it."""
    return None if situation.declared is None else situation.declared.meant


def in_words(meant: Meant) -> str:
    """What the description says, for a finding."""
    return f"By {meant.said} the API's description says that it is for {' or '.join(meant.roles)}."


def is_none_of(meant: Meant, lower: Identity) -> bool:
    """Whether somebody who stands below another is surely none of those who are meant."""
    held = roles_of(lower)
    if held:
        return all(is_outside(meant, role) for role in held)
    return meant.how != "scope" and _for_admins(meant) and HIGH.search(lower.name) is None


def is_outside(meant: Meant, role: str) -> bool:
    """Whether a role, by the application's own word, is none of those that are meant, and does not stand above or beside them."""
    if role in meant.roles or _ADMIN in role or role == "owner":
        return False
    if HIGH.search(role) is not None:
        return role in _BELOW_ADMINS and _for_admins(meant) and meant.how == "words"
    return role in LOW_ROLES or all(HIGH.search(each) for each in meant.roles)


def is_outside_of_all_told(meant: Meant, caller: Identity | None) -> bool:
    """Whether a caller of whom something else says that he is ordinary may be none of those, by all that is known of him."""
    held = roles_of(caller) if caller is not None else frozenset()
    if meant.how == "scope" and not held and caller is not None and caller.rank <= ANYBODY:
        return False
    return all(is_outside(meant, role) for role in held) and all(HIGH.search(each) for each in meant.roles)


def roles_of(identity: Identity) -> frozenset[str]:
    """The roles that the application says somebody has."""
    return frozenset(role_named(each.removeprefix(HAS_ROLE)) for each in identity.known if each.startswith(HAS_ROLE))


def is_told(meant: Meant, seen: Response, known: frozenset[str]) -> bool:
    """Whether an answer tells enough: where only what stands together is for somebody, what several people keep to themselves."""
    return meant.how == "words" or bool(told_of_others(seen) or private_of_several(seen, known))


def is_of(situation: Situation, identity: Identity | None) -> bool:
    """Whether a request asks for somebody himself: `/users/8`, which he may do whatever is written."""
    known = frozenset(identity.known) if identity is not None else frozenset()
    return any(each.value.lower() in known for each in named_objects(situation.baseline.request))


def _for_admins(meant: Meant) -> bool:
    return all(_ADMIN in each for each in meant.roles)
