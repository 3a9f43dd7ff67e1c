"""The scan's other account, put where a refused request names whom it is for: who is sent money, invited or written to.

A made-up name is nobody's, and what a list shows is a stranger, who shall be sent nothing. Asked for is what the
refusal says: that there is no such user, that it is the sender himself, or what it calls by the field that names him.
Where nothing of the path can be missing, an answer 404 says it of the field (`no such rider`, whatever they are called).
"""

import re
from collections.abc import Iterable

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request, Response
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import NOT_FOUND
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.profiles.entrance import fields, kind_of_name
from gatecrash.core.testing.profiles.profile import ProfileIdentity
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Draft
from gatecrash.node.test.sessions.of_run import Sessions

_MOST_CHARACTERS, _SHORT = 4000, 4
_SOMEBODY = (
    r"(?:user(?:name)?|account|member|recipient|customer|person|payee|receiver|beneficiary|friend|contact|wallet)"
)
_NOBODY = re.compile(
    rf"(?:no such|unknown|invalid|not a valid|no) {_SOMEBODY}\b|\b{_SOMEBODY}\b.{{0,40}}?(?:not found|(?:does|do) ?n.t exist|not exist|is unknown)"
    r"|\b(?:to|with|from) yourself\b|(?:your own|the same) account",
    re.IGNORECASE | re.DOTALL,
)
# What such a name is called there: `to: unknown nick`.
_UNKNOWN_NAME = re.compile(r"\b(?:no such|unknown|no) (\w{4,20})\b", re.IGNORECASE)
_WHOM = re.compile(
    r"to|(?:to|target|other|recipient|receiver|payee|beneficiary|invited?|friend|assign|member)?(?:user(?:name)?|account|login|e?mail|member)(?:id|name)?"
    r"|(?:recipient|receiver|payee|beneficiary|invitee|friend|assignee|addressee|participant|with)(?:id|name)?"
)


def for_the_other(draft: Draft, sessions: Sessions) -> Request | None:
    """The refused draft's request for the other account, where its refusal asks for somebody else; None for any other."""
    identities = sessions.profile.identities if sessions.profile is not None else ()
    other = next((each for each in identities if each.name != (draft.sender or identities[0].name)), None)
    if other is None or not isinstance(draft.response, Response):
        return None
    missing = draft.response.status == NOT_FOUND and not any(hole.point[0] == "path" for hole in draft.holes)
    return sent_for(draft.request, draft.response, called_in(other, sessions.known(other.name)), missing=missing)


def sent_for(request: Request, refused: Response, other: Iterable[str], *, missing: bool = False) -> Request | None:
    """The same for whom is named. other: what he is called. missing: whether it is refused for what its fields name."""
    message = text_of(refused)[:_MOST_CHARACTERS]
    if fields(request):
        return None
    found = [one for one in walk(request).points if one.point[0] in ("get", "post") and not one.container]
    named = [one for one in found if _is_somebody(plain(one.point[-1]))]
    spoken_of = [one for one in named if re.search(rf"\b{re.escape(one.point[-1])}\b", message)]
    if missing or _NOBODY.search(message) or _calls_nobody(message):
        named = spoken_of or named
    else:  # `to` may be said of anything
        named = [one for one in spoken_of if len(one.point[-1]) > _SHORT]
    called = next((name for one in named[:1] if (name := name_like(one.point[-1], one.value, tuple(other)))), "")
    try:
        return rewrite(request, named[0].point, called.encode()) if called else None
    except GatecrashError:
        return None


def _calls_nobody(message: str) -> bool:
    """Whether a refusal says that nobody has such a name, by the word for those that accounts are called by."""
    return any(kind_of_name(plain(each[1])) in ("user", "mail") for each in _UNKNOWN_NAME.finditer(message))


def called_in(identity: ProfileIdentity, told: Iterable[str]) -> tuple[str, ...]:
    """What an identity is called: as it signs in, and as it was told."""
    kept = {"user", "username", "login", "name", "mail", "email"}
    return (*(value for name, value in identity.variables if plain(name) in kept), *told)


def _is_somebody(name: str) -> bool:
    return _WHOM.fullmatch(name) is not None or kind_of_name(name) in ("user", "mail")


def name_like(field: str, value: bytes, names: tuple[str, ...]) -> str:
    """Somebody's address where a field has one, his number where it has a number, else his name."""
    name = plain(field)
    if b"@" in value or "mail" in name:
        return next((each for each in names if "@" in each), "")
    if value.isdigit() or name.endswith("id"):
        return next((each for each in names if each.isdigit()), "")
    return next((each for each in names if "@" not in each and "=" not in each and not each.isdigit()), "")
