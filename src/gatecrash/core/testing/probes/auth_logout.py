"""Logouts that end nothing: the session or the token still lets in after its owner has signed out.

What it finds
    Sessions and tokens that open a page of their owner's after a logout that was answered as when it was recorded.

Why it matters
    Who signs out at a shared machine, or because he fears that somebody has his session, is told that it is over. It is not:
    whoever has the cookie or the token goes on until it expires, and nothing its owner can do takes it away.

How it decides
    A recorded page that is refused without credentials is asked with those of the logout, which must be let in; then the logout
    is sent as it was recorded, with the same credentials and nothing brought up to date but the token of a form that this page
    hands out, and must be answered with the same status and way on. The page is asked again, and once more behind a second
    logout: what is answered during the first may write the session back. Where it still says what nobody is told without
    credentials, the logout ended nothing; without credentials it must still be refused. Where the logout carries a form's
    token, whose refusal may look like a logout, each answer must take back the same cookie that lets in as the recorded one
    did. A recorded logout that worked has ended the recorded session, so that nothing is sent where no auth profile signs in
    anew.

Known misses
    Logouts that carry a one-time token and take no cookie back, whose repetition would prove nothing. Sessions where no
    page is known that asks for them. Keys and passwords, which no logout ends. Sessions that outlive a change of the
    password: that wants a session of its own, and a login in the same second is given the very token that other tests use
    wherever tokens tell whole seconds, so that the question would end their session. What a refresh token opens behind
    the logout, which `auth_refresh` looks at.

Standards and references
    CWE-613 (insufficient session expiration); OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API
    Security Top 10:2023 API2 Broken Authentication; RFC 7009 (revocation of tokens).
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.auth.set_cookie import parse
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_ERROR, OK
from gatecrash.core.testing.asking import ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.credentials import COOKIE, without_credentials
from gatecrash.core.testing.authorization.callers.own_pages import likeliest_own
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.forms.values import with_tokens_of
from gatecrash.core.testing.known.page import asking
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import Fact
from gatecrash.core.testing.oracles.difference import read as read_answer
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest, once_an_address
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = 613
THREAT = 50
_MOST_PAGES = 8
_LEAST_FACTS = 2
# What is good once (a form's token, a state), so that a repetition may be refused in a friendly way.
_ONCE = re.compile(r"csrf|xsrf|authenticity|nonce|^_?token$|^state$|verification", re.IGNORECASE)
# A header of the application's own for what a login hands out: `X-Session`, `X-Auth-Token`. A key for its programs is none.
_OF_SESSIONS = re.compile(r"session|(?:auth|access|user|login)[-_]?token|^(?:x-)?token$", re.IGNORECASE)
_WORDS = (b"bearer ", b"token ", b"jwt ")
_FORM = re.compile(r"<form\b", re.IGNORECASE)


class _Page(NamedTuple):
    """A page that asks for the session. told: what it tells its owner and nobody without credentials."""

    request: Request
    told: frozenset[Fact]
    good: Exchange


def _dialogue(situation: Situation) -> Dialogue:
    request, recorded, point = situation.baseline.request, situation.baseline.response, situation.point
    assert recorded is not None
    page, refused = yield from _page(situation)
    if page is None and refused:
        return safe(TYPE, point, "the session that signed out lets in no more")
    if page is None:
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "no page is known that asks for the session")
    request = with_tokens_of(page.good, request)
    ended = response_of((yield from ask_raw(request)))
    if not _is_answered_so(situation, ended, recorded):
        return inconclusive(
            TYPE, point, Inconclusive.NO_CONTROL, f"the logout, sent once more, is answered {ended.status}"
        )
    again = yield from ask_raw(page.request)
    if not has_nearly_all(response_of(again), page.told):
        return safe(TYPE, point, "the session lets in no more once it has signed out")
    stranger = yield from ask_raw(without_credentials(page.request, situation.credentials), "control")
    # Who answers another request at that moment may write the session back behind the logout: a race, and ended the second time.
    ended = response_of((yield from ask_raw(request, "confirm")))
    again = yield from ask_raw(page.request, "confirm")
    if _carries_once(request) and not _is_answered_so(situation, ended, recorded):
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, f"the second logout is answered {ended.status}")
    if not has_nearly_all(response_of(again), page.told) or has_nearly_all(response_of(stranger), page.told):
        return safe(TYPE, point, "what the page tells does not follow the session")
    return _vulnerable(situation, page, again)


def _is_answered_so(situation: Situation, ended: Response, recorded: Response) -> bool:
    """Whether a logout is answered as the recorded one; with a form's token, of whose refusal the status tells nothing,
    by its cookies, too.
    """
    if (ended.status, ended.first(b"Location")) != (recorded.status, recorded.first(b"Location")):
        return False
    return not _carries_once(situation.baseline.request) or _taken_back(situation, recorded) <= _taken_back(
        situation, ended
    )


def _taken_back(situation: Situation, answer: Response) -> frozenset[bytes]:
    """The cookies that let in and that an answer deletes in the browser."""
    let_in = {point[-1].encode() for point in situation.credentials if tuple(point[:3]) == COOKIE}
    gone = {each.partition(b"=")[0].strip() for each in answer.all(b"Set-Cookie") if parse(each) is None}
    return frozenset(gone & let_in)


def _carries_once(request: Request) -> bool:
    """Whether something is good once in a request."""
    names = [each.point[-1] for each in walked(request) if not each.container and each.point[0] != "path"]
    return any(map(_ONCE.search, names))


def _page(situation: Situation) -> Generator[TestRequest, Answer, tuple[_Page | None, bool]]:
    """The first page that is told to this session alone; and whether the session is refused where nobody else is let in."""
    pages = likeliest_own(situation.pages)
    refused = False
    for page in pages[:_MOST_PAGES]:
        asked = asking(situation.baseline.request, page)
        good = yield from ask_raw(asked, "control")
        if not is_good(response_of(good)):
            refused = True
            continue
        stranger = response_of((yield from ask_raw(without_credentials(asked, situation.credentials), "control")))
        told = only_told([read_answer(response_of(good))], stranger)
        if not is_good(stranger) and len(told) >= _LEAST_FACTS:
            return _Page(asked, told, good), False
    return None, refused


def _vulnerable(situation: Situation, page: _Page, again: Exchange) -> Verdict:
    where = f"{page.request.method} {page.request.path.decode('latin-1')}"
    return vulnerable(
        ENTRY,
        situation.point,
        detail=f"{where} is still answered",
        threat=THREAT,
        test=again,
        control=page.good,
        verified_by=(
            "The logout was sent twice with these credentials and answered as when it was recorded. Behind each "
            f"{where}, asked with them, still says what it said before; without credentials it is refused."
        ),
    )


def applies(situation: Situation) -> bool:
    """Logouts that were answered well and come with a session's cookie or a token; nothing that only asks whether one means it."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status >= FIRST_ERROR or not signs_out(request) or not situation.pages:
        return False
    if response.status == OK and _FORM.search(text_of(response)) and request.method.upper() == "GET":
        return False
    if not any(_ends(request, point) for point in situation.credentials):
        return False
    return not _carries_once(request) or bool(_taken_back(situation, response))


def _ends(request: Request, point: Point) -> bool:
    """Whether a credential is one that a logout ends: a session's cookie, or a token, whichever word stands before it."""
    if tuple(point[:3]) == COOKIE:
        return True
    value = read(request, point) or b""
    is_token = value.lower().startswith(_WORDS) or _OF_SESSIONS.search(point[-1]) is not None
    return point[0] == "header" and is_token


def forecast(_situation: Situation) -> int:
    """A page, with and without the session; the logout, and the page once more."""
    return 4


ENTRY = Entry(
    type=TYPE,
    title="The logout does not end the session",
    cwe=(CWE,),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "Who signs out believes that nobody can use his session any more. Whoever has its cookie or token, from a shared machine, a "
        "log or a stolen backup, goes on using it."
    ),
    remediation=(
        "End the session on the server: delete it from the store, or refuse the token's identifier until it expires. To delete "
        "the cookie in the browser is not enough. Give tokens short lives, and revoke the refresh token at logout."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="logout",
    entry=ENTRY,
    whole=True,
    of_logouts=True,
    collected=once_an_address,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
