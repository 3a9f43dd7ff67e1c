"""Refresh tokens that outlive the logout: whoever has one is signed in again after its owner has signed out.

What it finds
    Logouts that end the access token, or nothing, and leave the refresh token of the same session good.

Why it matters
    A refresh token lives for weeks and lies in stores of browsers and phones. Who signs out on a shared or stolen device
    believes that it opens nothing any more.

How it decides
    The record must show an exchange of a refresh token, which a body holds (`/token/refresh`, `grant_type=refresh_token`), or a
    cookie. The latest such token is exchanged once more: where the recorded logout has ended it, it is refused, and nothing else is
    sent. The fresh access token must open a recorded page that refuses it garbled. Then the recorded logout is sent with
    the tokens of this session in place of the recorded ones, and must be answered as when it was recorded; behind it the
    refresh token of the session is exchanged again. What it is given must open the page, and all of that twice, while a
    garbled refresh token is given nothing. No session is begun by a password, and none is ended but the one that the
    recorded token has renewed.

Known misses
    Exchanges that want the old access token or a form's token as well (a header that repeats a cookie is sent along), and
    cookies that are not called after what they are for, but `jid` and the like. Sessions in a cookie that nothing calls a
    token. Sessions that outlive a change of the password.

Standards and references
    CWE-613 (insufficient session expiration); OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API
    Security Top 10:2023 API2 Broken Authentication; RFC 7009 section 2.1, RFC 9700 section 4.14.
"""

from collections.abc import Generator

from gatecrash.core.auth.jwt import is_jwt
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite, rewrite_many
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.credentials import garble, without_credentials
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all
from gatecrash.core.testing.authorization.tokens.exchanged import Pair, access_points, pair_of, refresh_point
from gatecrash.core.testing.authorization.tokens.opened import Opened, opened_by
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.objects import Made
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest, once_an_address
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = 613
THREAT = 50
_WORDS = (b"bearer", b"token", b"jwt")


def _dialogue(situation: Situation) -> Dialogue:
    made, point, recorded = situation.makers[0], situation.point, situation.baseline.response
    assert recorded is not None
    now = yield from _exchanged(situation, made.was.encode("latin-1"), "control")
    if now is None:
        return safe(TYPE, point, "the recorded refresh token is taken no more")
    page = yield from opened_by(situation, now)
    if page is None:
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "no page is known that the fresh token opens")
    for purpose in ("test", "confirm"):
        ended = yield from ask_raw(_with(situation, now), purpose)
        if response_of(ended).status != recorded.status:
            detail = f"the logout, sent for the fresh session, is answered {response_of(ended).status}"
            return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, detail)
        renewed = yield from _exchanged(situation, now.refresh, purpose)
        if renewed is None:
            return safe(TYPE, point, "the refresh token is refused once its session has signed out")
        again = yield from ask_raw(page.with_token(renewed.access), purpose)
        if not has_nearly_all(response_of(again), page.said):
            return safe(TYPE, point, "what the refresh token is exchanged for opens nothing after the logout")
        now = renewed
    if (yield from _exchanged(situation, garble(now.refresh, situation.random), "control")) is not None:
        return safe(TYPE, point, "any refresh token is exchanged")
    return _vulnerable(situation, made, page, again)


def _exchanged(situation: Situation, refresh: bytes, purpose: str) -> Generator[TestRequest, Answer, Pair | None]:
    """What a refresh token is exchanged for; None where it is refused."""
    made = situation.makers[0]
    assert made.chosen is not None
    bare = without_credentials(situation.baseline.request, situation.credentials)
    asked = asking(bare, Page(rewrite(made.request, made.chosen, refresh), rendered=False))
    answered = response_of((yield from ask_raw(asked, purpose)))
    return pair_of(answered, refresh) if is_taken(answered) else None


def _with(situation: Situation, now: Pair) -> Request:
    """The recorded logout with the tokens of another session."""
    request = situation.baseline.request
    values = dict.fromkeys(access_points(request), now.access)
    for point in _headers(situation):
        word, space, _ = (read(request, point) or b"").rpartition(b" ")
        values[point] = word + space + now.access
    named = refresh_point(request)
    if named is not None:
        values[named] = now.refresh
    return rewrite_many(request, values)


def _headers(situation: Situation) -> list[Point]:
    """The headers in which the logout carries its token; a key of the program stays as it is."""
    request = situation.baseline.request
    return [point for point in situation.credentials if point[0] == "header" and _is_token(read(request, point) or b"")]


def _is_token(value: bytes) -> bool:
    word, _, last = value.rpartition(b" ")
    return word.lower() in _WORDS or is_jwt(last)


def _vulnerable(situation: Situation, made: Made, page: Opened, again: Exchange) -> Verdict:
    where = f"{page.request.method} {page.request.path.decode('latin-1')}"
    at = made.request.path.decode("latin-1")
    return vulnerable(
        ENTRY,
        situation.point,
        detail=f"{at} still takes its refresh token",
        threat=THREAT,
        test=again,
        control=page.good,
        verified_by=(
            f"A session was renewed at {at} and signed out by this request, twice, answered as when it was recorded. Behind "
            f"each logout {at} took its refresh token and gave an access token that opens {where}; a garbled one was refused."
        ),
    )


def applies(situation: Situation) -> bool:
    """Logouts that were answered well and name a token, beside a recorded exchange of refresh tokens."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status >= FIRST_ERROR or not signs_out(request):
        return False
    made = situation.makers[:1]
    if not made or made[0].chosen is None or not made[0].was or refresh_point(made[0].request) != made[0].chosen:
        return False
    return bool(_headers(situation) or access_points(request) or refresh_point(request) is not None)


def forecast(_situation: Situation) -> int:
    """The recorded token is exchanged once; where it is still good, a page with the fresh one and a garbled one, and the logout."""
    return 4


ENTRY = Entry(
    type=TYPE,
    title="The logout leaves the refresh token good",
    cwe=(CWE,),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "Who signs out believes that nobody can use his session any more. Whoever has its refresh token, from a shared machine, a "
        "backup or a stolen phone, is handed fresh access tokens for weeks."
    ),
    remediation=(
        "Bind access and refresh tokens to one session on the server, and end it at logout: refuse its refresh token from then on, "
        "whichever of them the logout names. Rotate refresh tokens, and end the session where an old one is used again."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="refresh",
    entry=ENTRY,
    whole=True,
    of_logouts=True,
    collected=once_an_address,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
