"""One-time codes that can be left out: what a code should confirm is confirmed without one.

What it finds
    Confirmations of a payment, a login's second step, an e-mail address or a telephone number whose code is looked at
    only where one is sent: left out, empty or null it is not asked for.

Why it matters
    The code is the proof that its owner agrees. Whoever has the session, or only the password, does without it.

How it decides
    Only addresses that say that something is confirmed or verified, with one field that holds a short code. Where a
    recorded request made the object that is confirmed, the same is made anew, so that nothing was confirmed before. The
    confirmation is sent with its code left out, empty and, in JSON, null. An answer as good as the recorded one is a
    finding, once a wrong code was refused and the same did without a code a second time, both for an object made anew
    where one can be made. What answers well to a wrong code decides nothing: it may say that all is confirmed already.
    No code is guessed: a wrong one is sent only where none is needed.

Known misses
    Codes that are looked at and not compared, codes of other accounts, and codes that can be tried without end. Codes
    that were used up where nothing can be made anew. Codes in addresses, and beside other changes (`PUT /profile`).

Standards and references
    CWE-304 (missing critical step in authentication), CWE-287; OWASP Top 10:2021 A07 Identification and Authentication
    Failures; OWASP API Security Top 10:2023 API2 Broken Authentication.
"""

from collections.abc import Generator

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, ask_as, ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.one_time_codes import Without, code_of, without_code, wrong_code
from gatecrash.core.testing.authorization.objects.named import asking_for, named_fields, named_objects
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.outcomes.told_changes import tells_failure
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = (304, 287)
THREAT = 75
_METHODS = ("POST", "PUT", "PATCH")

_Asking = Generator[TestRequest, Answer, Exchange]


def _dialogue(situation: Situation) -> Dialogue:
    request, point = situation.baseline.request, situation.point
    code = _code(situation)
    assert code is not None
    access = Access(situation, [situation.baseline.exchange])
    asked = yield from _anew(situation)
    if asked is None:
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "nothing could be made anew that is to be confirmed")
    without: Without | None = None
    for without in without_code(asked, code):
        if _is_done(access, (yield from _put(situation, without.request))):
            break
    else:
        return safe(TYPE, point, "without its code it is refused")
    asked = (yield from _anew(situation)) or asked
    held = (read(request, code) or b"").decode("latin-1")
    wrong = yield from _put(situation, wrong_code(asked, code, held, situation.random), "control")
    if _is_done(access, wrong):
        return safe(TYPE, point, "a wrong code is answered alike: it may be confirmed already")
    again = next(each for each in without_code(asked, code) if each.told == without.told)
    seen = yield from _put(situation, again.request, "confirm")
    if not _is_done(access, seen):
        return safe(TYPE, point, "without its code it is refused the second time")
    return vulnerable(
        ENTRY,
        code,
        detail=f"{code[-1]} {again.told}",
        threat=THREAT,
        test=seen,
        control=access.control,
        verified_by=(
            f"With its code {again.told}, the confirmation was answered as when it was recorded, twice. With a wrong code it was "
            "refused in between."
        ),
    )


def _code(situation: Situation) -> Point | None:
    response = situation.baseline.response
    return None if response is None else code_of(situation.baseline.request, response)


def _anew(situation: Situation) -> Generator[TestRequest, Answer, Request | None]:
    """The confirmation of what is made anew; as it was recorded where no recorded request made it. None where nothing can be made."""
    request = situation.baseline.request
    made = _maker(situation)
    if made is None:
        return request
    named = next(each for each in _named(request) if each.value == made.was)
    answered = yield from ask(asking(request, Page(made.request, rendered=False)), "control")
    new = made.identifier(response_of(answered))
    return asking_for(request, named, new) if new else None


def _maker(situation: Situation) -> Made | None:
    """What made the very object that the confirmation names."""
    named = {each.value for each in _named(situation.baseline.request)}
    return next((made for made in situation.makers if made.was in named), None)


def _named(request: Request) -> list[Named]:
    return [*reversed(named_objects(request)), *named_fields(request)]


def _put(situation: Situation, request: Request, purpose: str = "test") -> _Asking:
    """As its sender. A refusal says something of the code, and nothing of his session, though many answer 401 to it."""
    if situation.identities and situation.credentials:
        return (yield from ask_as(request, situation.identities[0].name, purpose))
    return (yield from ask_raw(request, purpose))


def _is_done(access: Access, seen: Exchange) -> bool:
    return access.as_good(seen) and not tells_failure(text_of(response_of(seen)))


def applies(situation: Situation) -> bool:
    """Confirmations by a code that were answered well."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() not in _METHODS or response is None or response.status >= FIRST_ERROR:
        return False
    if refusal(response) is not None or tells_failure(text_of(response)):
        return False
    return _code(situation) is not None


def forecast(situation: Situation) -> int:
    """Three without a code, and what is to be confirmed, made anew."""
    return 3 + (_maker(situation) is not None)


ENTRY = Entry(
    type=TYPE,
    title="A one-time code can be left out",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "The code proves that the owner of the account agrees. Where it is compared only if it is sent, whoever holds the session or "
        "the password confirms without it."
    ),
    remediation=(
        "Refuse a confirmation that has no code, before anything else, and compare what was sent with the code that was issued for this "
        "very step. Let a code hold once, for minutes, and for few tries."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="code",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
