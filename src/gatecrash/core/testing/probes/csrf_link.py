"""Cross-site request forgery by a link: a mere address changes what is kept about whoever opens it.

What it finds
    GET requests that are signed in by cookies alone and keep a value of their query: an address, a name, a message that is shown
    from then on.

Why it matters
    A link, or a picture on any page, makes the change in the name of whoever sees it; a cookie that is SameSite=Lax comes along
    where a link is followed, too.

How it decides
    Only where the address is called after a change, or the recorded answer says that something was done, in a word for it. The request is sent
    as another site's link would make it, with fresh letters behind its texts, tokens against this left out, and without
    an Origin, as browsers do. The page without the query, the one that the answer leads to, or one that was recorded with the
    value must show the letters. The same without the cookies must leave nothing there, the same letters in a parameter of a
    name drawn at random must not either, which clears lists of what was asked, and other letters must be kept in their turn. In the
    end the recorded request is sent once more, so that what stood there does again. Paths that delete, end a session, or change
    passwords and rights are not asked.

Known misses
    Changes by numbers, by choices from a list, and of what no page shows; changes that nothing says to be one, such as a theme that is
    remembered. Changes that are found once only.

Standards and references
    CWE-352; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security Misconfiguration;
    RFC 9110, section 9.2.1 (safe methods); RFC 6265bis, section 5.7 (Lax).
"""

import re
from collections.abc import Generator, Iterable
from itertools import islice

import msgspec

from gatecrash.core.message import Request, without_header
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.dialogues.asking import ask, concluding, response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.dialogues.other_site import (
    LOGIN,
    PASSWORD,
    as_other_site,
    is_secret,
    is_signed_in_by_cookies,
)
from gatecrash.core.testing.dialogues.read_back import Values, write_all
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.form_tokens import is_form_token
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.reflection import renders
from gatecrash.core.testing.oracles.refused import refusal, was_let_in
from gatecrash.core.testing.oracles.told_changes import names_change, tells_change
from gatecrash.core.testing.ordering import CHANGES_ACCOUNT, destroys
from gatecrash.core.testing.pages import asking, landing_of, reading
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Proof, Verdict, inconclusive

TYPE = "csrf"
CWE = (352,)
THREAT = 45
_ERROR, _MOST_PAGES, _MOST_TRIES, _LONGEST, _LETTERS = 400, 2, 3, 512, 9
_TEXT = re.compile(r"[^\W\d_]{2}")
_NAME = re.compile(r"[A-Za-z_-]{3,24}")
_LITERAL = re.compile(r"true|false|null|none|on|off|yes|no", re.IGNORECASE)

_PROVEN = (
    "Sent as a link on another site's page makes a browser send it, the request leaves letters drawn at random which "
    "{page!r} shows from then on, twice. Without the cookies it leaves none, and letters in a parameter that nobody "
    "reads are not shown. Cookies that are SameSite=Lax come along with a link, too."
)


def _dialogue(situation: Situation) -> Dialogue:
    recorded = situation.baseline.exchange
    assert recorded.response is not None
    if recorded.response.truncated or not was_let_in(recorded.response):
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "no good answer was recorded")
    inquiry = Inquiry(situation, [recorded])
    plain = response_of((yield from ask(_without_query(situation.baseline.request), "control")))
    if not _says_so(situation.baseline.request) and not tells_change(inquiry.good_text, text_of(plain)):
        return (yield from inquiry.nothing_found(TYPE))
    taken, verdict = False, None
    for values in islice(_tries(_texts(situation.baseline.request)), _MOST_TRIES):
        first = yield from _sent(inquiry, values, inquiry.mark(_LETTERS), "test")
        taken = taken or first is not None
        page = (yield from _page_showing(inquiry, first)) if first is not None else None
        if first is not None and page is not None:
            verdict = yield from _confirmed(inquiry, values, first, page)
            break
    if taken:
        yield from ask(situation.baseline.request, "control")
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _confirmed(
    inquiry: Inquiry, values: Values, first: Reply, page: Request
) -> Generator[TestRequest, Answer, Verdict | None]:
    """Not without the cookies, not whatever was asked, and once more."""
    bare, unread, last = (inquiry.mark(_LETTERS) for _ in range(3))
    # What every request leaves, whatever is read of it, is left by this one in two parameters.
    yield from _sent(inquiry, values, first.payload, "control", beside=f"&{inquiry.mark(7)}={unread}")
    yield from _sent(inquiry, values, bare, "control", stranger=True)
    kept = yield from _read(page)
    if first.payload not in kept or bare in kept or unread in kept:
        return None
    again = yield from _sent(inquiry, values, last, "confirm")
    if again is None or last not in (yield from _read(page)):
        return None
    told = _PROVEN.format(page=page.target.decode("latin-1"))
    proof = Proof(test=again.exchange, control=inquiry.control, verified_by=told)
    return inquiry.vulnerable(ENTRY, THREAT, proof, "a link on any site changes it")


def _tries(values: Values) -> Iterable[Values]:
    """All texts at once, then each by itself: one may be a choice that takes no other word."""
    yield values
    if len(values) > 1:
        for point, value in values.items():
            yield {point: value}


def _sent(
    inquiry: Inquiry, values: Values, mark: str, purpose: str, *, beside: str = "", stranger: bool = False
) -> Generator[TestRequest, Answer, Reply | None]:
    """The answer where the request was taken with these letters behind its values, as from another site."""
    marked = write_all(inquiry.situation, {point: value + mark for point, value in values.items()})
    if marked is None:
        return None
    foreign = as_other_site(marked, inquiry.mark(8), inquiry.situation.kept_home)
    # A link has no Origin.
    headers = without_header(foreign.headers, b"Origin")
    request: Request = msgspec.structs.replace(
        foreign,
        target=foreign.target + beside.encode(),
        headers=without_header(headers, b"Cookie") if stranger else headers,
    )
    reply = yield from inquiry.submit(request, mark, purpose=purpose)
    if reply is None or refusal(response_of(reply.exchange), inquiry.good) is not None:
        return None
    return reply if response_of(reply.exchange).status < _ERROR else None


def _page_showing(inquiry: Inquiry, reply: Reply) -> Generator[TestRequest, Answer, Request | None]:
    """The page that shows the letters without being sent them."""
    request = inquiry.situation.baseline.request
    landing = landing_of(request, response_of(reply.exchange))
    own = [reading(request, landing)] if landing is not None else []
    own.append(_without_query(request))
    own += [asking(request, page) for page in inquiry.situation.pages[:_MOST_PAGES]]
    seen: set[bytes] = {request.target}
    for page in own:
        # Sent along with the address the letters would be no more than an echo.
        if page.target in seen or reply.payload.encode() in page.target or destroys(page) is not None:
            continue
        seen.add(page.target)
        if reply.payload in (yield from _read(page)):
            return page
    return None


def _read(page: Request) -> Generator[TestRequest, Answer, str]:
    """What a browser would show of the page now, in lower case."""
    response = response_of((yield from ask(page, "control")))
    return text_of(response).lower() if renders(response) else ""


def _without_query(request: Request) -> Request:
    return reading(request, request.path)


def _texts(request: Request) -> Values:
    """The values of the query that may be kept as they are: texts, which are no token, no password and no word for what is done."""
    values: Values = {}
    for found in walk(request).points:
        value = found.value.decode("utf-8", "replace")
        if found.point[:1] != ("get",) or len(found.point) != 2 or len(value) > _LONGEST or not _TEXT.search(value):
            continue
        if (
            is_form_token(found.point)
            or is_secret(found)
            or PASSWORD.search(found.point[-1])
            or _LITERAL.fullmatch(value)
        ):
            continue
        if not _is_act(value):
            values[found.point] = value
    return values


def _says_so(request: Request) -> bool:
    """Whether the address is called after a change: its path, or what it says to do."""
    told = (found.value.decode("utf-8", "replace") for found in walk(request).points if found.point[:1] == ("get",))
    return names_change(request.path.decode("latin-1")) or any(map(_is_act, told))


def _is_act(value: str) -> bool:
    return _NAME.fullmatch(value) is not None and names_change(value)


def applies(situation: Situation) -> bool:
    """Pages asked for with texts and a cookie and no other credentials, which may say that something was done."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() != "GET" or response is None or response.status >= _ERROR or LOGIN.search(request.path):
        return False
    # What the address would be said to do if its method said that it does something.
    if destroys(msgspec.structs.replace(request, method="POST")) not in (None, CHANGES_ACCOUNT):
        return False
    if not is_signed_in_by_cookies(situation) or not _texts(request):
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
