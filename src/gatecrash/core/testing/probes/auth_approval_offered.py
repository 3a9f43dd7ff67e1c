"""Approvals that a page of the higher identity offers: who asked for something grants it to himself, though he is offered none.

What it finds
    Forms that approve what others ask for (`/claims/7/approve`), which are answered with a redirect and are done for
    the very identity of a lower rank that has asked.

Why it matters
    The page shows the button to managers alone, and the address behind it asks nobody who he is: whoever files an
    expense pays it to himself.

How it decides
    What is asked for needs no page of its own, on which `auth_approval` reads its state. Ranks come with the
    identities. Nothing that was there before is approved. The record must show the form by which such a thing is asked
    for. The higher identity reads the page with the form; the lower one asks for something, and the page must offer the
    higher identity to approve one more than before, which is that. Nobody sends the approval first, without
    credentials, and it must be offered still. The page must not offer it to the lower identity, who then sends it: it
    is done where the page does not offer it to the higher identity any more. All of it is done twice, the second time
    after nobody has sent it several times.

    What the pages offer needs no word for what is asked for: whoever is shown his own request without the button is not
    meant to grant it.

Known misses
    What nobody is asked for by a recorded form. Pages that offer several at once, or whose scripts put the address
    together. Refusals and other decisions; what is asked for by one and granted by another of the same rank.

Standards and references
    CWE-285 (improper authorization), CWE-840 (business logic errors); OWASP Top 10:2021 A01 Broken Access Control;
    OWASP API Security Top 10:2023 API5 Broken Function Level Authorization.
"""

from collections.abc import Generator
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from gatecrash.core.message import Exchange, Request, reading
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.holder import named_by
from gatecrash.core.testing.authorization.objects.made_anew import in_name_of, may_make
from gatecrash.core.testing.authorization.objects.named import asking_for
from gatecrash.core.testing.authorization.ranks.approvals import says_to_approve
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.forms.pages import form_page_of
from gatecrash.core.testing.known.identity import Identity, lower_of
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken
from gatecrash.core.testing.oracles.pages.forms import PageForm, forms_on
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "auth"
CWE = 285
THREAT = 82
_NOBODY = ""
_MOST_ASKING, _MOST_FORMS, _WAITS = 2, 2, 3
_STANDS_FOR = "ca9f4d1be0"


def _dialogue(situation: Situation) -> Dialogue:
    pages = yield from _pages(situation)
    if pages is None:
        return safe(TYPE, situation.point, "no page offers it")
    for lower in _lower(situation):
        for maker in _nearest(situation)[:_MOST_FORMS]:
            trial = _Trial(pages, lower, maker)
            if (yield from trial.done()) is not None:
                again = yield from trial.done(waits=_WAITS)
                if again is not None:
                    return _vulnerable(situation, pages, lower, again)
    return safe(TYPE, situation.point, "what the lower identity asks for is not approved by it")


class _Pages(NamedTuple):
    """The page that offers the approval to the higher identity, and how the approval names what is approved."""

    approval: Request
    named: Named
    asked: Request

    def offered(self, page: Exchange) -> frozenset[str]:
        """What a page offers to approve."""
        found = (self._of(form, page) for form in forms_on(text_of(response_of(page))) if form.method == "POST")
        return frozenset(each for each in found if each)

    def _of(self, form: PageForm, page: Exchange) -> str:
        path = urlsplit(urljoin(page.request.target.decode("latin-1"), form.action)).path
        if self.named.point[0] != "path":
            own = self.approval.path.decode("latin-1")
            return form.fields.get(self.named.point[-1], "") if path == own else ""
        standing = asking_for(self.approval, self.named, _STANDS_FOR)
        before, _, after = (standing or self.approval).path.decode("latin-1").partition(_STANDS_FOR)
        fits = path.startswith(before) and path.endswith(after) and len(path) > len(before) + len(after)
        value = path[len(before) : len(path) - len(after)] if fits else ""
        return "" if "/" in value else value


class _Trial:
    """Something that the lower identity asks for by one form, and approves itself."""

    def __init__(self, pages: _Pages, lower: Identity, maker: Made) -> None:
        self.pages = pages
        self.lower = lower
        self.maker = maker

    def done(self, waits: int = 1) -> Generator[TestRequest, Answer, Exchange | None]:
        """The lower identity's approval, where it was done; None where it was not, or nothing can be said. waits: how
        often nobody asks before: what the page does not offer any more by itself is gone then.
        """
        offered, asked = self.pages.offered, self.pages.asked
        before = offered((yield from ask(asked, "control")))
        filed = yield from ask_as(in_name_of(self.pages.approval, self.maker), self.lower.name, "control")
        if not is_taken(response_of(filed)):
            return None
        new = offered((yield from ask(asked, "control"))) - before
        approval = asking_for(self.pages.approval, self.pages.named, min(new)) if len(new) == 1 else None
        if approval is None:
            return None
        for _ in range(waits):
            yield from ask_as(approval, _NOBODY, "control")
            still = offered((yield from ask(asked, "control")))
            theirs = offered((yield from ask_as(asked, self.lower.name, "control")))
            if not new <= still or new & theirs:
                return None
        sent = yield from ask_as(approval, self.lower.name)
        after = yield from ask(asked, "confirm")
        return (
            sent if is_good(response_of(after)) and not new & offered(after) and is_taken(response_of(sent)) else None
        )


def _pages(situation: Situation) -> Generator[TestRequest, Answer, _Pages | None]:
    """The page that the approval leads to, or else the one that it was sent from, where it offers some."""
    request, recorded = situation.baseline.request, situation.baseline.response
    landing = landing_of(request, recorded) if recorded is not None else None
    for target in dict.fromkeys(each for each in (landing, form_page_of(request, situation.pages)) if each):
        pages = _Pages(request, named_by(situation)[-1], reading(request, target))
        page = yield from ask(pages.asked, "control")
        if is_good(response_of(page)) and b"<form" in response_of(page).body:
            return pages
    return None


def _lower(situation: Situation) -> list[Identity]:
    """Those below the higher identity, the highest first; some of them may be of another tenant."""
    below = [each for each in situation.identities[1:] if each.rank < situation.identities[0].rank]
    return sorted(below, key=lambda each: -each.rank)[:_MOST_ASKING]


def _nearest(situation: Situation) -> list[Made]:
    """The forms by which such things are asked for; the nearest address first, as another tenant has the same ones."""
    own = situation.baseline.request.path.split(b"/")

    def apart(made: Made) -> int:
        return -sum(1 for one, other in zip(own, made.request.path.split(b"/"), strict=False) if one == other)

    forms = {made.request.path: made for made in situation.makers if not made.path}
    return sorted(forms.values(), key=apart)


def _vulnerable(situation: Situation, pages: _Pages, lower: Identity, sent: Exchange) -> Verdict:
    where = pages.asked.path.decode("latin-1")
    told = (
        f"{lower.name!r} asked for something by the recorded form, and {where} offered the higher identity to approve it, and not {lower.name!r}. "
        "Sent without credentials, the approval changed nothing; sent as the very identity that had asked, it was done: the page does not offer it "
        "any more. Twice."
    )
    return vulnerable(ENTRY, situation.point, threat=THREAT, test=sent, verified_by=told)


def applies(situation: Situation) -> bool:
    """Approvals that were answered with a redirect, where the record shows how such things are asked for and who is of a lower rank."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() != "POST" or response is None or not FIRST_REDIRECT <= response.status < FIRST_ERROR:
        return False
    if not says_to_approve(request.path):
        return False
    if not situation.credentials or lower_of(situation.identities) is None or not may_make(situation):
        return False
    return bool(_nearest(situation) and named_by(situation))


def forecast(_situation: Situation) -> int:
    """The page, what is asked for, the approval as nobody and as the lower identity, and the page after each."""
    return 9


ENTRY = Entry(
    type=TYPE,
    title="Who asks for something approves it himself",
    cwe=(CWE, 840),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "What needs somebody else's approval is granted by whoever asked for it: expenses, leave, access. The button is only shown to those who "
        "decide, and the address behind it is open to all."
    ),
    remediation=(
        "Check where the approval is received that the caller may decide, and that it is not his own request. Do not rely on what the pages show."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="approval_offered",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
