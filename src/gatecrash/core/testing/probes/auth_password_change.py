"""Passwords that are changed without the old one: whoever finds a session open takes the account for good.

What it finds
    Changes of one's own password that have no field for the present password, that do without it when it is left out, or that
    take a wrong one.

Why it matters
    A session that was left open, a stolen cookie or a forged request (CSRF, XSS) is enough to shut the owner out: the new
    password is the thief's. With the old one asked for, the session alone is not enough.

How it decides
    The recorded request sets a password to what it was recorded with; the tests set it to nothing else. Where it holds
    the present one, it is sent with a wrong one in its place, then without it; else as it is. An answer as good as the
    recorded one, twice, is a finding, where the controls were answered otherwise before and behind the second one:
    without credentials, and, where the new password is repeated, with a repetition that differs. A recorded change
    whose answer says that it failed ("Wrong password", "Not changed") is not asked: a wrong present password is
    answered in the same way. Where a redirect answers, the page that it leads to is read after the tests and after the
    recorded change: it must say of both what it does not say by itself, and nothing of the tests alone.

Known misses
    Changes that prove by a code who is asking, which are left alone, and resets in a session, which may stand behind
    such a code. Applications that answer alike whatever was changed, or lead on and say nothing.

Standards and references
    CWE-620 (unverified password change); OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API Security
    Top 10:2023 API2 Broken Authentication.
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, Response, reading
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.testing.asking import ask, ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import wrong_password
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.callers.password_changes import PasswordChange, password_change
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.operations.graphql import address_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import read, said_by_ones_alone
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.oracles.outcomes.told_changes import tells_failure
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "auth"
CWE = 620
THREAT = 55
_COOKIE = ("header", "COOKIE")
_RESETS = re.compile(r"reset", re.IGNORECASE)
_METHODS = ("GET", "POST", "PUT", "PATCH")


class _Attempt(NamedTuple):
    """A change without the present password. told: in words."""

    request: Request
    told: str


def _dialogue(situation: Situation) -> Dialogue:
    change = _change(situation)
    assert change is not None
    access = Access(situation, [situation.baseline.exchange])
    # Many answer 401 to a wrong password, which is no sign that the session has ended.
    put = ask if change.old is None else ask_raw
    for attempt in _attempts(situation, change):
        seen = yield from put(attempt.request)
        if not access.as_good(seen):
            continue
        if (yield from _anything_goes(access, change, attempt)):
            return safe(TYPE, situation.point, "what changes no password is answered alike")
        again = yield from put(attempt.request, "confirm")
        if not access.as_good(again) or (yield from _anything_goes(access, change, attempt)):
            continue
        if (yield from _told_alike(access, change, attempt)):
            return _vulnerable(access, attempt, change, again)
    return safe(TYPE, situation.point, "the present password is asked for")


def _change(situation: Situation) -> PasswordChange | None:
    """The change of somebody who is signed in: a session may have got as far as a reset by a code that another request held."""
    request = situation.baseline.request
    in_session = all(tuple(point[:2]) == _COOKIE for point in situation.credentials)
    if in_session and _RESETS.search(address_of(request)):
        return None
    return password_change(request, holder_values(situation))


def _attempts(situation: Situation, change: PasswordChange) -> list[_Attempt]:
    request = situation.baseline.request
    if change.old is None:
        return [_Attempt(request, "as it was recorded, without any field for the present password")]
    wrong = rewrite(request, change.old, wrong_password(situation.random).encode())
    name = change.old[-1]
    return [
        _Attempt(wrong, f"with a wrong present password in {name!r}"),
        _Attempt(remove(request, change.old), f"without {name!r}, which holds the present password"),
    ]


def _anything_goes(access: Access, change: PasswordChange, attempt: _Attempt) -> Generator[TestRequest, Answer, bool]:
    """Whether the same is answered to nobody, or to two new passwords that differ; of a redirect its page says so."""
    if change.again and landing_of(access.request, access.good) is None:
        differing = _differing(access, change, attempt.request)
        if access.as_good((yield from ask_raw(differing, "control"))):
            return True
    bare = without_credentials(attempt.request, access.situation.credentials)
    return access.as_good((yield from ask_raw(bare, "control")))


def _differing(access: Access, change: PasswordChange, request: Request) -> Request:
    """The change with two new passwords that differ."""
    return rewrite(request, change.again[0], wrong_password(access.situation.random).encode())


def _told_alike(access: Access, change: PasswordChange, attempt: _Attempt) -> Generator[TestRequest, Answer, bool]:
    """Whether the page that a redirect leads to says of the attempt what it says of the recorded change: many lead back
    to the form in either case, and tell there that the present password was wrong.
    """
    target = landing_of(access.request, access.good)
    if target is None:
        return True
    sent: dict[str, Request | None] = {"plain": None, "tried": attempt.request, "own": access.request}
    pages: dict[str, list[Response]] = {whose: [] for whose in sent}
    # The first reading takes what is told once and was left over.
    for whose in ("plain", "plain", "tried", "own", "tried", "own", "plain"):
        request = sent[whose]
        if request is not None:
            yield from ask_raw(request, "control")
        pages[whose].append(response_of((yield from ask(reading(access.request, target), "control"))))
    (_, *plain), tried, own = ([read(page) for page in pages[whose]] for whose in sent)
    is_told = not change.again
    if change.again:
        differing = yield from ask_raw(_differing(access, change, attempt.request), "control")
        if access.as_good(differing):
            is_told = True
            plain.append(read(response_of((yield from ask(reading(access.request, target), "control")))))
            if not said_by_ones_alone(own, plain):
                return False
    failed = {whose: any(tells_failure(text_of(page)) for page in pages[whose][-2:]) for whose in pages}
    if change.old is None or (failed["own"] and not failed["plain"]):
        return not failed["own"] or failed["plain"]
    if said_by_ones_alone(tried, plain + own) or said_by_ones_alone(own, plain + tried):
        return False
    return bool(not is_told or said_by_ones_alone(own, plain))


def _vulnerable(access: Access, attempt: _Attempt, change: PasswordChange, exchange: Exchange) -> Verdict:
    beside = " and with a repetition that differs" if change.again else ""
    return vulnerable(
        ENTRY,
        access.situation.point,
        detail=attempt.told,
        threat=THREAT,
        test=exchange,
        control=access.control,
        verified_by=(
            f"The change was sent {attempt.told}, and was answered as when it was recorded, twice. Without "
            f"credentials{beside} it is answered otherwise."
        ),
    )


def applies(situation: Situation) -> bool:
    """Changes of one's own password that were answered well, and not by a sentence that it failed."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() not in _METHODS or not situation.credentials or response is None:
        return False
    if not is_taken(response):
        return False
    return _change(situation) is not None and not tells_failure(text_of(response))


def forecast(situation: Situation) -> int:
    """A wrong present password, and none; where there is no field for it, the change and its controls."""
    change = _change(situation)
    return 2 if change is not None and change.old is not None else 3


ENTRY = Entry(
    type=TYPE,
    title="Passwords can be changed without the current one",
    cwe=(CWE,),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "Whoever gets hold of a session for a moment, at an open machine or through another flaw, sets a password of his own and "
        "keeps the account."
    ),
    remediation=(
        "Ask for the present password (or another proof, such as a second factor) with every change of the password, check it before "
        "anything else, limit the tries, and end the account's other sessions."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="password_change",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
