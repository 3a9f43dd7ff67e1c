"""Approvals of one's own: who applied for something decides it himself, by a form that only those who manage are shown.

What it finds
    Forms of a higher identity that approve what others apply for (`/leave/7/approve`), are answered with a redirect or
    a page, and are done for the one who applied.

Why it matters
    An application is worth nothing where whoever makes it grants it. The button is hidden from him, and its address is not.

How it decides
    Ranks come with the identities; of those below, the highest asks. The address must say that something is approved,
    and that it is what people apply for, or the page that the form leads back to must be refused to the lower identity
    alone. The lower identity applies twice by the recorded form that made what was approved, and reads the page of its
    new application. That page must not offer the approval itself. Nobody asks for it first, which must change nothing;
    then the lower identity does. Its page must tell the decision then, in a text that was not there before: of both
    applications in the same element, and once more when it is read again, as a message of what was refused is shown
    once. The applications are left as they are.

Known misses
    Decisions whose application has no page of its own, or is named in the body. What pays money out or sends something,
    which is not tried. Decisions that are told in other words than the address has.

Standards and references
    CWE-285 (improper authorization); OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API5
    Broken Function Level Authorization.
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, reading
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.objects.made_anew import made_by_form, may_make
from gatecrash.core.testing.authorization.objects.named import asking_for, list_above, listing, named_objects
from gatecrash.core.testing.authorization.ranks.ranked_functions import decides
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity, lower_of
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.oracles.pages.pieces import Piece, pieces
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = 285
THREAT = 88
_NOBODY = ""
_MOST_MAKERS = 2
# The second time longer than all that was asked about the first application.
_ASKED_FIRST, _ASKED_AGAIN = 1, 6
# The word at the end of an address, and its stem, which the page tells the decision by.
_APPROVES = re.compile(r"(approv|grant|accept|authori[sz]|allow|permit)\w*", re.IGNORECASE)
# What goes out to people or moves money cannot be taken back, and is not done for a test.
_GOES_OUT = re.compile(
    r"pay|payment|transfer|charge|refund|withdraw|invoice|loan|credit|order|purchase|send|mail", re.IGNORECASE
)


class _Application(NamedTuple):
    """What the lower identity applied for. act: what approves it. before: its page as the lower identity read it."""

    number: str
    act: Request
    place: Request
    before: Exchange


def _dialogue(situation: Situation) -> Dialogue:
    lower, point = lower_of(situation.identities), situation.point
    assert lower is not None
    evidence = yield from _evidence(situation, lower)
    if not evidence:
        return safe(TYPE, point, "nothing says that others decide")
    told: list[frozenset[Piece]] = []
    first: tuple[_Application, Exchange] | None = None
    for before in (_ASKED_FIRST, _ASKED_AGAIN):
        made = yield from _applied(situation, lower)
        if made is None:
            detail = "the lower identity cannot apply as the record shows it, or not read what it applied for"
            return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, detail)
        if made.act.path.decode("latin-1") in text_of(response_of(made.before)):
            return safe(TYPE, point, "whoever applied is offered the approval himself")
        asked, decided = yield from _decided(lower, made, before)
        if not decided or asked is None:
            return safe(TYPE, point, "what the lower identity applied for waits for a decision as before")
        told.append(decided)
        first = first or (made, asked)
    same = sorted({each.where for each in told[0]} & {each.where for each in told[1]})
    if not same or first is None:
        return safe(TYPE, point, "the decision is not told in the same place twice")
    made, asked = first
    said = next(each.said for each in sorted(told[0]) if each.where == same[0])[:80]
    return vulnerable(
        ENTRY,
        point,
        detail=f"{lower.name!r} approves what it applied for",
        threat=THREAT,
        test=asked,
        control=made.before,
        verified_by=(
            f"{lower.name!r} applied twice, and sent the approval of both itself. Each time its own page told the decision afterwards ({said!r}), as "
            f"it had not before, nor after the same was sent without credentials. {evidence} What it applied for is still there, approved."
        ),
    )


def _evidence(situation: Situation, lower: Identity) -> Generator[TestRequest, Answer, str]:
    """What says that others decide, in words; empty where nothing does."""
    request, recorded = situation.baseline.request, situation.baseline.response
    if decides(request):
        return "Its path says that it decides what somebody applies for."
    landing = landing_of(request, recorded) if recorded is not None else None
    if landing is None:
        return ""
    page = reading(request, landing)
    theirs = response_of((yield from ask_as(page, lower.name, "control")))
    if is_good(theirs) or not is_good(response_of((yield from ask(page, "control")))):
        return ""
    return f"{landing.decode('latin-1')}, which it leads back to, is refused to the lower identity."


def _applied(situation: Situation, lower: Identity) -> Generator[TestRequest, Answer, _Application | None]:
    """A new application of the lower identity's; None where it cannot be made or read."""
    request, named = situation.baseline.request, _named(situation.baseline.request)
    assert named is not None
    for maker in (each for each in situation.makers[:_MOST_MAKERS] if not each.path):
        lists = [listing(request, list_above(request, named.point))]
        new = yield from made_by_form(situation, maker, named, lists, lower.name)
        act = asking_for(request, named, new) if new else None
        if act is None:
            continue
        place = listing(act, act.path.rstrip(b"/").rpartition(b"/")[0])
        before = yield from ask_as(place, lower.name, "control")
        if is_good(response_of(before)):
            return _Application(new, act, place, before)
    return None


def _decided(
    lower: Identity, made: _Application, before: int
) -> Generator[TestRequest, Answer, tuple[Exchange | None, frozenset[Piece]]]:
    """What the lower identity's page tells of the decision once it has approved, and neither before that nor once nobody has.

    before: how often nobody asks first. What a job of the service approves after a while it has approved by then in one
    of two rounds.
    """
    known = pieces(response_of(made.before))
    for _ in range(before):
        yield from ask_as(made.act, _NOBODY, "control")
        known = known | pieces(response_of((yield from ask_as(made.place, lower.name, "control"))))
    asked = yield from ask_as(made.act, lower.name)
    if response_of(asked).status >= FIRST_ERROR:
        return None, frozenset()
    # A message of what was done, or refused, is shown once.
    yield from ask_as(made.place, lower.name, "control")
    now = response_of((yield from ask_as(made.place, lower.name, "confirm")))
    word, fresh = _word(made.act), pieces(now) - known if is_good(now) else ()
    return asked, frozenset(each for each in fresh if word in each.said.lower() and not each.where.startswith("<"))


def _word(request: Request) -> str:
    """The stem of what an address approves by; empty where it says nothing of it."""
    found = _APPROVES.fullmatch(request.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1"))
    return found[1].lower() if found else ""


def _named(request: Request) -> Named | None:
    """The identifier that stands before the last word."""
    last = len([each for each in request.path.split(b"/") if each]) - 1
    return next((each for each in named_objects(request) if each.sure and each.point == ("path", str(last - 1))), None)


def applies(situation: Situation) -> bool:
    """Forms of a higher identity that approve something, where the record shows how such things are made."""
    request, response = situation.baseline.request, situation.baseline.response
    if lower_of(situation.identities) is None or response is None or is_safe(request) or destroys(request):
        return False
    if not _word(request) or _GOES_OUT.search(request.path.decode("latin-1")) or not may_make(situation):
        return False
    is_form = FIRST_REDIRECT <= response.status < FIRST_ERROR or (
        response.status < FIRST_REDIRECT and "html" in media_type(response)
    )
    return is_form and bool(situation.credentials) and _named(request) is not None and bool(situation.makers)


def forecast(_situation: Situation) -> int:
    """The application with the list before and after it, its page, nobody's approval and the lower identity's."""
    return 8


ENTRY = Entry(
    type=TYPE,
    title="Applications are approved by who made them",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "Whoever applies for something grants it himself: all it takes is the address of the approval, which is the same for all "
        "applications but for a number that he knows."
    ),
    remediation=(
        "Ask at the approval itself who may decide, and refuse who applied, whatever his role is. Do not rely on what the pages show."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="approval",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
