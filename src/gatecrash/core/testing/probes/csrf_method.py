"""Cross-site request forgery by another method: a form that is posted is taken from the address of a link as well.

What it finds
    Forms that are posted and signed in by cookies alone, whose fields are kept, too, where they stand in the query of a
    GET, without the token, the Origin or the SameSite attribute that guard the form.

Why it matters
    Many frameworks read parameters from wherever they come, and look for tokens and origins at POST alone. A cookie
    that is SameSite=Lax stays at home where a form of another site is posted, and comes along where a link of it is
    followed.

How it decides
    The form as another site's page would post it must be refused, or the browser leaves its cookies out; otherwise it
    is told as such. Then its fields are sent in the query of a GET as another site's link would make it, without tokens
    and Origin, with fresh letters behind its texts. The page at the form's address, the one that the answer leads to,
    or one that was recorded with the value must show the letters without being sent them. The same without the cookies
    must leave nothing there, the same letters in a parameter of a name drawn at random must not either, and other
    letters must be kept in their turn. In the end the recorded form is posted once more. Logins, lookups, and forms
    that hold a password, delete or end a session are not asked.

Known misses
    Forms with files; changes by numbers, by choices from a list, and of what no page shows. Frameworks that are told
    the method in a field (`_method`). Forms that lead to the same page when they refuse another site.

Standards and references
    CWE-352; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security Misconfiguration;
    RFC 9110, section 9.2.1 (safe methods); RFC 6265bis, section 5.7 (Lax).
"""

from collections.abc import Generator

from gatecrash.core.message import Request, reading
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.dialogues.foreign_links import Link, kept_texts
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.other_site import (
    LOGIN,
    PASSWORD,
    as_other_site,
    is_signed_in_by_cookies,
    looks_up,
)
from gatecrash.core.testing.effects.destruction import bears_repeating
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.outcomes.refused import refusal, was_let_in
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe

TYPE = "csrf"
CWE = (352,)
THREAT = 45
_FORM = ("post", "form_urlencoded")

_PROVEN = (
    "With its fields in the query of a GET, as a link on another site's page makes a browser send it, the form leaves letters "
    "drawn at random which {page!r} shows from then on, twice. Without the cookies it leaves none, and letters in a "
    "parameter that nobody reads are not shown. Cookies that are SameSite=Lax come along with a link, and a check of tokens or Origin at POST "
    "does not look at it."
)


def _dialogue(situation: Situation) -> Dialogue:
    recorded, request = situation.baseline.exchange, situation.baseline.request
    assert recorded.response is not None
    if recorded.response.truncated or not was_let_in(recorded.response):
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "no good answer was recorded")
    inquiry = Inquiry(situation, [recorded])
    if (yield from _posted_from_anywhere(inquiry)):
        return safe(TYPE, situation.point, "another site may post the form itself, which is told elsewhere")
    link = Link(inquiry, kept_texts(request, _FORM), situation.kept_from_links, by_get)
    return (yield from link.told(ENTRY, THREAT, _PROVEN, "taken by GET as well: a link on any site changes it"))


def _posted_from_anywhere(inquiry: Inquiry) -> Generator[TestRequest, Answer, bool]:
    """Whether the form is taken from another site as it is posted, cookies and all."""
    situation = inquiry.situation
    if not is_signed_in_by_cookies(situation):
        return False
    foreign = as_other_site(situation.baseline.request, inquiry.mark(8), situation.kept_home)
    # Not by the inquiry: a 403 is what refuses other sites, and stops nothing here.
    response = response_of((yield from ask(foreign, "control")))
    return response.status == inquiry.good.status and refusal(response, inquiry.good) is None


def by_get(request: Request) -> Request:
    """A form's fields in the query of a plain question for its address."""
    return reading(request, request.target + (b"&" if b"?" in request.target else b"?") + request.body)


def applies(situation: Situation) -> bool:
    """Posted forms with texts and a cookie that comes along with links, and no other credentials, which were taken."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() != "POST" or response is None or response.status >= FIRST_ERROR or _is_none(request):
        return False
    if not bears_repeating(request):
        return False
    return is_signed_in_by_cookies(situation, situation.kept_from_links) and bool(kept_texts(request, _FORM))


def _is_none(request: Request) -> bool:
    """Whether a request changes nothing in the name of somebody signed in, or holds a password: a login, a lookup."""
    if LOGIN.search(request.path) or looks_up(request):
        return True
    return any(PASSWORD.search(found.point[-1]) for found in walk(request).points if found.point[:-1] == _FORM)


def forecast(_situation: Situation) -> int:
    """The form from another site, the link, and the page afterwards."""
    return 3


ENTRY = Entry(
    type=TYPE,
    title="Cross-site request forgery by another method",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why="Whoever opens a link makes the change without knowing it, for all that the form itself is guarded.",
    remediation=(
        "Read the fields of a form from the body of a POST alone, and answer any other method with 405. Tokens, Origin "
        "and SameSite=Lax guard nothing that a GET changes as well."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="method",
    entry=ENTRY,
    whole=True,
    undisturbed=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
