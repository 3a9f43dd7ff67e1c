"""Functions of a higher rank: what is meant for those who manage is done for anybody who is signed in.

What it finds
    Requests that were recorded for an identity of a higher rank and are answered alike for one of a lower rank, where the
    application itself says that they are not for everybody.

Why it matters
    Hiding a button is no check. Whoever knows or guesses the address of the function manages the service: lists all users,
    changes roles, reads the audit log.

How it decides
    Ranks come with the identities; of those below, the highest asks, and for the approval of what one of them applied for that
    one. That a function is meant for the higher rank is said by its path or the name of its GraphQL field (a word such as
    `admin`, where the application's own pages did not lead the lower identity there in the record, one such as `staff` that
    something stands below, an act such as `promote`, the approval of what others apply for, a look at the audit log, the role
    that the application says the higher identity has, where nobody with another role was recorded below it, for changes and
    lists of private data alone), by the description of its API (`Admin only`, where the lower identity is surely no
    administrator), by what it gives away where that is other people's secrets (salaries, balances, passwords of several) or how
    to reach several customers, or by the section above it, the page that it gives as a file (`/tides` of `/tides.csv`), or the
    same address asked by GET, which is refused to the lower identity and not to the higher one. So does a page right beside it
    that is refused to the lower identity alone, where its section is called after the role of the higher one (`/curation/…` for
    a curator) or the refusal calls those whom it lets in by the section's word (`harbour office only`); of what reads it must
    tell things that people keep to themselves. A list of such things also where the address of one entry, which says no more,
    is refused to the lower identity alone (`/users` beside `/users/7`), and of a page for people where the pages beside it
    lead the higher identity there and not the lower one; and what is read also where a newer version of its address is
    refused to the lower identity alone. Where what reads is refused to the lower identity, the older versions of its address
    are asked for (`/v1/` of `/v2/`), which must say as much to it. For methods that change something this is asked first, and
    nothing is sent without it. The answer to the lower identity must say nearly all that the higher one's says and that
    nobody gets without credentials, and that he is not told outside of the section as well (`/news` of `/admin/news`), unless
    people keep it to themselves; a path that does not exist must be answered otherwise; and it must come twice. One object
    that is the lower identity itself, or names it, is its own to read, unless the path says `admin`. A changing request is
    sent once as the lower identity, as it was recorded, must be answered as it was, or as its own identity is now where other
    tests changed what it shows (and not where that one is told that it is done already), and must be refused without
    credentials. It may name the lower identity as who did it (`approved_by`).

Known misses
    Functions whose path says nothing and whose section is open to all. Functions of equals, which the probe `idor`
    looks at. Changing functions whose answer differs each time in more than numbers. What is answered with a redirect,
    as a site's forms are, `auth_function_form` looks at.

Standards and references
    CWE-285 (improper authorization); OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API5
    Broken Function Level Authorization.
"""

import re
from collections.abc import Generator

from gatecrash.core.message import Exchange, Response, reading
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.asking import ask, ask_as, concluding, known_answers, response_of
from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES
from gatecrash.core.testing.authorization.objects.named import named_objects, only_reads
from gatecrash.core.testing.authorization.openness.access import Access, nowhere, sample_now, sample_reading
from gatecrash.core.testing.authorization.owners.ownership import concerns
from gatecrash.core.testing.authorization.owners.private_fields import private_of_several
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told
from gatecrash.core.testing.authorization.ranks.described_roles import described, in_words, is_none_of, is_of, is_told
from gatecrash.core.testing.authorization.ranks.guarded_entries import told_though_refused
from gatecrash.core.testing.authorization.ranks.led_groups import in_led_group
from gatecrash.core.testing.authorization.ranks.offered_links import offered_to_one
from gatecrash.core.testing.authorization.ranks.open_in_older import open_in_older
from gatecrash.core.testing.authorization.ranks.ranked_functions import decides, is_of_managers, told_of_others
from gatecrash.core.testing.authorization.ranks.refused_above import as_judged, evidence_above, sections_above
from gatecrash.core.testing.authorization.ranks.refused_beside import asked_beside, for_others_beside
from gatecrash.core.testing.authorization.ranks.refused_newer import refused_in_newer
from gatecrash.core.testing.authorization.ranks.role_sections import meant_for
from gatecrash.core.testing.authorization.ranks.told_anyway import told_anyway
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity, lower_of
from gatecrash.core.testing.oracles.difference import Fact, read
from gatecrash.core.testing.payloads.auth_bypass import older_versions
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe

TYPE = "auth"
CWE = 285
THREAT_READ, THREAT_CHANGE = 75, 88
_NOBODY = ""
_LEAST_FACTS, _FRAMES = 2, 2
# What is said of something that cannot be done, or not a second time.
_DOWN = re.compile(
    r"\b(?:already|cannot|can ?not|not|no longer|only|fail\w*|errors?|invalid|denied|unable|impossible)\b|n['\u2019]t\b",
    re.IGNORECASE,
)

_Deciding = Generator[TestRequest, Answer, Verdict]


def _dialogue(situation: Situation) -> Dialogue:
    lower = lower_of(situation.identities)
    assert lower is not None
    access = Access(situation, (yield from known_answers(situation)))
    access.check_comparable()
    lower = _applicant(access) or lower
    return (yield from (_reading if only_reads(access.request) or access.safe else _changing)(access, lower))


def _applicant(access: Access) -> Identity | None:
    """Of what somebody applies for and another one decides, who of the lower identities applied: he is let in to what is his own."""
    own, *others = access.situation.identities
    below = (each for each in others if each.rank < own.rank) if decides(access.request) else ()
    return next((each for each in below if concerns(access.good, frozenset(each.known))), None)


def _reading(access: Access, lower: Identity) -> _Deciding:
    situation = access.situation
    seen = yield from ask_as(access.request, lower.name)
    is_near = access.near(seen)
    if access.refuses(seen):
        older = yield from open_in_older(access, lower, seen)
        if older is not None:
            return access.vulnerable(ENTRY, older.exchange, THREAT_READ, f"{_said(lower)} {older.evidence}")
    if access.refuses(seen) or not (is_near or response_of(seen).status == access.good.status):
        return safe(TYPE, situation.point, "the lower identity gets another answer")
    access = Access(situation, (yield from (sample_reading if is_near else sample_now)(situation)))
    if not access.near(seen):
        return safe(TYPE, situation.point, "the lower identity gets another answer")
    stranger = yield from ask_as(access.request, _NOBODY, "control")
    told = yield from _without_frame(situation, only_told(access.readings, response_of(stranger)), response_of(seen))
    if len(told) < _LEAST_FACTS or not has_nearly_all(response_of(seen), told):
        return safe(TYPE, situation.point, "the lower identity gets nothing that is not given to anybody")
    evidence = yield from _meant_for_others(access, lower, response_of(seen))
    if not evidence:
        return safe(TYPE, situation.point, "nothing says that the function is for the higher rank")
    if _is_about(access, lower) and not (is_of_managers(access.request) or told_of_others(response_of(seen))):
        return safe(TYPE, situation.point, "what is asked for is about the lower identity itself")
    if (yield from told_anyway(access.request, lower, response_of(seen), told)):
        return safe(TYPE, situation.point, "the lower identity is told the same outside of the section")
    elsewhere = yield from ask_as(nowhere(access.request, situation), lower.name, "control")
    again = yield from ask_as(access.request, lower.name, "confirm")
    if has_nearly_all(response_of(elsewhere), told) or not has_nearly_all(response_of(again), told):
        return safe(TYPE, situation.point, "the answer does not follow the path")
    return access.vulnerable(ENTRY, again, THREAT_READ, f"{_said(lower)} {evidence}")


def _said(lower: Identity) -> str:
    return f"Sent as {lower.name!r}, the answer says what the higher one's says and nobody is told without credentials, twice."


def _meant_for_others(access: Access, lower: Identity, seen: Response) -> Generator[TestRequest, Answer, str]:
    """What says that what the lower identity is told is for the higher one, in words; empty where nothing does."""
    situation = access.situation
    evidence = told_of_others(seen) or _described(situation, lower, seen)
    evidence = evidence or (yield from evidence_above(access.request, lower, access.situation.pages))
    for told in (for_others_beside, refused_in_newer, told_though_refused, offered_to_one):
        evidence = evidence or (yield from told(situation, lower, seen))
    if not evidence and (role := meant_for(access.request, situation.identities[0], lower)):
        private = private_of_several(seen, frozenset(lower.known))
        evidence = f"{_of_role(role)} It tells {private}." if private else ""
    return evidence


def _without_frame(
    situation: Situation, told: frozenset[Fact], seen: Response
) -> Generator[TestRequest, Answer, frozenset[Fact]]:
    """What is told, without what two other pages of the higher identity say alike: the navigation of a site leads him
    to more. Nothing is asked where the lower identity is told nearly all of it.
    """
    request = situation.baseline.request
    if has_nearly_all(seen, told):
        return told
    beside = dict.fromkeys((*situation.alongside, *situation.around))
    pages = [
        page for page in (reading(request, each) for each in beside) if page.path != request.path and not destroys(page)
    ]
    frame: frozenset[Fact] | None = None
    for page in pages[:_FRAMES]:
        facts = read(response_of((yield from ask(page, "control")))).facts
        frame = facts if frame is None else frame & facts
    return told - frame if frame is not None and len(pages) >= _FRAMES else told


def _changing(access: Access, lower: Identity) -> _Deciding:
    """What changes something is sent as the lower identity only where it is known to be meant for the higher one."""
    point = access.situation.point
    written = _described(access.situation, lower)
    evidence = written or (yield from evidence_above(access.request, lower, access.situation.pages))
    if not evidence:
        evidence = yield from for_others_beside(access.situation, lower)
    role = "" if evidence else meant_for(access.request, access.situation.identities[0], lower)
    if not evidence and not role:
        return safe(TYPE, point, "nothing says that the function is for the higher rank")
    stranger = yield from ask_as(access.request, _NOBODY, "control")
    if not access.refuses(stranger):
        return safe(TYPE, point, "it is not refused without credentials, which is told elsewhere")
    evidence = evidence or _of_role(role)
    if role or written:
        elsewhere = yield from ask_as(nowhere(access.request, access.situation), lower.name, "control")
        if access.as_good(elsewhere):
            return safe(TYPE, point, "any path at all is answered so")
    seen = yield from ask_as(access.request, lower.name)
    if not _is_done(access, lower, seen) and not access.refuses(seen) and access.near(seen):
        # Other tests may have changed meanwhile what such an answer shows.
        recorded, access = access, Access(access.situation, [(yield from ask(access.request, "control"))])
        if _turns_down(recorded, access):
            return safe(TYPE, point, "what was done is not done once more, whoever asks")
    if not _is_done(access, lower, seen):
        return safe(TYPE, point, "the lower identity gets another answer")
    said = "the request is answered as when the higher one sent it, and is refused without credentials"
    return access.vulnerable(ENTRY, seen, THREAT_CHANGE, f"Sent as {lower.name!r}, {said}. {evidence}")


def _is_done(access: Access, lower: Identity, seen: Exchange) -> bool:
    """Whether the lower identity is answered like the higher one; the name of who did it may differ."""
    own = frozenset(access.situation.identities[0].known)
    return access.as_good(seen) or access.as_done_by(seen, own, frozenset(lower.known))


def _is_about(access: Access, lower: Identity) -> bool:
    """Whether one object is asked for that is the lower identity, or names it among those whom it concerns: `/users/8`, its own order."""
    called = frozenset(lower.known) - LOW_ROLES
    # What comes along in a cookie is not asked for.
    every = (each for each in named_objects(access.request, called) if each.point[:2] != ("header", "COOKIE"))
    named = [each for each in every if each.sure]
    return any(each.value.lower() in called for each in named) or (bool(named) and concerns(access.good, called))


def _described(situation: Situation, lower: Identity, seen: Response | None = None) -> str:
    """What the API's description says of whom it is for, who is not the lower identity; empty where it says
    nothing. seen: what he is told.
    """
    meant = described(situation)
    if meant is None or not is_none_of(meant, lower) or is_of(situation, lower):
        return ""
    if seen is None and in_led_group(situation):
        return ""
    return in_words(meant) if seen is None or is_told(meant, seen, frozenset(lower.known)) else ""


def _of_role(role: str) -> str:
    return (
        f"Its path stands below {role!r}, which is the role that the application says its own identity has. Nobody with another "
        "role was recorded there."
    )


def _turns_down(recorded: Access, now: Access) -> bool:
    """Whether its own identity is told now that it cannot be, as of what is approved already: anybody may be told so."""
    fresh = now.readings[0].facts - recorded.readings[0].facts
    return any(_DOWN.search(word) for fact in fresh for word in fact)


def applies(situation: Situation) -> bool:
    """Where an identity of a lower rank is known; what ends sessions or deletes is left alone."""
    request, response = situation.baseline.request, situation.baseline.response
    if (
        lower_of(situation.identities) is None
        or not situation.credentials
        or request.method.upper() in ("OPTIONS", "HEAD")
    ):
        return False
    return response is not None and response.status < FIRST_REDIRECT and not destroys(as_judged(request))


def forecast(situation: Situation) -> int:
    """One request as the lower identity, which is refused, in each version; where it changes something, the sections above."""
    request = situation.baseline.request
    return (
        1 + len(older_versions(request.path))
        if is_safe(request)
        else len(sections_above(request, situation.pages)) + asked_beside(situation)
    )


ENTRY = Entry(
    type=TYPE,
    title="Functions of a higher role are open to a lower one",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "Anybody who is signed in can do what only those who manage the service should: all it takes is the address of "
        "the function, which stands in the pages' scripts, in documents, or is easily guessed."
    ),
    remediation=(
        "Refuse by default, and grant each function to the ranks that need it, at the function itself and for every "
        "method. Do not rely on what the pages show. Test each function with each rank."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
