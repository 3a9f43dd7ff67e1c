"""Whom the section of a function is for, where a page right beside it is refused to an identity of a lower rank and not
to the higher one.

That alone says nothing: members read who the members are, right beside the bill of their club. The section must be
called after the role of the higher identity (`/curation/stock` for a curator), or the refusal must call those whom it
lets in by the section's own word (`harbour office only`).
"""

from collections.abc import Generator

from gatecrash.core.message import Response, reading
from gatecrash.core.statuses import UNAUTHORIZED
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.owners.private_fields import private_of_several
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE, SIDES, is_everybodys, role_word
from gatecrash.core.testing.authorization.ranks.roles import claims
from gatecrash.core.testing.authorization.ranks.sections_of_roles import (
    is_called_after,
    lists_the_caller,
    may_list_others,
    role_of_section,
    roles_told,
    says_whom_it_is_for,
    section_word,
)
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_ASKED = 3

_Saying = Generator[TestRequest, Answer, str]


def for_others_beside(situation: Situation, lower: Identity, told: Response | None = None) -> _Saying:
    """What says so, in words; empty where nothing does. told: what the function tells the lower identity, where it only reads."""
    word = section_word(situation.baseline.request)
    if not word or is_everybodys(situation.baseline.request):
        return ""
    if told is not None and not private_of_several(told, frozenset(lower.known)):
        return ""
    role = _role_of_section(word, situation, lower, told)
    found = ""
    for target in tuple(dict.fromkeys((*situation.barred, *situation.alongside)))[:_MOST_ASKED]:
        page = reading(situation.baseline.request, target)
        if destroys(page):
            continue
        theirs = response_of((yield from ask_as(page, lower.name, "control")))
        if told is None and not role and is_good(theirs):
            return ""  # a section that has something for everybody
        if found or theirs.status == UNAUTHORIZED or refusal(theirs) is None:
            continue
        by_words = says_whom_it_is_for(word, theirs) and _is_no_directory(told, _called(lower))
        is_kept = (role or by_words) and is_good(response_of((yield from ask(page, "control"))))
        # A session that is lost for a moment is refused anything, once.
        if is_kept and refusal(response_of((yield from ask_as(page, lower.name, "confirm")))) is not None:
            where = target.partition(b"?")[0].decode("latin-1")
            whom = f"its section is called after {role!r}" if role else f"in words that it is for {word!r}"
            found = f"{where}, right beside it, is refused to the same identity and not to the higher one; {whom}."
            if role or told is not None:
                return found
    return found


def refused_to_himself(situation: Situation) -> _Saying:
    """What says that a list of what several people keep to themselves is for others than the very caller who is
    given it: a page right beside it is refused to him in words that call those whom it lets in by the section's own
    word; empty where nothing does.
    """
    word, told = section_word(situation.baseline.request), situation.baseline.response
    if told is None or not may_be_for_others(situation):
        return ""
    for target in situation.barred[:_MOST_ASKED]:
        page = reading(situation.baseline.request, target)
        seen = response_of((yield from ask(page, "control")))
        if seen.status != UNAUTHORIZED and refusal(seen) is not None and says_whom_it_is_for(word, seen):
            where = target.partition(b"?")[0].decode("latin-1")
            return f"{where}, right beside it, is refused to the same caller, in words that it is for {word!r}."
    return ""


def may_be_for_others(situation: Situation) -> bool:
    """Whether a page below some word tells what several people keep to themselves, and another right beside it was refused."""
    request, told = situation.baseline.request, situation.baseline.response
    known = frozenset[str]().union(*(_called(each) for each in situation.identities[:1]))
    if told is None or not situation.barred or not section_word(request) or is_everybodys(request):
        return False
    return bool(private_of_several(told, known)) and _is_no_directory(told, known)


def asked_beside(situation: Situation) -> int:
    """How many pages are asked for where nothing is found."""
    return min(_MOST_ASKED, len({*situation.barred, *situation.alongside}))


def _role_of_section(word: str, situation: Situation, lower: Identity, told: Response | None) -> str:
    """The role that the section is called after: of the higher identity and not the lower, or of a few of those whom it lists."""
    own = situation.identities[0].known
    heard = {each.removeprefix(HAS_ROLE) for each in own if each.startswith(HAS_ROLE)}
    claimed = role_word(claims(situation.baseline.request, situation.credentials))
    theirs = {each.removeprefix(HAS_ROLE) for each in lower.known if each.startswith(HAS_ROLE)}
    for role in sorted(({*heard, claimed} - theirs - SIDES) - {""}):
        if is_called_after(word, role):
            return role
    return role_of_section(word, told, _called(lower)) if told is not None else ""


def _is_no_directory(told: Response | None, lower: frozenset[str]) -> bool:
    """Whether a list is no directory of the people of that section, whom others may look up: it names the caller or his role, too."""
    return told is None or not may_list_others(told) or lists_the_caller(told, lower)


def _called(lower: Identity) -> frozenset[str]:
    """What an identity is called, and which role it has."""
    heard = [("role", each.removeprefix(HAS_ROLE)) for each in lower.known if each.startswith(HAS_ROLE)]
    return frozenset(lower.known) | roles_told(heard)
