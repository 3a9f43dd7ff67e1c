"""Refresh tokens that are good once more after they were exchanged, though each exchange gives another.

What it finds
    Exchanges that hand out a new refresh token and take the old one all the same.

Why it matters
    Refresh tokens are given anew so that a stolen one is worth nothing once its owner has gone on. Where the old one stays
    good, whoever stole it is handed access tokens beside its owner, and nobody notices.

How it decides
    A session of its own: the recorded login is sent once more, and its refresh token exchanged as recorded, which must give
    another one. The old token is exchanged again, a moment later, and what that gives must open a recorded page that is
    refused to a garbled token. All of that once more, three quarters of a minute later, with the token that the session went on
    with: a server that sees a used one ends the session, and one that allows for lost answers does so for seconds. A garbled
    refresh token must be refused. No recorded session is touched.

Known misses
    Logins that hand out no refresh token by themselves. Tokens that stay the same are left alone: nothing says that they were
    to be used up.

Standards and references
    RFC 9700 section 4.14.2 (refresh token rotation), RFC 6749 section 10.4; CWE-613, CWE-294; OWASP Top 10:2021 A07
    Identification and Authentication Failures; OWASP API Security Top 10:2023 API2 Broken Authentication.
"""

from collections.abc import Generator

from gatecrash.core.message import Request
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask_raw, concluding, put, response_of
from gatecrash.core.testing.authorization.callers.credentials import garble, without_credentials
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all
from gatecrash.core.testing.authorization.tokens.exchanged import Exchanged, Pair, latest_of, pair_of
from gatecrash.core.testing.authorization.tokens.opened import Opened, opened_by
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest, once_an_address
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = (613, 294)
THREAT = 45
# Seconds. In the first the answer to an exchange may be on its way; within the second, servers that allow for lost answers
# take a used token on purpose: ten to thirty seconds are what they have by default.
_PAUSES = {"test": 3.0, "confirm": 45.0}


def _dialogue(situation: Situation) -> Dialogue:
    point, bare = situation.point, without_credentials(situation.baseline.request, situation.credentials)
    exchange = _recorded(situation)
    assert exchange is not None
    now = yield from _begun(situation, bare)
    if now is None:
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "the login hands out no refresh token any more")
    page: Opened | None = None
    test = situation.baseline.exchange
    for purpose, pause in _PAUSES.items():
        fresh = yield from _exchanged(bare, exchange, now.refresh, "control")
        if fresh is None or fresh.refresh == now.refresh:
            return safe(TYPE, point, "the exchange gives no other refresh token, or none")
        again = yield from _exchanged(bare, exchange, now.refresh, purpose, pause=pause)
        if again is None:
            return safe(TYPE, point, "a refresh token is refused once it was exchanged")
        page = page or (yield from opened_by(situation, again))
        if page is None:
            return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "no page is known that the fresh token opens")
        test = yield from ask_raw(page.with_token(again.access), purpose)
        if not has_nearly_all(response_of(test), page.said):
            return safe(TYPE, point, "what a used refresh token is exchanged for opens nothing")
        now = fresh
    wrong = garble(now.refresh, situation.random)
    if page is None or (yield from _exchanged(bare, exchange, wrong, "control")) is not None:
        return safe(TYPE, point, "any refresh token is exchanged")
    where = f"{page.request.method} {page.request.path.decode('latin-1')}"
    return vulnerable(
        ENTRY,
        exchange.point,
        detail="a used refresh token is exchanged again",
        threat=THREAT,
        test=test,
        control=page.good,
        verified_by=(
            "In a session begun for this the refresh token was exchanged, which gave another one, and exchanged again. What that "
            f"gave opens {where}; twice, with two tokens, {_PAUSES['confirm']:.0f} s later the second time. A garbled one is refused."
        ),
    )


def _begun(situation: Situation, bare: Request) -> Generator[TestRequest, Answer, Pair | None]:
    """What a recorded login hands out now."""
    for made in situation.makers:
        asked = asking(bare, Page(made.request, rendered=False))
        answered = response_of((yield from ask_raw(asked, "control")))
        pair = pair_of(answered, b"") if is_taken(answered) else None
        if pair is not None and pair.refresh:
            return pair
    return None


def _exchanged(
    bare: Request, exchange: Exchanged, refresh: bytes, purpose: str, pause: float = 0.0
) -> Generator[TestRequest, Answer, Pair | None]:
    """What a refresh token is exchanged for; None where it is refused."""
    asked = asking(bare, Page(rewrite(exchange.request, exchange.point, refresh), rendered=False))
    answered = response_of((yield from put(TestRequest(asked, purpose, raw=True, pause=pause))))
    return pair_of(answered, refresh) if is_taken(answered) else None


def _recorded(situation: Situation) -> Exchanged | None:
    """What was exchanged when it was recorded, where that gave another refresh token."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status >= FIRST_ERROR or signs_out(request):
        return None
    exchanged = latest_of(request, response)
    if exchanged is None or exchanged.now.encode("latin-1") in (request.body or b"") + (
        request.first(b"Cookie") or b""
    ):
        return None
    return exchanged


def applies(situation: Situation) -> bool:
    """Exchanges that gave another refresh token, beside a login."""
    return bool(situation.makers) and _recorded(situation) is not None


def forecast(_situation: Situation) -> int:
    """A login, an exchange, and the same again."""
    return 3


ENTRY = Entry(
    type=TYPE,
    title="A used refresh token is taken again",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why="Whoever stole a refresh token is handed access tokens beside its owner, as long as he likes, and nobody notices.",
    remediation=(
        "Let each refresh token be exchanged once. Where a used one comes again, end the whole session, as one of the two that "
        "have it is not its owner (RFC 9700, section 4.14.2)."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="reused",
    entry=ENTRY,
    whole=True,
    collected=once_an_address,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
