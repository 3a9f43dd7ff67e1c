"""Lists of people in a section for others: `/director/astronomers` answers an observer, to whom `/director/hours` is refused.

What it finds
    Pages that tell how to reach several people and which role each has, answered to a caller to whom the page beside
    them is refused, where the section is called after a role that he has not. One identity is enough, and no word of
    the section has to be known.

Why it matters
    The role is checked at one function and was forgotten at the next. Whoever is signed in reads what those of that
    role keep of everybody.

How it decides
    The record shows a page of the same folder that was refused to somebody who was signed in; it is asked again and
    must be refused to this caller, too. The section is called after the role that a few of those listed have
    (`/director/…`, `/curation/…` for a curator) and that the caller has not, by the list, his token or what the
    application told him; or the refusal itself calls those whom it lets in by the section's word
    (`harbour office only`). The list names the caller or others of his role, so that it is no directory of those whom
    the section is called after. Where the list tells what only those who run a place keep of all others (illnesses,
    wages), to somebody who has the role that most of those listed have, nothing beside it has to be refused; it may be
    a GraphQL query. The list must be refused without credentials, be told nowhere else, and come twice.

Known misses
    Functions that change something. Pages that tell of people without their roles. Sections whose
    word says nothing of a role. Other operations of GraphQL and calls by name, which have no folder.

Standards and references
    CWE-285 (improper authorization); OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API5
    Broken Function Level Authorization.
"""

from collections.abc import Generator

from gatecrash.core.message import reading
from gatecrash.core.statuses import FIRST_REDIRECT, UNAUTHORIZED
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.openness.access import Access, nowhere, sample_reading
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE
from gatecrash.core.testing.authorization.ranks.roles import claims
from gatecrash.core.testing.authorization.ranks.secrets_of_colleagues import secret_of_colleagues
from gatecrash.core.testing.authorization.ranks.sections_of_roles import (
    lists_the_caller,
    may_list_others,
    role_of_section,
    roles_told,
    says_whom_it_is_for,
    section_word,
)
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import lower_of
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import safe

TYPE = "auth"
CWE = 285
THREAT = 75
_NOBODY = ""
_LEAST_TOLD = 2

_Saying = Generator[TestRequest, Answer, str]


def _dialogue(situation: Situation) -> Dialogue:
    said = yield from _evidence(situation)
    if not said:
        return safe(TYPE, situation.point, "nothing says that its section is for others")
    access = Access(situation, (yield from sample_reading(situation)))
    access.check_comparable()
    stranger = yield from ask_as(access.request, _NOBODY, "control")
    told = only_told(access.readings, response_of(stranger))
    if not access.refuses(stranger) or len(told) < _LEAST_TOLD:
        return safe(TYPE, situation.point, "it tells nothing that is not given to anybody")
    elsewhere = yield from ask(nowhere(access.request, situation), "control")
    again = yield from ask(access.request, "confirm")
    if has_nearly_all(response_of(elsewhere), told) or not has_nearly_all(response_of(again), told):
        return safe(TYPE, situation.point, "the answer does not follow the path")
    return access.vulnerable(
        ENTRY, again, THREAT, f"{said} It is answered again and again. Without credentials it is refused."
    )


def _evidence(situation: Situation) -> _Saying:
    """What says that the caller is given what is meant for others, in words; empty where nothing does."""
    request, listed = situation.baseline.request, situation.baseline.response
    assert listed is not None
    word = section_word(request)
    own = _own(situation)
    secret = secret_of_colleagues(listed, own)
    if secret:
        return f"It tells {secret!r} of several people to somebody who has the role that most of them have."
    role = role_of_section(word, listed, own)
    for target in situation.barred:
        refused = response_of((yield from ask(reading(request, target), "control")))
        if refused.status == UNAUTHORIZED or refusal(refused) is None:
            continue
        where = target.partition(b"?")[0].decode("latin-1")
        beside = f"{where}, right beside it, is refused to the same caller"
        if role:
            return f"The list has somebody who is {role!r}, which its section is called after and the caller is not: {beside}."
        if lists_the_caller(listed, own) and says_whom_it_is_for(word, refused):
            return f"It tells the roles of several people and how to reach them, and {beside}, in words that it is for {word!r}."
    return ""


def _own(situation: Situation) -> frozenset[str]:
    """What the caller is called, and which role he has."""
    known = situation.identities[0].known if situation.identities else ()
    heard = [("role", each.removeprefix(HAS_ROLE)) for each in known if each.startswith(HAS_ROLE)]
    return holder_values(situation) | roles_told([*heard, *claims(situation.baseline.request, situation.credentials)])


def applies(situation: Situation) -> bool:
    """A list of people with their roles, beside what was refused or with what is kept of each, where nobody of a lower
    rank could be asked as instead.
    """
    request, response = situation.baseline.request, situation.baseline.response
    if not only_reads(request) or response is None or response.status >= FIRST_REDIRECT or not situation.credentials:
        return False
    if lower_of(situation.identities) is not None:
        return False
    if secret_of_colleagues(response, _own(situation)):
        return True
    is_page = request.method.upper() == "GET" and situation.barred and section_word(request)
    return bool(is_page) and may_list_others(response)


def forecast(situation: Situation) -> int:
    """The pages beside it; where they are open now, nothing else is asked."""
    return len(situation.barred)


ENTRY = Entry(
    type=TYPE,
    title="A function of a section for others is open to whoever is signed in",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "The section is kept for those who have its role, and one of its functions is not: whoever is signed in and knows its address "
        "reads who everybody is and how to reach him."
    ),
    remediation=(
        "Check the role once for the whole section, before any of its functions, and refuse by default, so that a new function is "
        "guarded as the others are. Test each function with each role."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="section",
    entry=ENTRY,
    whole=True,
    as_others=False,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
