"""Sessions that are made of a name or a number: a login hands out its user's in base64, or its hash, and that lets in.

What it finds
    Logins whose cookie or token, be it one that remembers its user, is made of the user's name alone: in plain text,
    from behind, in base64 or hexadecimal, as an MD5 or SHA hash, or in an object beside short words and small numbers;
    or in such a way of a small number that is his.

Why it matters
    Names are no secret: they stand in addresses, in e-mail and in every list. Whoever knows one makes its session himself, an
    administrator's among others, and no password is asked for.

How it decides
    Nothing is sent unless the recorded answer to the login hands out what is made of the name that it was sent. A
    recorded page is then asked with nothing but that, which must open it and say what nobody is told who has no
    credentials; with what an invented name or number would have been given it must not open. Both come twice. Where it
    is made of a number, the login, sent again, must hand out the same, for what is counted is told elsewhere. No
    session of anybody else is ever made.

Known misses
    Names with a time, a number or a signature beside them. Logins of whose session no recorded page is known.

Standards and references
    CWE-340 (predictable identifiers), CWE-287; OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API
    Security Top 10:2023 API2 Broken Authentication.
"""

import re
from collections.abc import Generator
from typing import NamedTuple

import msgspec

from gatecrash.core.auth.set_cookie import parse
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.asking import ask, ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import LOGIN, account_request, invented
from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told
from gatecrash.core.testing.authorization.tokens.made_values import Made
from gatecrash.core.testing.authorization.tokens.named_values import made_of
from gatecrash.core.testing.authorization.tokens.numbered_values import numbered
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.oracles.difference import read
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "auth"
CWE = (340, 287)
THREAT = 88
_LEAST_FACTS = 2
_MOST_PAGES, _MOST_HANDED = 5, 3
_BEARING = (b"Authorization", b"Bearer ")
_TOKEN = re.compile(r"token|jwt|session|^sid$|auth|access|^key$|api_?key", re.IGNORECASE)


class _Handed(NamedTuple):
    """What a login handed out. cookie: its name; empty for a token."""

    cookie: str
    made: Made
    by_number: bool = False

    @property
    def told(self) -> str:
        what = f"the cookie {self.cookie!r}" if self.cookie else "the token"
        return f"{what} is {self.made.told}"

    def in_a_request(self, page: Page, name: str) -> Request:
        """The page's own question with nothing but what somebody of this name would be handed out."""
        header, before = (b"Cookie", f"{self.cookie}=".encode()) if self.cookie else page.bearing or _BEARING
        asked: Request = msgspec.structs.replace(
            page.request, headers=(*page.request.headers, (header, before + self.made.of(name)))
        )
        return asked


def _dialogue(situation: Situation) -> Dialogue:
    handed = _handed_out(situation)
    for page in _pages(situation):
        stranger = response_of((yield from ask_raw(page.request, "control")))
        if is_good(stranger):
            continue
        for each in handed:
            found = yield from _opened(situation, page, each, stranger)
            if found is not None:
                return found
    return safe(TYPE, situation.point, "no recorded page opens to what is made of a name or a number")


def _pages(situation: Situation) -> list[Page]:
    """Those that the caller asks about himself by, and in a record with many of them the nearest to the login whatever it tells."""
    pages = [page for page in situation.pages if not destroys(page.request) and not signs_out(page.request)]
    first = sorted(pages, key=lambda each: not asks_about_oneself(each.request))[: _MOST_PAGES - 1]
    return [*first, *(page for page in pages if page not in first)][:_MOST_PAGES]


def _opened(
    situation: Situation, page: Page, handed: _Handed, stranger: Response
) -> Generator[TestRequest, Answer, Verdict | None]:
    """The page must open to the user's own name, and to an invented one it must not."""
    opened = yield from ask_raw(handed.in_a_request(page, handed.made.name))
    told = only_told([read(response_of(opened))], stranger)
    if not is_good(response_of(opened)) or len(told) < _LEAST_FACTS:
        return None
    for purpose in ("control", "confirm"):
        nobody = invented(handed.made.name, situation.random)
        refused = response_of((yield from ask_raw(handed.in_a_request(page, nobody), purpose)))
        if is_good(refused) and has_nearly_all(refused, told):
            return None
        again = yield from ask_raw(handed.in_a_request(page, handed.made.name), purpose)
        if not has_nearly_all(response_of(again), told):
            return None
    if handed.by_number and not (yield from _is_handed_again(situation, handed)):
        return None
    return _vulnerable(situation, handed, opened)


def _is_handed_again(situation: Situation, handed: _Handed) -> Generator[TestRequest, Answer, bool]:
    """Whether the login, sent as it was recorded, hands out the same once more."""
    exchange = yield from ask(situation.baseline.request, "confirm")
    return any(each.cookie == handed.cookie and each.made.name == handed.made.name for each in _handed_by(exchange))


def _handed_out(situation: Situation) -> list[_Handed]:
    return _handed_by(situation.baseline.exchange)


def _handed_by(exchange: Exchange) -> list[_Handed]:
    """The cookies and tokens of a login's answer that are made of the name that it was sent, or of a small number."""
    account, response = account_request(exchange), exchange.response
    if account is None or account.kind != LOGIN or response is None:
        return []
    names = {account.value.lower(), account.value.lower().partition("@")[0]}
    cookies = [(each.name.decode("latin-1"), each.value) for each in map(parse, response.all(b"Set-Cookie")) if each]
    tokens = [("", leaf.value.encode()) for leaf in leaves(response) if leaf.path and _TOKEN.search(leaf.path[-1])]
    handed = [*cookies, *tokens]
    named = [_Handed(name, each) for name, value in handed if (each := made_of(value, names)) is not None]
    counted = [_Handed(name, each, by_number=True) for name, value in handed if (each := numbered(value)) is not None]
    known = {each.cookie for each in named}
    return [*named, *(each for each in counted if each.cookie not in known)][:_MOST_HANDED]


def _vulnerable(situation: Situation, handed: _Handed, opened: Exchange) -> Verdict:
    return vulnerable(
        ENTRY,
        situation.point,
        detail=handed.told,
        threat=THREAT,
        test=opened,
        control=situation.baseline.exchange,
        verified_by=(
            f"Of what the login hands out, {handed.told}. With nothing but that, made by the test, a recorded page opens "
            "and says what nobody is told without credentials, three times; what an invented one would have been given does not open it."
        ),
    )


def applies(situation: Situation) -> bool:
    """Logins that handed out what is made of their user's name, or of a small number."""
    return bool(_handed_out(situation))


def forecast(_situation: Situation) -> int:
    """Pages as nobody, as the user, and as somebody invented."""
    return 2 * _MOST_PAGES


ENTRY = Entry(
    type=TYPE,
    title="Sessions can be derived from the user's name or number",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why="Whoever knows a name or a number makes its session himself and is that user. No password, lock or limit stands in the way.",
    remediation=(
        "Let the framework make sessions: a random identifier of at least 128 bits that means nothing, kept on the server and "
        "given out anew at each login."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="named_session",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
