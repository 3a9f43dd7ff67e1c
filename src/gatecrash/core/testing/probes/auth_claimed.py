"""Rights taken from what the caller says: a role in a cookie, `admin=0` in an address, whoever changes it has them.

What it finds
    Addresses that open, or tell about others, once a cookie, a parameter or a header of the request claims a higher role than
    the recorded one. In plain text, in base64, in JSON (`role=member`, `profile=eyJhZG1pbiI6ZmFsc2V9`), and among the pairs
    of a cookie's text (`user:ann|role:member`).

Why it matters
    Cookies, hidden fields and headers are written by the browser's owner. To become an administrator he edits one word; no
    password is guessed and no signature broken.

How it decides
    Names that mean a role or a right are looked for wherever a request may carry them, and in the cookies that its
    answer gave out. Where the recorded request is refused, the higher claim must be answered with content while the
    recorded one is refused, each several times in random order. Where it is answered, the higher claim must say
    nearly all that the recorded one says, and beside it what people keep to themselves or objects of other owners; a
    role that nobody has must not say it (that would be a filter or a page for everybody), nor the recorded one again;
    all of it several times in random order. Only requests that read are asked. Addresses that are refused are asked
    with claims that nobody sends, too (`?admin=true`, a cookie `role=admin`, `X-Role: admin`), but for the `quick`
    policy.

Known misses
    Roles that are called in an application's own words, unless its paths say them. Claims within tokens that are signed, which
    `auth_jwt` looks at, or in values that are hashed. What a higher role may change.

Standards and references
    CWE-565 (reliance on cookies), CWE-472 (external control of what is taken for immutable); OWASP Top 10:2021 A01 Broken
    Access Control; OWASP API Security Top 10:2023 API5 Broken Function Level Authorization.
"""

import re
from collections.abc import Callable, Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT, FIRST_SERVER_ERROR, FORBIDDEN
from gatecrash.core.testing.asking import ask, check_alive, concluding, response_of
from gatecrash.core.testing.authorization.callers.credentials import COOKIE
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.owners.ownership import newly_told_of_others
from gatecrash.core.testing.authorization.owners.told_facts import tells_as_much
from gatecrash.core.testing.authorization.ranks.claimed_rights import UNSENT, claiming, claims_of, with_added
from gatecrash.core.testing.dialogues.issued_cookies import revisited
from gatecrash.core.testing.dialogues.turns import in_random_order
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import read, says_anything
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "auth"
COOKIES, PARAMETERS = 565, 472
THREAT_OPENED, THREAT_MORE = 85, 75
_ROUNDS = 3
_MOST_CLAIMS = 4
_REFUSALS = (401, 403, 404)
# What is said under a 200 to those who are signed in and may not.
_NOT_FOR_YOU = re.compile(
    r"(?:admin(?:istrator)?s?|managers?|staff|privileged users?|moderators?)\s+only|only\s+(?:for\s+)?(?:the\s+)?(?:admin|manager|staff)"
    r"|not\s+(?:an?\s+|the\s+)?admin|insufficient\s+(?:rights|privileges?|permissions?)|not\s+allowed\s+to|not\s+have\s+(?:the\s+)?"
    r"(?:permission|rights|access)|restricted\s+(?:area|access|to)|(?:page|area|section|content)\s+(?:is\s+)?(?:locked|restricted)",
    re.IGNORECASE,
)

_Asking = Generator[TestRequest, Answer, Verdict | None]
_Judging = Callable[[Response], bool]


class _Attempt(NamedTuple):
    """What is sent in the place of the recorded request. told: in words. decoys: what must not get the same."""

    request: Request
    told: str
    point: Point
    decoys: tuple[Request, ...]


def _dialogue(situation: Situation) -> Dialogue:
    request, recorded = _as_sent_next(situation), situation.baseline.response
    plain = yield from ask(request, "control")
    refused = _is_refused(response_of(plain))
    if not refused:
        check_alive(recorded, response_of(plain))
        if response_of(plain).status >= FIRST_ERROR:
            return safe(TYPE, situation.point, "the recorded request is answered with an error now")
    for attempt in _attempts(situation):
        seen = yield from ask(attempt.request)
        verdict = yield from _opened(situation, attempt, seen) if refused else _more(situation, attempt, plain, seen)
        if verdict is not None:
            return verdict
    if refused and not situation.policy.one_family:
        verdict = yield from _unsent(situation)
        if verdict is not None:
            return verdict
    return safe(TYPE, situation.point, "what the request says of its sender's rights is not believed")


def _as_sent_next(situation: Situation) -> Request:
    """The recorded request, with the cookies that its answer gave out where they claim something: a browser sends them from then on."""
    again = revisited(situation.baseline)
    return again[0].request if again is not None and claims_of(again[0].request) else situation.baseline.request


def _attempts(situation: Situation) -> list[_Attempt]:
    """Higher claims in the place of the recorded ones, with a role that nobody has beside each."""
    request = _as_sent_next(situation)
    found: list[_Attempt] = []
    for claim in claims_of(request)[:_MOST_CLAIMS]:
        made_up = claim.made_up(situation.random)
        decoy = claiming(request, claim, made_up) if made_up is not None else None
        for value in claim.higher(request.path):
            asked = claiming(request, claim, value)
            if asked is not None:
                told = f"{claim.name} = {value!r} in the place of {claim.value!r}"
                found.append(_Attempt(asked, told, claim.point, (request,) if decoy is None else (request, decoy)))
    return found


def _opened(situation: Situation, attempt: _Attempt, seen: Exchange) -> _Asking:
    """The verdict where what is refused opens to the claim, each time, and to nothing else."""
    if not _is_open(response_of(seen)):
        return None
    again = yield from _each_time(situation, attempt._replace(decoys=attempt.decoys[:1]), _is_open)
    if again is None:
        return None
    told = (
        f"With {attempt.told} the answer is a success with content; without, it is refused. Each was asked {_ROUNDS} times and "
        "more, in random order."
    )
    return _vulnerable(attempt, again, told, THREAT_OPENED)


def _more(situation: Situation, attempt: _Attempt, plain: Exchange, seen: Exchange) -> _Asking:
    """The verdict where the claim brings what is others', each time, and neither the recorded claim nor a made-up one does."""
    before = response_of(plain)
    evidence = _gained(before, response_of(seen))
    if not evidence:
        return None
    again = yield from _each_time(situation, attempt, lambda response: bool(_gained(before, response)))
    if again is None:
        return None
    told = (
        f"With {attempt.told} the answer says what it says without, and more: {evidence}. Neither the recorded claim nor, where "
        f"there can be one, a made-up one brings that. Each was asked {_ROUNDS} times and more, in random order."
    )
    return _vulnerable(attempt, again, told, THREAT_MORE)


def _each_time(
    situation: Situation, attempt: _Attempt, judge: _Judging
) -> Generator[TestRequest, Answer, Exchange | None]:
    """The last answer to the claim, where it is always judged so and the decoys by turns never are."""
    last: Exchange | None = None
    turn = 0
    for claimed in in_random_order(situation.random, max(_ROUNDS, len(attempt.decoys))):
        request = attempt.request if claimed else attempt.decoys[turn % len(attempt.decoys)]
        turn += not claimed
        exchange = yield from ask(request, "confirm" if claimed else "control")
        if judge(response_of(exchange)) is not claimed:
            return None
        last = exchange if claimed else last
    return last


def _gained(before: Response, after: Response) -> str:
    """What a longer answer tells of others, in words; empty where it is not all of the old one and more."""
    if _is_refused(after) or not tells_as_much(before, after):
        return ""
    return newly_told_of_others(before, after)


def _unsent(situation: Situation) -> _Asking:
    """Claims that nobody sends, all at once; then one by one where they open the address."""
    request = situation.baseline.request
    everything = _Attempt(with_added(request, UNSENT), "", Point(), (request,))
    if not _is_open(response_of((yield from ask(everything.request)))):
        return None
    for added in UNSENT:
        told = f"{added.name} = {added.value!r}, which nobody sends, {added.told}"
        attempt = _Attempt(with_added(request, (added,)), told, added.point, (request,))
        verdict = yield from _opened(situation, attempt, (yield from ask(attempt.request)))
        if verdict is not None:
            return verdict
    return None


def _is_refused(response: Response) -> bool:
    """Whether an answer keeps the caller out: by its status, by sending him elsewhere, or in words."""
    if response.status in _REFUSALS or 300 <= response.status < FIRST_ERROR or refusal(response) is not None:
        return True
    return response.status < FIRST_ERROR and _NOT_FOR_YOU.search(text_of(response)) is not None


def _is_open(response: Response) -> bool:
    return response.status < FIRST_REDIRECT and not _is_refused(response) and says_anything(read(response).facts)


def _vulnerable(attempt: _Attempt, exchange: Exchange, told: str, threat: int) -> Verdict:
    return vulnerable(
        ENTRY,
        attempt.point,
        detail=attempt.told,
        threat=threat,
        cwe=(COOKIES if tuple(attempt.point[:3]) == COOKIE else PARAMETERS,),
        test=exchange,
        control=None,
        verified_by=told,
    )


def applies(situation: Situation) -> bool:
    """Requests that read and claim something; those that were refused are asked with claims that nobody sends, but for the quick policy."""
    request, response = situation.baseline.request, situation.baseline.response
    if not only_reads(request) or destroys(request) or response is None or response.status >= FIRST_SERVER_ERROR:
        return False
    if claims_of(_as_sent_next(situation)):
        return True
    return request.method.upper() == "GET" and response.status == FORBIDDEN and not situation.policy.one_family


def forecast(situation: Situation) -> int:
    """The recorded request, and each higher claim once; where it was refused, the claims that nobody sends."""
    refused = situation.baseline.response is not None and _is_refused(situation.baseline.response)
    return 1 + len(_attempts(situation)) + (refused and not situation.policy.one_family)


ENTRY = Entry(
    type=TYPE,
    title="Rights are taken from values that the client sends",
    cwe=(COOKIES, PARAMETERS),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "Whoever edits one word of a cookie, a parameter or a header is an administrator. Browsers show and change them in a few "
        "clicks, and nothing in the logs looks odd."
    ),
    remediation=(
        "Keep roles and rights on the server, in the session or the account, and look them up for each request. What must travel "
        "through the browser has to be signed and the signature checked; an encoding such as base64 protects nothing."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="claimed",
    entry=ENTRY,
    whole=True,
    of_answers=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
