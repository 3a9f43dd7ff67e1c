"""Sessions that are counted: the next one is known before it is given out.

What it finds
    Cookies and tokens for sessions that are a counter, the time, or the hash of one of them (`1043`, `sess_1043`, the
    MD5 of 4, the second in which they were given out).

Why it matters
    Whoever gets a session himself knows those of all who came shortly before and after him. No password is asked for,
    and he tries ten numbers.

How it decides
    Nothing is sent unless the recorded answer gives out a cookie, or to a login a field, with a session's name that is
    a number, or the hash of a small one or of the moment. Then the request is sent again as it was recorded, five
    times. Each value must be one that was foretold from the one before: a little more than it, or the second that the
    answer's own Date tells. Numbers that come again, jump, or fall are no finding. No session of anybody else is ever
    tried.

Known misses
    Numbers behind a chance part or a signature. Counters that only some requests move. Generators of chance that are weak.

Standards and references
    CWE-340 (predictable identifiers), CWE-334 (small space); OWASP Top 10:2021 A07 Identification and Authentication Failures;
    OWASP API Security Top 10:2023 API2 Broken Authentication.
"""

import re
from collections.abc import Generator

from gatecrash.core.auth.set_cookie import parse
from gatecrash.core.message import Exchange
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import LOGIN, account_request
from gatecrash.core.testing.authorization.tokens.counted_values import is_counted, is_of_clock, number_in
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.dated import dated
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "auth"
CWE = (340, 334)
THREAT = 75
_ROUNDS = 5
_SESSION = re.compile(
    r"(?:sess(?:ion)?|sid|auth|token|login|remember(?:[-_]?me)?)(?:[-_.]?(?:id|key|token|uid|hash|value|cookie))?\d{0,2}$",
    re.IGNORECASE,
)
_NO_SESSION = re.compile(
    r"csrf|xsrf|expir|time|date|count|seen|visit|state|nonce|version|attempt|start|last|created|issued|refresh",
    re.IGNORECASE,
)


def _dialogue(situation: Situation) -> Dialogue:
    for name in _given(situation.baseline.exchange):
        exchanges = yield from _again(situation)
        how = _foretold(name, exchanges)
        if how:
            situation.memory.told.add(_place(situation, name))
            return _vulnerable(situation, name, exchanges[-1], how)
    return safe(TYPE, situation.point, "what is given out cannot be foretold")


def _again(situation: Situation) -> Generator[TestRequest, Answer, list[Exchange]]:
    """The answers to the request sent again, as long as they are as good as the recorded one."""
    exchanges: list[Exchange] = []
    for number in range(_ROUNDS):
        exchange = yield from ask(situation.baseline.request, "confirm" if number else "test")
        if response_of(exchange).status >= FIRST_ERROR:
            break
        exchanges.append(exchange)
    return exchanges


def _foretold(name: str, exchanges: list[Exchange]) -> str:
    """How the values of this name follow from each other or from the clock, in words; empty where they do not."""
    given = [(_numbers(exchange).get(name), dated(response_of(exchange))) for exchange in exchanges]
    numbers = [number for number, _ in given if number is not None]
    if len(numbers) < _ROUNDS:
        return ""
    if all(moment is not None and number is not None and is_of_clock(number, moment) for number, moment in given):
        return "the time at which it is given out"
    return "a counter" if is_counted(numbers) else ""


def _given(exchange: Exchange) -> list[str]:
    return list(_numbers(exchange))


def _numbers(exchange: Exchange) -> dict[str, int]:
    """The numbers that an answer gives out as sessions, by the names of their cookies or fields."""
    response = exchange.response
    if response is None or response.status >= FIRST_ERROR:
        return {}
    cookies = [(each.name.decode("latin-1"), each.value) for each in map(parse, response.all(b"Set-Cookie")) if each]
    account = account_request(exchange)
    # Elsewhere a session may be a lesson, or whatever else people count.
    told = leaves(response) if account is not None and account.kind == LOGIN else []
    fields = [(leaf.path[-1], leaf.value.encode()) for leaf in told if leaf.path]
    moment = dated(response)
    found: dict[str, int] = {}
    for name, value in (*cookies, *fields):
        number = number_in(value, moment) if _SESSION.search(name) and not _NO_SESSION.search(name) else None
        if number is not None:
            found.setdefault(name, number)
    return found


def _vulnerable(situation: Situation, name: str, exchange: Exchange, how: str) -> Verdict:
    return vulnerable(
        ENTRY,
        situation.point,
        detail=f"{name!r} is {how}",
        threat=THREAT,
        test=exchange,
        control=situation.baseline.exchange,
        verified_by=(
            f"Sent again {_ROUNDS} times, the request was given a value of {name!r} each time that is {how}, or the hash of it: each was "
            "known from the one before or from the answer's Date."
        ),
    )


def _place(situation: Situation, name: str) -> tuple[str, ...]:
    request = situation.baseline.request
    return ("auth_counted_session", request.host, str(request.port), name)


def applies(situation: Situation) -> bool:
    """Requests whose recorded answer gives out a session that is a number, once for each name and host."""
    request = situation.baseline.request
    if destroys(request) or signs_out(request):
        return False
    return any(_place(situation, name) not in situation.memory.told for name in _given(situation.baseline.exchange))


def forecast(_situation: Situation) -> int:
    """The request five times."""
    return _ROUNDS


ENTRY = Entry(
    type=TYPE,
    title="Sessions can be predicted",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why="Whoever is given a session knows those of all who come after him, and uses them as they are given out.",
    remediation="Let the framework make sessions: random identifiers of at least 128 bits from the system's own source of chance.",
)
PROBE = Probe(
    type=TYPE,
    name="counted_session",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
