"""Logins without limits: wrong passwords may be tried as often and as fast as somebody likes.

What it finds
    Logins that neither slow down nor refuse the caller after twenty wrong tries in a row.

Why it matters
    Short and reused passwords are found by trying; nothing but a limit stands in the way.

How it decides
    Only where the policy asks for it (`logins`), only at logins that are known by their fields and path, and with one
    invented name, so that no account is locked and no password guessed. Every try must be refused as a wrong login is.
    A status 423, 429 or 503, a Retry-After, a challenge, other words than the first tries had, or answers that become
    slower are limits, and end it at once; a pause of the run between two tries may be one, and decides nothing. What
    remains is twenty tries that were all answered alike.

Known misses
    Limits that only existing accounts have: they protect the account, and no limit of this kind stops somebody who tries one
    password on many names. Limits that begin after more than twenty tries.

Standards and references
    CWE-307; OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API Security Top 10:2023 API2 Broken
    Authentication; NIST SP 800-63B section 5.2.2 (rate limiting); RFC 6585 section 4.
"""

from gatecrash.core.message import Exchange
from gatecrash.core.statuses import FIRST_SERVER_ERROR
from gatecrash.core.testing.asking import Stopped, ask, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import (
    LOGIN,
    AccountRequest,
    account_request,
    filled_in,
    invented,
    lets_in,
    wrong_password,
)
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.difference import Reading, read, same_but_for_numbers
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Proof, Verdict, inconclusive, safe

TYPE = "info"
CWE = (307,)
THREAT = 35
TRIES = 20
_FIRST = 5
_REFUSED = (400, 401, 403, 404, 422)
# Slower by half, and by more than a loaded server is by itself.
_RATIO, _LEAST = 1.5, 0.2
# Seconds between two tries: what sends them waits by itself where a limiter asks for it, and shows the answer behind that.
_PAUSE = 0.9


def _dialogue(situation: Situation) -> Dialogue:
    account = _account_request(situation)
    if account is None or account.password is None:
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "the login's body cannot hold another name")
    name = invented(account.value, situation.random)
    readings: list[Reading] = []
    times: list[float] = []
    ended = 0.0
    for number in range(TRIES):
        password = wrong_password(situation.random)
        request = filled_in(situation.baseline.request, account, name, password)
        assert request is not None  # `_account_request` has tried
        try:
            exchange = yield from ask(request)
        except Stopped as stopped:
            if stopped.reason is Inconclusive.RATE_LIMITED and number:
                return safe(TYPE, account.password, f"limited after {number} tries")
            raise
        if ended and exchange.started - ended >= _PAUSE:
            return inconclusive(
                TYPE, account.password, Inconclusive.RATE_LIMITED, "the run itself had to wait between two tries"
            )
        ended = exchange.started and exchange.started + (exchange.elapsed or 0.0)
        if not _refused(exchange, situation.baseline.exchange):
            return inconclusive(
                TYPE, account.password, Inconclusive.UNSTABLE, "a wrong login is not refused in a known way"
            )
        readings.append(read(response_of(exchange), {name: "", password: "", name.partition("@")[0]: ""}))
        times.append(exchange.elapsed or 0.0)
        if not _alike(readings[0], readings[-1]):
            return safe(TYPE, account.password, f"answered otherwise after {number} tries")
    if _slowed(times):
        return safe(TYPE, account.password, "slowed down")
    return _vulnerable(account, exchange, readings[0].status)


def _refused(exchange: Exchange, recorded: Exchange) -> bool:
    """Whether nobody was let in: by status, by words, or because what the recorded login got is not given."""
    response = response_of(exchange)
    if response.status in _REFUSED or refusal(response):
        return True
    if response.status >= FIRST_SERVER_ERROR or recorded.response is None:
        return False
    good = recorded.response
    other_place = response.first(b"Location") != good.first(b"Location")
    return (response.status, other_place) != (good.status, False) or (lets_in(good) and not lets_in(response))


def _alike(first: Reading, now: Reading) -> bool:
    return first.facts == now.facts or same_but_for_numbers(first, now)


def _slowed(times: list[float]) -> bool:
    """Whether even the fastest of the last tries took longer than the slowest of the first ones."""
    before, after = max(times[:_FIRST]), min(times[-_FIRST:])
    return after >= _RATIO * before and after - before >= _LEAST


def _vulnerable(account: AccountRequest, exchange: Exchange, status: int) -> Verdict:
    assert account.password is not None
    return Verdict(
        outcome=Outcome.VULNERABLE,
        type=TYPE,
        point=tuple(account.password),
        detail=f"{TRIES} wrong passwords in a row were neither refused nor slowed down",
        threat=THREAT,
        cwe=CWE,
        title=ENTRY.title,
        proof=Proof(
            test=exchange,
            verified_by=(
                f"{TRIES} wrong passwords for one invented name, one after the other, were all answered alike (status "
                f"{status}): no lock, no challenge, no Retry-After, and not slower at the end than at the beginning. "
                f"Accounts that exist may have a lock of their own; no account was tried."
            ),
        ),
    )


def _account_request(situation: Situation) -> AccountRequest | None:
    account = account_request(situation.baseline.exchange)
    if account is None or account.kind != LOGIN:
        return None
    return (
        account
        if filled_in(situation.baseline.request, account, invented(account.value, situation.random), "")
        else None
    )


def applies(situation: Situation) -> bool:
    """Logins, where the policy asks for it."""
    return situation.policy.logins and _account_request(situation) is not None


def forecast(_situation: Situation) -> int:
    """As many as are tried where no limit comes; a sound login ends it sooner."""
    return TRIES // 2


ENTRY = Entry(
    type=TYPE,
    title="Login without limits",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why="Short and reused passwords are found by trying, and nothing but a limit on tries stands in the way of it.",
    remediation=(
        "Count failed logins by account and by address, slow each further one down, and ask for a challenge or a second "
        "factor after some. Answer 429 with Retry-After, and tell the account's owner."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="limits",
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
