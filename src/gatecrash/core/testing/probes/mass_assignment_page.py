"""Mass assignment by forms: a site's form sets what its page only shows, because whatever is sent is kept.

What it finds
    Forms of server-rendered sites that keep a right which the page shows as text and the form has no field for: a role, a flag
    (`Staff: no`), a balance.

Why it matters
    Whoever adds a field to the form makes himself an administrator.

How it decides
    The page that shows what the form keeps is read: at the form's own address, where its answer leads, or nearby; or
    the answer to the form itself, sent as it was recorded, where that showed rights. It must show a text of the form
    under its field's name (where it shows another, the recorded form is sent once more first), and beside it, with a
    label, what means a right whatever else is kept: a role of somebody who rules nobody (by its name, or as two
    recorded users have it), rights by name, a flag that is off, a balance; no flag of a thing that nobody else has a
    say in (`Approved: no` of a bill in one's own books). The form is sent with a field of that name and another value;
    the page must show it, at once and seconds later. Then the old value is sent in the same way, and the page must show
    that again, twice: what was set is put back, also where it is no finding. A label that stands beside several values
    is left out: the page shows several people. Registrations are left alone: nobody takes back what an account was made
    with.

Known misses
    Rights that no page shows, or shows without a label. Labels that are not called as the field is. What can be set but
    not put back in the same way.

Standards and references
    CWE-915; OWASP Top 10:2021 A08 Software and Data Integrity Failures; OWASP API Security Top 10:2023 API3 Broken Object
    Property Level Authorization.
"""

import re
from collections.abc import Generator
from random import Random

from gatecrash.core.message import Exchange, Request, Response, reading
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import Stopped, ask, concluding, put, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import REGISTRATION, account_request
from gatecrash.core.testing.authorization.fields.others_say import lists_of_such, may_be_his_own
from gatecrash.core.testing.authorization.fields.page_rights import PageRight, labels_of, may_show, rights_on
from gatecrash.core.testing.authorization.fields.parts_of_forms import is_of_parts
from gatecrash.core.testing.authorization.fields.sent_objects import View, sending, views_of
from gatecrash.core.testing.authorization.ranks.role_sections import shared_roles
from gatecrash.core.testing.dialogues.kept_objects import LATER
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.forms.tokens import is_called_token
from gatecrash.core.testing.known.page import asking, landing_of
from gatecrash.core.testing.operations.one_script import spoken_path
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.outcomes.refused import LOGIN_FORM, is_taken, refusal
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "mass_assignment"
CWE = (915,)
THREAT = 75
_MOST_PAGES = 3
_NOT_SET = "the form does not set what the page shows"
_LEAVES_ALONE = re.compile(r"log-?_?(?:in|out|on)|sign-?_?(?:in|out|on)|passw|token|regist", re.IGNORECASE)
_Reading = Generator[TestRequest, Answer, str | None]


def _dialogue(situation: Situation) -> Dialogue:
    views, low = views_of(situation.baseline.request), shared_roles(situation.identities)
    is_sent = False
    for page in _pages(situation):
        shown = (yield from _read(page)) or ""
        if not is_sent and any(may_show(shown, view.inner, situation.random, low, view.names) for view in views):
            # Other tests have written there since, or the target was set up anew.
            yield from ask(situation.baseline.request, "control")
            is_sent, shown = True, (yield from _read(page)) or ""
        for view in reversed(views):
            rights = _of_others_too(situation, shown, rights_on(shown, view.inner, situation.random, low, view.names))
            if rights:
                return (yield from _set(situation, view, page, rights))
    return safe(TYPE, situation.point, "no page shows a right beside what the form keeps")


def _of_others_too(situation: Situation, shown: str, rights: list[PageRight]) -> list[PageRight]:
    """Without what is its owner's to set, unless visitors are shown such things."""
    if any(page.visited for page in lists_of_such(situation)):
        return rights
    labels = labels_of(shown)
    return [each for each in rights if not may_be_his_own(situation, each.names[0], labels)]


def _set(situation: Situation, view: View, page: Request, rights: list[PageRight]) -> Dialogue:
    """Sets them all at once, reads the page, and puts back what was set, whether it is a finding or not."""
    exchange = yield from ask(_with(situation, view, {name: each.new for each in rights for name in each.names}))
    try:
        return (yield from _judged(situation, view, page, rights, exchange))
    except Stopped:
        yield from ask(_with(situation, view, _old(rights, 0)), "confirm")
        raise


def _judged(situation: Situation, view: View, page: Request, rights: list[PageRight], exchange: Exchange) -> Dialogue:
    after, again = (yield from _read(page)) or "", (yield from _read(page)) or ""
    if any(each.is_set(again) for each in rights):
        again = (yield from _read(page, LATER)) or ""
    taken = [each for each in rights if each.is_set(after) and each.is_set(again)]
    as_before = [each for each in rights if after and again and each.is_back(after) and each.is_back(again)]
    touched = [each for each in rights if each not in as_before]
    for attempt in range(max((len(each.back) for each in touched), default=0)):
        yield from ask(_with(situation, view, _old(touched, attempt)), "confirm")
        after, again = (yield from _read(page)) or "", (yield from _read(page)) or ""
        if after and again and all(each.is_back(after) and each.is_back(again) for each in touched):
            return _vulnerable(situation, page, taken, exchange) if taken else safe(TYPE, situation.point, _NOT_SET)
    told = "what the page shows changes by itself, or could not be put back" if touched else _NOT_SET
    return safe(TYPE, situation.point, told)


def _old(rights: list[PageRight], attempt: int) -> dict[str, str]:
    """The old values, in one of the ways to send them."""
    return {name: each.back[min(attempt, len(each.back) - 1)] for each in rights for name in each.names}


def _vulnerable(situation: Situation, page: Request, taken: list[PageRight], exchange: Exchange) -> Verdict:
    told = ", ".join(f"{each.label}: {each.new} (before: {each.shown})" for each in taken)
    names = ", ".join(repr(name) for each in taken for name in each.names)
    own = page.method == situation.baseline.request.method
    where = "the answer to the form as it was recorded" if own else f"the page {page.target.decode('latin-1')}"
    return vulnerable(
        ENTRY,
        situation.point,
        detail=told,
        threat=THREAT,
        test=exchange,
        control=situation.baseline.exchange,
        verified_by=(
            f"The form was sent with fields that it does not have ({names}), and {where} "
            f"showed the new value afterwards, at once and seconds later: {told}. Sent with the old value it showed that "
            f"again, twice."
        ),
    )


def _with(situation: Situation, view: View, fields: dict[str, str]) -> Request:
    return sending(situation.baseline.request, view.wrap({**view.inner, **fields}))


def _pages(situation: Situation) -> list[Request]:
    """What may show it: the form's own address, where its answer leads, the form itself where its own answer does, and what was
    recorded nearby, first what says what the form's fields are called.
    """
    request, response = situation.baseline.request, situation.baseline.response
    assert response is not None
    leads = landing_of(request, response)
    own = [reading(request, request.target), *([reading(request, leads)] if leads is not None else [])]
    own += [request] if _answers_with_rights(situation, response) else []
    names = {name for view in views_of(request) for name in view.inner if not is_called_token(name)}
    beside = sorted(situation.pages, key=lambda page: -sum(page.may_say(name) for name in names))
    pages = {(each.method, each.target): each for each in (*own, *(asking(request, page) for page in beside))}
    return list(pages.values())[: max(_MOST_PAGES, len(own) + 1)]


def _answers_with_rights(situation: Situation, response: Response) -> bool:
    """Whether the form's own answer shows rights: sent once more as it was recorded, it shows those that were kept."""
    if media_type(response) != "text/html" or not is_taken(response):
        return False
    shown, low, random = text_of(response), shared_roles(situation.identities), Random(0)  # noqa: S311 -- nothing of it is sent
    return any(rights_on(shown, each.inner, random, low, each.names) for each in views_of(situation.baseline.request))


def _read(page: Request, pause: float = 0.0) -> _Reading:
    """What a page shows behind a pause; None where it is no page."""
    response = response_of((yield from put(TestRequest(page, "control", pause=pause))))
    if response.status >= FIRST_ERROR or refusal(response) not in (None, LOGIN_FORM):
        return None
    return text_of(response) if media_type(response) == "text/html" else None


def applies(situation: Situation) -> bool:
    """Forms of pages that somebody who is signed in sent, and that were answered by a page or led to one."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() not in ("POST", "PUT", "PATCH") or not situation.credentials or response is None:
        return False
    is_form = b"form-urlencoded" in (request.first(b"Content-Type") or b"").lower() or is_of_parts(request)
    if not is_form or _LEAVES_ALONE.search(spoken_path(request)):
        return False
    account = account_request(situation.baseline.exchange)
    if account is not None and account.kind == REGISTRATION:
        return False  # what it makes is nobody's to put back
    leads = landing_of(request, response) is not None
    return (leads or (is_taken(response) and media_type(response) == "text/html")) and bool(views_of(request))


def forecast(situation: Situation) -> int:
    """A look at each page that may show it."""
    return len(_pages(situation))


ENTRY = Entry(
    type=TYPE,
    title="Mass assignment by a form",
    cwe=CWE,
    owasp=("A08:2021",),
    owasp_api=("API3:2023",),
    why="Whoever adds a field to the form that his browser shows sets what only the application should: his role, his balance.",
    remediation=(
        "List the fields that each form may set and drop all others. Never bind a whole form to an object of the database. Set roles "
        "and amounts by functions of their own that check rights."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="page",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
