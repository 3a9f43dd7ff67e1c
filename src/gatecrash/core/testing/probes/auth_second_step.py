"""A second step of the login that can be left out: the first one's session or token opens what both should.

What it finds
    Logins that ask for a code after the password, and whose first answer hands out a cookie or a token that is as good as the one
    behind the code.

Why it matters
    The second factor is for show: whoever has the password simply does not ask for the page with the code.

How it decides
    A recorded login whose answer says that a code is wanted (where it leads to, or what its JSON says) is sent once more, alone. What it
    hands out is then all that recorded pages are asked with. A page that opens and tells private data, or two that open, are a
    finding, once each was refused without credentials and with garbled ones, and was answered alike a second time. Pages of
    the login itself are left out: they are for those who are half way.

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

import msgspec

from gatecrash.core.auth.set_cookie import parse
from gatecrash.core.message import Exchange, Request, Response, with_header
from gatecrash.core.testing.authorization.account_endpoints import LOGIN, door_of
from gatecrash.core.testing.authorization.credentials import garble, without_credentials
from gatecrash.core.testing.authorization.issued_tokens import handed_out
from gatecrash.core.testing.authorization.leaves import leaves
from gatecrash.core.testing.authorization.oneself import asks_about_oneself
from gatecrash.core.testing.authorization.owner_evidence import is_good
from gatecrash.core.testing.authorization.ownership import has_nearly_all, is_private, only_told
from gatecrash.core.testing.dialogues.asking import ask_raw, concluding, response_of
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.difference import Fact, read
from gatecrash.core.testing.pages import Bearing, Page, asking
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest, once_an_address
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = (304, 287)
THREAT = 75
_FIRST_ERROR = 400
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
_COOKIE = b"Cookie"
_BEARER: Bearing = (b"Authorization", b"Bearer ")


class _Half(NamedTuple):
    """What the first step hands out: cookies as a header's value, and tokens."""

    cookies: bytes
    tokens: tuple[bytes, ...]


class _Opened(NamedTuple):
    """A page that what the first step handed out opens. told: what nobody else is told."""

    request: Request
    told: frozenset[Fact]
    exchange: Exchange


def _dialogue(situation: Situation) -> Dialogue:
    request, point = situation.baseline.request, situation.point
    first = yield from ask_raw(without_credentials(request, situation.credentials))
    answer = response_of(first)
    half = _handed_out(answer)
    if not wants_more(answer) or half is None:
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "the login, sent once more, is answered otherwise")
    opened: list[_Opened] = []
    for page in _pages(situation):
        opened += yield from _opened(situation, page, half)
        if len(opened) >= _ENOUGH or any(is_private(response_of(each.exchange)) for each in opened):
            return _vulnerable(situation, opened, first)
    return safe(TYPE, point, "the first step opens no page that was recorded")


def _pages(situation: Situation) -> list[Page]:
    """Recorded pages that are no part of the login, those about oneself first."""
    pages = [page for page in situation.pages if not _HALF_WAY.search(page.request.path.decode("latin-1"))]
    return sorted(pages, key=lambda page: not asks_about_oneself(page.request))[:_MOST_PAGES]


def _opened(situation: Situation, page: Page, half: _Half) -> Generator[TestRequest, Answer, list[_Opened]]:
    """The page, where it opens twice to what the first step handed out, and neither to nobody nor to the same garbled."""
    bare = asking(without_credentials(situation.baseline.request, situation.credentials), page)
    stranger = response_of((yield from ask_raw(bare, "control")))
    if is_good(stranger):
        return []
    for name, before, value in _ways(page, half):
        good = yield from ask_raw(_with(bare, name, before + value))
        told = only_told([read(response_of(good))], stranger)
        if not is_good(response_of(good)) or len(told) < _LEAST_FACTS:
            continue
        other = _garbled(name, value, situation.random)
        garbled = yield from ask_raw(_with(bare, name, before + other), "control")
        again = yield from ask_raw(_with(bare, name, before + value), "confirm")
        if not is_good(response_of(garbled)) and has_nearly_all(response_of(again), told):
            return [_Opened(bare, told, again)]
    return []


def _ways(page: Page, half: _Half) -> list[tuple[bytes, bytes, bytes]]:
    """Header, what stands before the value there, and the value: the cookies, and each token where the page had one."""
    ways = [(_COOKIE, b"", half.cookies)] if half.cookies else []
    name, before = page.bearing or _BEARER
    return ways + [(name, before, token) for token in half.tokens]


def _garbled(name: bytes, value: bytes, random: Random) -> bytes:
    """Of a token the letters, of cookies those of their values."""
    if name != _COOKIE:
        return garble(value, random)
    crumbs = (crumb.partition(b"=") for crumb in value.split(b"; "))
    return b"; ".join(each + mark + garble(held, random) for each, mark, held in crumbs)


def _with(request: Request, name: bytes, value: bytes) -> Request:
    changed: Request = msgspec.structs.replace(request, headers=with_header(request.headers, name, value))
    return changed


def _handed_out(response: Response) -> _Half | None:
    """What an answer hands out; None where it is nothing."""
    parsed = (parse(header) for header in response.all(b"Set-Cookie"))
    crumbs = b"; ".join(each.name + b"=" + each.value for each in parsed if each is not None and each.value)
    tokens = tuple(each.value for each in handed_out(response))[:_ENOUGH]
    return _Half(crumbs, tokens) if crumbs or tokens else None


def wants_more(response: Response) -> bool:
    """Whether the answer to a password says that a code is wanted: by where it leads to, or in its JSON."""
    if response.status >= _FIRST_ERROR:
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
    door = door_of(exchange)
    return (
        door is not None
        and door.kind == LOGIN
        and door.password is not None
        and _handed_out(exchange.response) is not None
    )


def forecast(situation: Situation) -> int:
    """The login, and each page without credentials and with what the login hands out."""
    half = _handed_out(situation.baseline.response) if situation.baseline.response is not None else None
    kinds = 0 if half is None else bool(half.cookies) + len(half.tokens)
    return 1 + (1 + kinds) * len(_pages(situation))


ENTRY = Entry(
    type=TYPE,
    title="The second step of the login can be left out",
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
