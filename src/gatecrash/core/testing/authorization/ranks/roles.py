"""Roles that the claims of tokens and what callers are told about themselves name."""

import re
from collections.abc import Iterable, Set
from typing import Final

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.callers.oneself import HIGH
from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES
from gatecrash.core.testing.authorization.tokens.jwt import parse
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.words.english import in_english
from gatecrash.core.words.named import Words

Told = Iterable[tuple[str, str]]
"""Names and values, as an answer or a token tells them."""

_ROLE: Final = Words(
    r"(?:user_?|account_?|member_?)?(?:roles?|rank|type|groups?|level)|authorit(?:y|ies)", re.IGNORECASE
)
_MANAGES: Final = Words(r"(?:is_?)?(?:admin|staff|super_?user|manager|moderator|root)", re.IGNORECASE)
_MANAGER: Final = Words(r"(?:super_?|sys_?)?(?:admin(?:istrator)?|root)\d*", re.IGNORECASE)
_YES, _NO = frozenset({"true", "1", "yes"}), frozenset({"false", "0", "no"})
_ROLE_PREFIX: Final = "role_"


def claims(request: Request, credentials: Iterable[Point]) -> list[tuple[str, str]]:
    """The claims of the request's tokens, those of objects in them included."""
    told: list[tuple[str, str]] = []
    for point in credentials:
        token = parse((read(request, point) or b"").rpartition(b" ")[2])
        todo = [token.payload] if token is not None else []
        while todo:
            for name, value in todo.pop().items():
                todo += [value] if isinstance(value, dict) else []
                entries = value if isinstance(value, list) else [value]
                told += [(name, str(each)) for each in entries if isinstance(each, str | int)]
    return told


def fields(response: Response) -> list[tuple[str, str]]:
    """What an answer tells, by the names of its fields."""
    return [(leaf.path[-1], leaf.value) for leaf in leaves(response) if leaf.path]


def low_role(told: Told, low: Set[str] = LOW_ROLES) -> str | None:
    """The low role that somebody has; empty where he has a higher one, None where nothing says which. low: what low roles are called."""
    found: str | None = None
    for name, value in told:
        word = value.lower()
        if _MANAGES.fullmatch(name) and word in _YES:
            return ""
        if _MANAGES.fullmatch(name) and word in _NO:
            found = found or f"not {name}"
        elif _ROLE.fullmatch(name) and not word.isdigit():
            if role_named(value) not in low:
                return ""
            found = found or value
    return found


def manages(told: Told) -> bool:
    """Whether somebody has a role that manages others, by its name: of a word of the application's own nobody knows."""
    return bool(raising(told))


def raising(told: Told) -> frozenset[str]:
    """What says that somebody manages others: the names of such roles, in small letters, and of the fields that just say yes."""
    return frozenset(word for name, value in told if (word := _raising(name, value)))


def _raising(name: str, value: str) -> str:
    if _MANAGES.fullmatch(name):
        # `"manager": 1` is the number of the one who manages him.
        says_yes = value.lower() in _YES and (value != "1" or not name.lower().startswith("manager"))
        return f"{name}=yes" if says_yes else ""
    return role_named(value) if _ROLE.fullmatch(name) is not None and HIGH.search(value) is not None else ""


def flagged(name: str, values: Iterable[str]) -> list[str]:
    """The roles that a field of yes or no tells of several: `staff` and `not staff` of `is_staff`; none where it is no
    such field.

    values: in small letters. Numbers alone may be those of other people, but where the name says that it `is`.
    """
    told = list(values)
    known = _YES | _NO if name.lower().startswith("is") else frozenset({"true", "false"})
    if not _MANAGES.fullmatch(name) or not known.issuperset(told):
        return []
    role = role_named(name).removeprefix("is").replace("_", "")
    return [role if each in _YES else f"not {role}" for each in told]


def role_named(value: str) -> str:
    """A role as it is compared with others: in small letters, without the word that some frameworks put before it."""
    return in_english(value.lower()).removeprefix(_ROLE_PREFIX)


def is_managers_name(name: str) -> bool:
    """Whether somebody signs in by a name that only those who manage have: `admin`, `administrator@shop.example`."""
    return _MANAGER.fullmatch(name.partition("@")[0]) is not None


def raising_name(name: str) -> frozenset[str]:
    """What such a name says of who has it, in words; nothing where it is another."""
    return frozenset({f"the name {name}"} if is_managers_name(name) else ())
