"""Operations whose description asks for credentials, and which answer without any.

What it finds
    Operations of an imported OpenAPI document that need credentials by their own `security`, or by the document's, and
    that answer a caller who has none. It needs no credentials, where `auth` compares with an answer to good ones.

Why it matters
    The description says what the author meant: here the check is missing. Whoever reads the document finds the operation.

How it decides
    The operation, sent without credentials, was answered with success. Another operation that reads and needs the same
    credentials by the description is asked without them and must be refused by 401 or 403: the application checks them
    at all. The operation is asked again, and must say all that it said before; a path that does not exist must be
    answered otherwise. What the document says of all operations, and a class of controllers of all its methods, holds
    for some of them by mistake. So the operation must surely be somebody's business, as `auth` judges it; what reads
    must hold what people keep to themselves besides, or stand in the same section as an operation that was refused.
    Where the operation has a `security` of its own, that section is enough. Logins, registrations, resets, refreshed
    tokens, health checks, webhooks, catalogues and other published things are no findings, nor is what guests send and
    sign themselves. A refusal below the operation (`/clubs/1/members`) says nothing of it.

Known misses
    Operations whose description says nothing of credentials. What reads nobody's data, where nothing beside it is
    refused. APIs that refuse nobody. Deletions, which cannot be repeated. With credentials at hand `auth` judges.

Standards and references
    CWE-306; OpenAPI 3.1 section 4.8.10 (security of an operation); OWASP Top 10:2021 A07; OWASP API Security Top
    10:2023 API2 Broken Authentication.
"""

from collections.abc import Generator

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.addresses.sections import in_part_for_some
from gatecrash.core.testing.asking import Stopped, ask_raw, concluding, enough_samples, response_of
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.openness.access import Access, nowhere, sample_repeatable
from gatecrash.core.testing.authorization.openness.everybodys import (
    asks_a_question,
    of_the_sign_in,
    perhaps_for_visitors,
)
from gatecrash.core.testing.authorization.openness.exposure import is_at_stake
from gatecrash.core.testing.authorization.openness.guarded_beside import is_for_visitors
from gatecrash.core.testing.authorization.openness.guest_acts import by_a_guest
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.declared import Declared, is_before_sign_in
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, safe, vulnerable

TYPE = "auth"
MISSING = 306
# As `auth` weighs the same: 80 where whoever asks reads, 90 where he changes something.
THREAT_READ, THREAT_CHANGE = 80, 90
_UNAUTHORIZED = (401, 403)
_AUTHORIZATION = Point(("header", "AUTHORIZATION"))


def _dialogue(situation: Situation) -> Dialogue:
    recorded, declared = situation.baseline.response, situation.declared
    if recorded is None or declared is None:
        raise Stopped(Inconclusive.NO_CONTROL, "no answer to the operation is known")
    if recorded.status >= FIRST_REDIRECT or not is_taken(recorded):
        return safe(TYPE, situation.point, f"without credentials it answers {recorded.status}, and not with success")
    if not declared.refused:
        return safe(TYPE, situation.point, "no operation that reads and is described as this one was refused")
    if not _is_meant(situation, declared, recorded):
        return safe(TYPE, situation.point, "nothing but the description says that it is not for everybody")
    case = Access(situation, (yield from enough_samples(situation, (yield from sample_repeatable(situation)))))
    case.check_comparable()
    refused = yield from _refused(declared)
    if refused is None:
        return safe(TYPE, situation.point, "what is described as this one is answered without credentials, too")
    if case.safe and case.as_good((yield from ask_raw(nowhere(case.request, situation), "control"))):
        return safe(TYPE, situation.point, "any path at all gets this answer")
    again = yield from ask_raw(case.request, "confirm")
    if not case.as_good(again):
        raise Stopped(Inconclusive.UNSTABLE, "the same question without credentials was answered in two ways")
    who = "the operation itself" if declared.itself else "every operation without a `security` of its own"
    return vulnerable(
        ENTRY,
        situation.point,
        threat=THREAT_READ if _reads(case.request) else THREAT_CHANGE,
        cwe=(MISSING,),
        title=ENTRY.title,
        test=again,
        control=case.control,
        verified_by=(
            f"By the API's description {who} needs credentials. Sent without any it was answered with success, twice, and the "
            f"answers say the same. {refused}, which needs the same by the description, is refused without them."
        ),
    )


def _refused(declared: Declared) -> Generator[TestRequest, Answer, str | None]:
    """What is refused now as it was before, in words."""
    for request in declared.refused:
        answer = response_of((yield from ask_raw(request, "control")))
        if answer.status in _UNAUTHORIZED:
            return f"{request.method} {request.path.decode('latin-1')}"
    return None


def _is_meant(situation: Situation, declared: Declared, good: Response) -> bool:
    """Whether the description is right that this is not for everybody."""
    request = situation.baseline.request
    path = request.path.decode("latin-1")
    if signs_in(request) or of_the_sign_in(path) or is_before_sign_in(request.path) or perhaps_for_visitors(request):
        return False
    if by_a_guest(request):
        return False
    reads = _reads(request)
    if reads and is_for_visitors(path) and not (in_part_for_some(request.path) or is_private(good, strictly=True)):
        return False
    near = declared.refuses_beside(request.path)
    if _at_stake(situation, good, everywhere=True) and (not reads or near or is_private(good)):
        return True
    return near and declared.itself and _at_stake(situation, good, everywhere=False)


def _at_stake(situation: Situation, good: Response, *, everywhere: bool) -> bool:
    """What `auth` says of a program that was told by the description to send a token. everywhere: to all operations."""
    told = msgspec.structs.replace(
        situation, credentials=(_AUTHORIZATION,), visited=False, everywhere=everywhere, declared=None
    )
    return is_at_stake(told, good)


def _reads(request: Request) -> bool:
    return is_safe(request) or only_reads(request) or asks_a_question(request)


def applies(situation: Situation) -> bool:
    """Operations that need credentials by their description and carry none."""
    request = situation.baseline.request
    asks = situation.declared is not None and situation.declared.asks
    return asks and not situation.credentials and request.method.upper() not in ("OPTIONS", "DELETE")


def forecast(situation: Situation) -> int:
    """None where the operation is refused; else two good answers, an operation that is refused, a path that does not exist and a repeat."""
    recorded, declared = situation.baseline.response, situation.declared
    if recorded is None or declared is None or not is_taken(recorded) or not declared.refused:
        return 0
    return 5 if is_safe(situation.baseline.request) else 2


ENTRY = Entry(
    type=TYPE,
    title="Answers without the credentials that its description asks for",
    cwe=(MISSING,),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "The API's own description says that credentials are needed, so its author believes that they are checked. Whoever reads the "
        "description and leaves them out is let in."
    ),
    remediation=(
        "Check the caller's credentials at this operation, best in one place for all that refuses by default. Where everybody may use "
        "it, say so in the description (`security: []`), or mark the endpoint as public on purpose here."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="declared",
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
