"""Recoveries that ask for no proof: whoever knows an account's name or number sets its password.

What it finds
    Requests that set the password of the account that they name, whoever sends them: no session, no old password, no code that
    was sent to its owner, or a code that nobody compares.

Why it matters
    Names and addresses are no secrets. Whoever knows one is that user from then on, and its owner is locked out.

How it decides
    Only where the record holds a registration and a login by password, as calls or as forms. An account of our own
    is registered as recorded, under a fresh name. It must sign in with its password, and must not with another. The
    request is sent for it without credentials, with its name and that other password in place of the recorded ones,
    and all else as recorded: a code there was another account's. A number stands in the place of the name (`userId`,
    `/users/7/password`) where the registration, the login or its token told it of the new account. Where the login lets
    it in with the new password then, and a second time with one more, a name is enough. Nobody else's password is set.

Known misses
    Applications whose accounts have to be confirmed first, or are made by nobody. Numbers that neither registering nor
    signing in tells. GraphQL.

Standards and references
    CWE-640 (weak password recovery), CWE-620; OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API
    Security Top 10:2023 API2 Broken Authentication.
"""

from collections.abc import Generator

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.asking import ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import wrong_password
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.callers.named_alone import SetByName, filled, set_by_name
from gatecrash.core.testing.authorization.callers.told_number import told_number
from gatecrash.core.testing.authorization.objects.made_anew import may_make
from gatecrash.core.testing.dialogues.fresh_accounts import (
    FreshAccount,
    entered,
    let_in,
    name_for,
    pairs_of,
    registered,
)
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = (640, 620)
THREAT = 95


def _dialogue(situation: Situation) -> Dialogue:
    named = set_by_name(situation.baseline.request)
    assert named is not None
    found = yield from _signed_in(situation)
    if found is None:
        detail = "no account of our own could be made and signed in"
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, detail)
    made, entrance, number = found
    is_name = not named.numbered or named.account.name[-1] == made.account.name[-1]
    called = name_for(named.account, made) if is_name else number
    if not called:
        return inconclusive(
            TYPE, situation.point, Inconclusive.NO_CONTROL, "nothing tells the number of our own account"
        )
    request = without_credentials(situation.baseline.request, situation.credentials)
    exchange: Exchange | None = None
    for purpose in ("test", "confirm"):
        password = wrong_password(situation.random)
        if (yield from entered(entrance, made, password)) is not None:
            return safe(TYPE, situation.point, "the login lets it in with any password")
        exchange = yield from _set(request, named, called, password, purpose)
        if exchange is None:
            return safe(TYPE, situation.point, "without a proof it is refused")
        if (yield from entered(entrance, made, password)) is None:
            return safe(TYPE, situation.point, "it sets no password")
    assert exchange is not None
    return vulnerable(
        ENTRY,
        named.account.name,
        detail=f"{named.called} alone says whose password is set",
        threat=THREAT,
        test=exchange,
        control=situation.baseline.exchange,
        verified_by=(
            "An account was registered for this test and could not sign in with another password. The request was sent for it without "
            "credentials, and the login let it in with the password that was set so, twice. The account is still there."
        ),
    )


def _signed_in(situation: Situation) -> Generator[TestRequest, Answer, tuple[FreshAccount, Request, str] | None]:
    """An account of our own, the login that lets it in, and the number that it is told to have; empty where it is told none."""
    for registration, entrance in pairs_of(situation):
        made = yield from registered(situation, registration)
        answer = None if made is None else (yield from let_in(entrance, made))
        if made is not None and answer is not None:
            told = (told_number(each, made.account.value) for each in (made.answer, answer) if each is not None)
            return made, entrance, next(filter(None, told), "")
    return None


def _set(
    request: Request, named: SetByName, called: str, password: str, purpose: str
) -> Generator[TestRequest, Answer, Exchange | None]:
    """The request for our own account; None where it is refused."""
    asked = filled(request, named, called, password)
    if asked is None:
        return None
    exchange = yield from ask_raw(asked, purpose)
    return exchange if is_taken(response_of(exchange)) else None


def applies(situation: Situation) -> bool:
    """What sets the password of whom it names, beside a registration and a login."""
    if set_by_name(situation.baseline.request) is None or not may_make(situation):
        return False
    return bool(pairs_of(situation))


def forecast(_situation: Situation) -> int:
    """An account of our own, its login twice, and the request."""
    return 4


ENTRY = Entry(
    type=TYPE,
    title="A password is set without a proof of who asks",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why="Whoever knows an account's name or address sets its password, is that user, and its owner is locked out.",
    remediation=(
        "Let a password be set by who is signed in and knows the old one, or by a long random token that was sent to the address known "
        "of the account, holds once and for minutes, and is compared before anything else."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="unproven",
    entry=ENTRY,
    whole=True,
    of_answers=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
