"""A second step of the login that can be left out: the first one's session or token opens what both should.

What it finds
    Logins that ask for a code after the password, and whose first answer hands out a cookie or a token that is as good as the one
    behind the code.

Why it matters
    The second factor is for show: whoever has the password simply does not ask for the page with the code.

How it decides
    A recorded login whose answer says that a code is wanted (where it leads to, or what its JSON says) is sent once
    more, alone. What it hands out is then all that recorded pages are asked with. A page that opens and tells private
    data, or two that open, are a finding, once each was refused without credentials and with garbled ones, and was
    answered alike a second time. Pages of the login itself are left out: they are for those who are half way.

Known misses
    Logins that want a one-time token of their form. Steps that follow without the answer's saying so.

Standards and references
    CWE-304 (missing critical step in authentication), CWE-287; OWASP Top 10:2021 A07 Identification and Authentication Failures;
    OWASP API Security Top 10:2023 API2 Broken Authentication.
"""

import re
from collections.abc import Generator
from random import Random
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import LOGIN, account_request
from gatecrash.core.testing.authorization.callers.credentials import garble, without_credentials
from gatecrash.core.testing.authorization.callers.own_pages import likeliest_own
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told
from gatecrash.core.testing.authorization.tokens.handed_sessions import COOKIE, Session, Way, session_of, ways_of
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.difference import Fact, read
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest, once_an_address
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = (304, 287)
THREAT = 75
_MOST_PAGES, _ENOUGH, _LEAST_FACTS = 8, 2, 2
_SECOND = re.compile(
    r"2[-_]?fa|mfa|\b(?:t?otp|otp_?code)|totp|two[-_ ]?(?:factor|step)|second[-_ ]?(?:factor|step)|verify|verification|challenge"
    r"|/code\b|code_?(?:required|sent|needed)|step[-_]?(?:2|up)",
    re.IGNORECASE,
)
# An offer to begin with a second factor comes to those who are signed in.
_OFFER = re.compile(r"setup|set[-_]up|enrol|enable|activate|skip|not_?required|disabled|verified", re.IGNORECASE)
# A token or a key by its many digits; such letters hold `2fa` by chance.
_OPAQUE = re.compile(r"(?=(?:[A-Za-z+=_.~-]{0,20}[0-9]){3})[A-Za-z0-9+=_.~-]{16,}")
_NO = ("false", "0", "none", "off", "no")
_HALF_WAY = re.compile(r"log[-_]?in|sign[-_]?in|log[-_]?out|/auth|token|session|" + _SECOND.pattern, re.IGNORECASE)


class _Opened(NamedTuple):
    """A page that what the first step handed out opens. told: what nobody else is told."""

    request: Request
    told: frozenset[Fact]
    exchange: Exchange


def _dialogue(situation: Situation) -> Dialogue:
    request, point = situation.baseline.request, situation.point
    first = yield from ask_raw(without_credentials(request, situation.credentials))
    answer = response_of(first)
    half = session_of(answer)
    if not wants_more(answer) or half is None:
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "the login, sent once more, is answered otherwise")
    opened: list[_Opened] = []
    for page in _pages(situation):
        opened += yield from _opened(situation, page, half)
        if len(opened) >= _ENOUGH or any(is_private(response_of(each.exchange)) for each in opened):
            return _vulnerable(situation, opened, first)
    return safe(TYPE, point, "the first step opens no page that was recorded")


def _pages(situation: Situation) -> list[Page]:
    """Recorded pages that are no part of the login, the likeliest to be somebody's own first."""
    pages = [page for page in situation.pages if not _HALF_WAY.search(page.request.path.decode("latin-1"))]
    return likeliest_own(pages)[:_MOST_PAGES]


def _opened(situation: Situation, page: Page, half: Session) -> Generator[TestRequest, Answer, list[_Opened]]:
    """The page, where it opens twice to what the first step handed out, and neither to nobody nor to the same garbled."""
    bare = asking(without_credentials(situation.baseline.request, situation.credentials), page)
    stranger = response_of((yield from ask_raw(bare, "control")))
    if is_good(stranger):
        return []
    for way in ways_of(page, half):
        good = yield from ask_raw(way.on(bare))
        told = only_told([read(response_of(good))], stranger)
        if not is_good(response_of(good)) or len(told) < _LEAST_FACTS:
            continue
        garbled = yield from ask_raw(_garbled(way, situation.random).on(bare), "control")
        again = yield from ask_raw(way.on(bare), "confirm")
        if not is_good(response_of(garbled)) and has_nearly_all(response_of(again), told):
            return [_Opened(bare, told, again)]
    return []


def _garbled(way: Way, random: Random) -> Way:
    """Of a token the letters, of cookies those of their values."""
    if way.name != COOKIE:
        return way._replace(value=garble(way.value, random))
    crumbs = (crumb.partition(b"=") for crumb in way.value.split(b"; "))
    return way._replace(value=b"; ".join(each + mark + garble(held, random) for each, mark, held in crumbs))


def wants_more(response: Response) -> bool:
    """Whether the answer to a password says that a code is wanted: by where it leads to, or in its JSON."""
    if response.status >= FIRST_ERROR:
        return False
    location = (response.first(b"Location") or b"").decode("latin-1")
    if location:
        return _SECOND.search(_OPAQUE.sub("", location)) is not None and _OFFER.search(location) is None
    said = [(leaf.path[-1], leaf.value) for leaf in leaves(response) if leaf.path and len(leaf.value) < 200]
    return any(_says_so(name, value) for name, value in said)


def _says_so(name: str, value: str) -> bool:
    if value.lower() in _NO or _OFFER.search(name) or _OFFER.search(value):
        return False
    return _SECOND.search(name) is not None or _SECOND.search(_OPAQUE.sub("", value)) is not None


def _vulnerable(situation: Situation, opened: list[_Opened], first: Exchange) -> Verdict:
    where = " and ".join(f"{each.request.method} {each.request.path.decode('latin-1')}" for each in opened)
    return vulnerable(
        ENTRY,
        situation.point,
        detail=f"{where} open after the first step",
        threat=THREAT,
        test=opened[-1].exchange,
        control=first,
        verified_by=(
            f"The login was sent anew; its answer asks for a second step. With what it hands out, and nothing else, {where} "
            "tells what nobody is told without credentials, twice. Garbled it is refused."
        ),
    )


def applies(situation: Situation) -> bool:
    """Logins by password whose answer wants a second step and hands something out."""
    exchange = situation.baseline.exchange
    if exchange.response is None or not wants_more(exchange.response) or not _pages(situation):
        return False
    account = account_request(exchange)
    return (
        account is not None
        and account.kind == LOGIN
        and account.password is not None
        and session_of(exchange.response) is not None
    )


def forecast(situation: Situation) -> int:
    """The login, and each page without credentials and with what the login hands out."""
    half = session_of(situation.baseline.response) if situation.baseline.response is not None else None
    kinds = 0 if half is None else bool(half.cookies) + len(half.tokens)
    return 1 + (1 + kinds) * len(_pages(situation))


ENTRY = Entry(
    type=TYPE,
    title="The second step of the login can be skipped",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "A second factor is there for the day on which a password is known to somebody else. That day he asks for the pages he wants "
        "instead of the one with the code, and is in."
    ),
    remediation=(
        "Hand out a session or a token only behind the last step. What carries the caller from one step to the next must say so, live "
        "for minutes, and be refused everywhere but at that step."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="second_step",
    entry=ENTRY,
    whole=True,
    of_answers=True,
    collected=once_an_address,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
