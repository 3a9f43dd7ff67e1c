"""Cross-site request forgery by a link: a mere address changes what is kept about whoever opens it.

What it finds
    GET requests that are signed in by cookies alone and keep a value of their query: an address, a name, a message that is shown
    from then on.

Why it matters
    A link, or a picture on any page, makes the change in the name of whoever sees it; a cookie that is SameSite=Lax comes along
    where a link is followed, too.

How it decides
    Only where the address is called after a change, or the recorded answer says that something was done, in a word for
    it. The request is sent as another site's link would make it, with fresh letters behind its texts, tokens against
    this left out, and without an Origin, as browsers do. The page without the query, the one that the answer leads to,
    or one that was recorded with the value must show the letters. The same without the cookies must leave nothing
    there, the same letters in a parameter of a name drawn at random must not either, which clears lists of what was
    asked, and other letters must be kept in their turn. In the end the recorded request is sent once more, so that what
    stood there does again. Paths that delete, end a session, or change passwords and rights are not asked.

Known misses
    Changes by numbers, by choices from a list, and of what no page shows; changes that nothing says to be one, such as
    a theme that is remembered. Changes that are found once only.

Standards and references
    CWE-352; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security Misconfiguration;
    RFC 9110, section 9.2.1 (safe methods); RFC 6265bis, section 5.7 (Lax).
"""

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.dialogues.foreign_links import Link, is_act, kept_texts, without_query
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.other_site import LOGIN, is_signed_in_by_cookies
from gatecrash.core.testing.effects.destruction import bears_repeating
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import was_let_in
from gatecrash.core.testing.oracles.outcomes.told_changes import names_change, tells_change
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import Inconclusive, inconclusive

TYPE = "csrf"
CWE = (352,)
THREAT = 45
_QUERY = ("get",)

_PROVEN = (
    "Sent as a link on another site's page makes a browser send it, the request leaves letters drawn at random which "
    "{page!r} shows from then on, twice. Without the cookies it leaves none, and letters in a parameter that nobody "
    "reads are not shown. Cookies that are SameSite=Lax come along with a link, too."
)


def _dialogue(situation: Situation) -> Dialogue:
    recorded, request = situation.baseline.exchange, situation.baseline.request
    assert recorded.response is not None
    if recorded.response.truncated or not was_let_in(recorded.response):
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "no good answer was recorded")
    inquiry = Inquiry(situation, [recorded])
    plain = response_of((yield from ask(without_query(request), "control")))
    if not _says_so(request) and not tells_change(inquiry.good_text, text_of(plain)):
        return (yield from inquiry.nothing_found(TYPE))
    link = Link(inquiry, kept_texts(request, _QUERY), situation.kept_home, lambda marked: marked)
    return (yield from link.told(ENTRY, THREAT, _PROVEN, "a link on any site changes it"))


def _says_so(request: Request) -> bool:
    """Whether the address is called after a change: its path, or what it says to do."""
    told = (found.value.decode("utf-8", "replace") for found in walk(request).points if found.point[:1] == ("get",))
    return names_change(request.path.decode("latin-1")) or any(map(is_act, told))


def applies(situation: Situation) -> bool:
    """Pages asked for with texts and a cookie and no other credentials, which may say that something was done."""
    request, response = situation.baseline.request, situation.baseline.response
    if (
        request.method.upper() != "GET"
        or response is None
        or response.status >= FIRST_ERROR
        or LOGIN.search(request.path)
    ):
        return False
    # What the address would be said to do if its method said that it does something.
    if not bears_repeating(msgspec.structs.replace(request, method="POST")):
        return False
    if not is_signed_in_by_cookies(situation) or not kept_texts(request, _QUERY):
        return False
    return _says_so(request) or tells_change(text_of(response), "")


def forecast(_situation: Situation) -> int:
    """The page as it is, the link, the page once more, and what was recorded."""
    return 4


ENTRY = Entry(
    type=TYPE,
    title="Cross-site request forgery by a link",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why="Whoever opens a link, or a page with a picture of that address, makes the change without knowing it.",
    remediation=(
        "Change nothing by GET. Take changes by POST, compare Origin with your own, and demand a token that belongs to "
        "the session. Cookies that are SameSite=Lax do not keep links out; Strict ones do."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="link",
    entry=ENTRY,
    whole=True,
    undisturbed=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
