"""What says that a caller is nobody in particular: the roles in his token or in what he is told about himself, or how he came by
his account.
"""

import re
from collections.abc import Generator, Iterable

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.identity import ANYBODY
from gatecrash.core.testing.authorization.jwt import parse
from gatecrash.core.testing.authorization.objects import listing
from gatecrash.core.testing.authorization.ownership import HIGH, leaves
from gatecrash.core.testing.authorization.properties import LOW_ROLES
from gatecrash.core.testing.dialogues.asking import ask, response_of
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

MOST_ASKED = 3
_OK = 300
_ROLE = re.compile(r"(?:user_?|account_?|member_?)?(?:roles?|rank|type|groups?|level)|authorit(?:y|ies)", re.IGNORECASE)
_MANAGES = re.compile(r"(?:is_?)?(?:admin|staff|super_?user|manager|moderator|root)", re.IGNORECASE)
_YES, _NO = frozenset({"true", "1", "yes"}), frozenset({"false", "0", "no"})
_ROLE_PREFIX = "role_"
_ABOUT_ONESELF = (b"/me", b"/users/me", b"/profile")

_Saying = Generator[TestRequest, Answer, str]


def ordinary(situation: Situation, section: bytes) -> _Saying:
    """What says so of the sender of a baseline, in words; empty where nothing does, or anything says that he is more.

    section: the path before what is meant for others, which he may be introduced below.
    """
    request = situation.baseline.request
    claims = _claims(request, situation.credentials)
    if any(HIGH.search(value) for _, value in claims):
        return ""
    if situation.identities and situation.identities[0].rank <= ANYBODY:
        return "Its caller is an account that anybody can make by the registration."
    role = _rank(claims)
    if role is not None:
        return f"Its caller's token says that he is {role!r}." if role else ""
    for path in _ABOUT_ONESELF:
        told = response_of((yield from ask(listing(request, section + path), "control")))
        role = _rank(_fields(told)) if told.status < _OK and refusal(told) is None else None
        if role is not None:
            where = (section + path).decode("latin-1")
            return f"Of its caller {where} says that he is {role!r}." if role else ""
    return ""


def _claims(request: Request, credentials: Iterable[Point]) -> list[tuple[str, str]]:
    """The claims of the tokens, those of objects in them included."""
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


def _fields(response: Response) -> list[tuple[str, str]]:
    return [(leaf.path[-1], leaf.value) for leaf in leaves(response) if leaf.path]


def _rank(told: Iterable[tuple[str, str]]) -> str | None:
    """The low role that somebody has; empty where he has a higher one, None where nothing says which."""
    found: str | None = None
    for name, value in told:
        word = value.lower()
        if _MANAGES.fullmatch(name) and word in _YES:
            return ""
        if _MANAGES.fullmatch(name) and word in _NO:
            found = found or f"not {name}"
        elif _ROLE.fullmatch(name) and not word.isdigit():
            if word.removeprefix(_ROLE_PREFIX) not in LOW_ROLES:
                return ""
            found = found or value
    return found
