"""User enumeration: a login, a registration or a password reset tells which names there are.

What it finds
    Logins and resets that answer a known name otherwise than an invented one, by status, by what they say or by how long
    they take, and registrations that say that a name is taken.

Why it matters
    Whoever knows the names tries the passwords of other breaches on these alone, and writes to their owners.

How it decides
    Only where the policy asks for it (`logins`), and only at logins, registrations and resets that are known by their
    fields and path. The recorded name is the known one; its password is tried wrongly three times at the most. Three
    answers to it and nine to invented names come in random order: what all three say and none of the nine, or the other
    way round, is told, with names put back and numbers left out. Answers that speak of a lock or of too many attempts
    decide nothing, nor those that one invented name is given as well, once it was tried twenty times: earlier tests may
    have worn out the known one.
    Time: all three must have taken at least half as long again as each of 27 answers to invented names, and 30 ms more;
    orders that agree so well come up once in 220 for the first twelve, and once in 4,060 for all where times do not drift.
    Registrations: the recorded request, sent again, is refused with words for "taken"; an invented name with an empty
    password is not told so.

Known misses
    Names that are told on other pages. Differences of less than 30 ms. Logins inside GraphQL. Recorded logins that were refused.

Standards and references
    CWE-204 (answers), CWE-208 (time); OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API Security
    Top 10:2023 API2 Broken Authentication; NIST SP 800-63B section 5.2.2; RFC 2606 (example.com).
"""

import re
from collections.abc import Generator, Sequence
from typing import NamedTuple

from gatecrash.core.message import Exchange
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import (
    LOGIN,
    REGISTRATION,
    AccountRequest,
    account_request,
    filled_in,
    invented,
    lets_in,
    wrong_password,
)
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import Reading, read, same_but_for_numbers, telling
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Proof, Verdict, inconclusive, safe

TYPE = "info"
BY_ANSWER, BY_TIME = (204,), (208,)
THREAT_ANSWER, THREAT_TIME = 30, 20
# Decisions 11: so many tries an account.
TRIES = 3
STRANGERS, MORE_STRANGERS = 9, 18
WORN = 20
_RATIO, _LEAST = 1.5, 0.03
_LOCKED = re.compile(r"lock|too many|attempt|try again|temporar|throttl|captcha|suspend", re.IGNORECASE)
_TAKEN = re.compile(
    r"already|taken|in use|exists|duplicate|not (?:available|unique)|must be unique|registered", re.IGNORECASE
)


class _Heard(NamedTuple):
    """An answer to a name. known: whether it was the recorded one."""

    known: bool
    exchange: Exchange
    reading: Reading

    @property
    def seconds(self) -> float:
        return self.exchange.elapsed or 0.0


_Hearing = Generator[TestRequest, Answer, _Heard]
_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(situation: Situation) -> Dialogue:
    account = _account_request(situation)
    if account is None:
        return inconclusive(
            TYPE, situation.point, Inconclusive.NO_CONTROL, "no good answer to a known name was recorded"
        )
    verdict = yield from (
        _by_registering(situation, account) if account.kind == REGISTRATION else _by_names(situation, account)
    )
    return verdict or safe(TYPE, account.name)


def _by_names(situation: Situation, account: AccountRequest) -> _Deciding:
    asked = [True] * TRIES + [False] * STRANGERS
    situation.random.shuffle(asked)
    heard: list[_Heard] = []
    for is_known in asked:
        heard.append((yield from _ask(situation, account, known=is_known)))  # noqa: PERF401 -- no comprehension can yield
    known = [each for each in heard if each.known]
    strangers = [each for each in heard if not each.known]
    if _limited(heard):
        return inconclusive(
            TYPE, account.name, Inconclusive.RATE_LIMITED, "the answers speak of a lock or of too many attempts"
        )
    if _told_apart(known, strangers):
        if (yield from _wears_out(situation, account, known, strangers)):
            return inconclusive(
                TYPE, account.name, Inconclusive.RATE_LIMITED, "any name is answered so when it was tried often"
            )
        return _by_answer(account, known[-1], strangers[-1])
    return (yield from _by_time(situation, account, known, strangers))


def _wears_out(
    situation: Situation, account: AccountRequest, known: Sequence[_Heard], strangers: Sequence[_Heard]
) -> Generator[TestRequest, Answer, bool]:
    """Whether an invented name is answered as the known one once it was tried often, as earlier tests may have tried that."""
    facts = telling([each.reading for each in known], [each.reading for each in strangers])
    name = invented(account.value, situation.random)
    for _ in range(WORN):
        heard = yield from _ask(situation, account, known=False, name=name)
        if heard.reading.facts & facts == known[0].reading.facts & facts:
            return True
    return False


def _ask(situation: Situation, account: AccountRequest, *, known: bool, name: str = "") -> _Hearing:
    """The answer to a name with a wrong password; what it shows of the name is put back. name: another than a fresh one."""
    name = account.value if known else name or invented(account.value, situation.random)
    password = wrong_password(situation.random)
    request = filled_in(situation.baseline.request, account, name, password)
    assert request is not None  # `_account_request` has tried
    exchange = yield from ask(request, "control" if known else "test")
    echoes = {name: "", password: "", name.partition("@")[0]: ""}
    return _Heard(known, exchange, read(response_of(exchange), echoes))


def _limited(heard: Sequence[_Heard]) -> bool:
    return any(each.reading.status == 423 or _LOCKED.search(text_of(response_of(each.exchange))) for each in heard)


def _told_apart(known: Sequence[_Heard], strangers: Sequence[_Heard]) -> bool:
    facts = telling([each.reading for each in known], [each.reading for each in strangers])
    return bool(facts) and not same_but_for_numbers(known[0].reading, strangers[0].reading)


def _by_answer(account: AccountRequest, known: _Heard, stranger: _Heard) -> Verdict:
    words = (
        f"The {account.kind} answers the recorded name otherwise than invented ones (status {known.reading.status} and "
        f"{stranger.reading.status}), {TRIES} times and {STRANGERS} times in random order, with names put back and moving "
        f"numbers left out."
    )
    proof = Proof(test=known.exchange, control=stranger.exchange, verified_by=words)
    return _vulnerable(account, THREAT_ANSWER, proof, "by what it answers", BY_ANSWER)


def _by_time(situation: Situation, account: AccountRequest, known: list[_Heard], strangers: list[_Heard]) -> _Deciding:
    """Go on with invented names as long as each of them was answered faster than every known one."""
    fastest = min(each.seconds for each in known)
    if not _slower(fastest, strangers):
        return None
    for _ in range(MORE_STRANGERS):
        strangers.append((yield from _ask(situation, account, known=False)))
        if not _slower(fastest, strangers[-1:]):
            return None
    slowest = max(each.seconds for each in strangers)
    words = (
        f"The {account.kind} took {fastest:.2f} s and more for the recorded name, and {slowest:.2f} s and less for each of "
        f"{len(strangers)} invented ones; the first {TRIES + STRANGERS} came in random order. What it answers is the same."
    )
    proof = Proof(test=known[-1].exchange, control=strangers[-1].exchange, verified_by=words)
    return _vulnerable(account, THREAT_TIME, proof, "by how long it takes", BY_TIME)


def _slower(fastest: float, strangers: Sequence[_Heard]) -> bool:
    slowest = max(each.seconds for each in strangers)
    return fastest >= _RATIO * slowest and fastest - slowest >= _LEAST


def _by_registering(situation: Situation, account: AccountRequest) -> _Deciding:
    """The recorded name again, which is there now, and an invented one with an empty password, which makes no account."""
    baseline = situation.baseline.exchange
    again = yield from ask(baseline.request, "control")
    told = response_of(again)
    good = text_of(response_of(baseline))
    if told.status < FIRST_ERROR and told.status == response_of(baseline).status and not _TAKEN.search(text_of(told)):
        return None
    if not _TAKEN.search(text_of(told)) or _TAKEN.search(good):
        return None
    stranger = filled_in(baseline.request, account, invented(account.value, situation.random), "")
    assert stranger is not None
    other = yield from ask(stranger)
    if _TAKEN.search(text_of(response_of(other))):
        return None
    words = (
        f"Registered once more, the recorded name is refused (status {told.status}) in words that it is taken; an invented "
        f"name with an empty password, which makes no account, is not answered so."
    )
    proof = Proof(test=again, control=other, verified_by=words)
    return _vulnerable(account, THREAT_ANSWER, proof, "by what it answers", BY_ANSWER)


def _vulnerable(account: AccountRequest, threat: int, proof: Proof, detail: str, cwe: tuple[int, ...]) -> Verdict:
    return Verdict(
        outcome=Outcome.VULNERABLE,
        type=TYPE,
        point=tuple(account.name),
        detail=f"the {account.kind} tells which names there are, {detail}",
        threat=threat,
        cwe=cwe,
        title=ENTRY.title,
        proof=proof,
    )


def _account_request(situation: Situation) -> AccountRequest | None:
    """The login, registration or reset, where its recorded answer shows that the name is known and its body can hold another."""
    exchange = situation.baseline.exchange
    account = account_request(exchange)
    response = exchange.response
    if account is None or response is None or response.truncated or response.status >= FIRST_ERROR or refusal(response):
        return None
    if account.kind == LOGIN and not lets_in(response) and not 300 <= response.status < FIRST_ERROR:
        return None
    return account if filled_in(exchange.request, account, invented(account.value, situation.random), "") else None


def applies(situation: Situation) -> bool:
    """Requests for accounts that were answered when they were recorded, where the policy asks for it."""
    return situation.policy.logins and _account_request(situation) is not None


def forecast(situation: Situation) -> int:
    """Three times the known name and nine invented ones; a registration twice."""
    account = _account_request(situation)
    return 0 if account is None else 2 if account.kind == REGISTRATION else TRIES + STRANGERS


ENTRY = Entry(
    type=TYPE,
    title="User enumeration",
    cwe=(*BY_ANSWER, *BY_TIME),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "Whoever learns which names there are tries stolen passwords on these alone, and writes to their owners in the "
        "application's name."
    ),
    remediation=(
        "Give one answer for every name, with one status and one text, and do the same work for it: compare the password "
        "with a fixed hash where the name is unknown. Let resets and registrations say that a message is on its way, and "
        "tell the rest in that message."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="names",
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
