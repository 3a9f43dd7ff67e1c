"""A draft's own answer: asked for once, before its tests, and what it means where it was no good one.

A draft is a request that a user imported from a description of the API, so that nobody knows what it is answered. Where
the answer says that the request was not let in, or does not fit, tests of it that find nothing have shown nothing. What was
recorded as a browser's cache knew it (304, and no body) is asked for in the same way.
"""

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT, FIRST_SERVER_ERROR, FORBIDDEN, NOT_MODIFIED
from gatecrash.core.testing.authorization.callers.account_endpoints import brings_a_password
from gatecrash.core.testing.authorization.callers.password_changes import sets_password
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.cancelling import cancels
from gatecrash.core.testing.effects.destruction import deletes, destroys, resets_all
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.outcomes.told_errors import blames_the_sender, reason_of_fault
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.profiles.entrance import fields, registers_into
from gatecrash.core.testing.selection.replay import NO_BASELINE, trimmed, why_not
from gatecrash.formats.draft import Draft, is_kept, is_of_a_page, is_of_a_stranger
from gatecrash.formats.refusals.told_fields import completed
from gatecrash.formats.refusals.told_forms import reworded
from gatecrash.node.test.beforehand.admission import is_refused, others, sent_by
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.checks import Attendance, SessionLost

KEPT = (
    "not sent: what it would delete was there before; describe the request that makes such a thing, with a body that is taken, "
    "or record the deletion of one that may go"
)
RESETS = "not sent: its address or its description says that it resets all there is; record it where that may be done"
PASSWORDS = (
    "not sent: it sets the password of an account that nothing says is the sender's own; describe what tells whoever is signed "
    "in his number, or record it for an account whose password may be set"
)
LOCKS_OUT = (
    "not sent: the form sets a password, and nothing tells which one its user has; give that of whom the auth profile signs in as a variable "
    "of his (password: …), or record the form for an account whose password may be set"
)
STRANGERS = (
    "not sent: it would change an account that was there before, as nothing tells what the sender's own is called there; describe what "
    "tells whoever is signed in his name or number, show the account as an example that may be changed, or record the request"
)
_UNFIT = frozenset({400, 422})
_FEW_WORDS = 120


def refuse_what_is_none(exchange: Exchange) -> None:
    """Raises UserError where an exchange is no baseline, or is described and would delete what was there before, change
    somebody's account, or set somebody's password.
    """
    why = why_not(exchange)
    if why:
        raise UserError(NO_BASELINE[why])
    if is_of_a_stranger(exchange):
        raise UserError(STRANGERS)
    if is_kept(exchange) and is_of_a_page(exchange) and sets_password(exchange.request):
        raise UserError(LOCKS_OUT)
    if is_kept(exchange) and not deletes(exchange.request) and brings_a_password(exchange.request):
        raise UserError(PASSWORDS)
    if is_kept(exchange):
        is_of_one = destroys(exchange.request) is not None or cancels(exchange.request)
        raise UserError(RESETS if resets_all(exchange.request) or not is_of_one else KEPT)


def is_unanswered(exchange: Exchange) -> bool:
    """Whether this is a draft that was not sent yet."""
    return exchange.drafted and exchange.response is None


def wants_answer(exchange: Exchange) -> bool:
    """Whether its answer has to be asked for before its tests: nobody knows it, or the recorded client had it in its cache."""
    response = exchange.response
    return is_unanswered(exchange) or (
        response is not None and response.status == NOT_MODIFIED and is_safe(exchange.request)
    )


async def asked(baseline: Baseline, attendance: Attendance, traffic: Traffic) -> tuple[Baseline, str]:
    """The baseline with its answer, as it was sent by whoever is let in, and the failure where none came."""
    draft = attendance.bare
    seen, failure = await _answered(baseline, attendance)
    if not isinstance(draft, Draft):
        return seen, failure
    better = _as_it_asks(draft, seen.response)
    if better is not None:
        other, why = await _stood_in(better, attendance)
        if other is not None and other.response is not None and other.response.status < FIRST_ERROR:
            return other, why
        await attendance.stand_in(draft)
    if not is_refused(draft, seen.response):
        return seen, failure
    for sender in others(traffic, draft):
        other, why = await _stood_in(sent_by(draft, sender), attendance)
        if other is not None and not why and not is_refused(draft, other.response):
            return other, why
    await attendance.stand_in(draft)
    return seen, failure


async def _stood_in(draft: Draft, attendance: Attendance) -> tuple[Baseline | None, str]:
    """Another request in the draft's place, with its answer; None where its sender's session is lost, who is told why himself."""
    try:
        dressed = await attendance.stand_in(draft)
        return await _answered(dressed, attendance)
    except SessionLost:
        return None, ""


def _as_it_asks(draft: Draft, response: Response | None) -> Draft | None:
    """The draft with the fields or the values that its refusal asks for (`role must be one of: …`); None where it asks for none.

    All other drafts were asked so when answers were obtained: what may destroy or cancel is sent in its own turn alone. Whose
    password something sets stays as it is.
    """
    if response is None or response.status not in _UNFIT or fields(draft.request):
        return None
    if not (destroys(draft.request) or cancels(draft.request)):
        return None
    refused = msgspec.structs.replace(draft, response=response)
    request = reworded(draft.request, response)
    better = completed(refused) or (msgspec.structs.replace(draft, request=request) if request is not None else None)
    return None if better is None else msgspec.structs.replace(better, response=None, spare=None)


async def _answered(baseline: Baseline, attendance: Attendance) -> tuple[Baseline, str]:
    answer = await attendance.send(TestRequest(baseline.request, "control"))
    response = answer.exchange.response
    if response is None:
        return baseline, answer.failure or "closed"
    if not baseline.exchange.drafted and response.status >= FIRST_REDIRECT:
        return baseline, ""  # the recorded client was let in
    exchange: Exchange = msgspec.structs.replace(
        baseline.exchange, response=trimmed(response), started=answer.exchange.started, elapsed=answer.exchange.elapsed
    )
    return Baseline(baseline.id, exchange), ""


def fault_of(exchange: Exchange) -> tuple[str, str] | None:
    """Why a draft's tests show nothing where they found nothing: (reason of contract 2.10, detail); None where they do."""
    response = exchange.response
    if not exchange.drafted or response is None:
        return None
    why = refusal(response) if response.status < FIRST_SERVER_ERROR else ""
    if why and not _leads_the_new_one_in(exchange.request, response):
        sender = exchange.sender if isinstance(exchange, Draft) else ""
        refused = f"the request as described is refused ({why}){f', though it was sent as {sender}' if sender else ''}"
        if response.status == FORBIDDEN:
            return "auth_failed", f"{refused}; give a user who may, by an auth profile"
        missing = "what else it asks for" if sender else "its credentials"
        return "auth_failed", f"{refused}; give {missing} by an auth profile"
    return _unfit(response)


def _leads_the_new_one_in(request: Request, response: Response) -> bool:
    """Whether a registration sends whoever has an account now to the login, which refuses nobody."""
    return registers_into(request) and bool(fields(request)) and FIRST_REDIRECT <= response.status < FIRST_ERROR


def _unfit(response: Response) -> tuple[str, str] | None:
    if response.status < FIRST_ERROR:
        return None
    said = _said(response)
    told = f"answered {response.status} ({said})" if said else f"answered {response.status}"
    broke = "the application failed, as its log may tell: mend that, or give an example that it answers well"
    is_broken = response.status >= FIRST_SERVER_ERROR and not blames_the_sender(text_of(response))
    way_out = broke if is_broken else "give examples whose values exist on the target"
    return "recording_error", f"the request as described is {told}; {way_out}"


def _said(response: Response) -> str:
    """What the application says is wrong, in a few words; no page for people."""
    told = reason_of_fault(text_of(response)) or text_of(response)
    text = "" if b"html" in (response.first(b"Content-Type") or b"") else " ".join(told.split())
    return text if len(text) <= _FEW_WORDS else text[: _FEW_WORDS - 1] + "\u2026"
