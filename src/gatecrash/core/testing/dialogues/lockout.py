"""Logins that lock accounts: tests of a password field send the right login in between, and end where that is refused.

    dialogue = sparing(check.probe, situation)

Whatever stands in the field is one more wrong password to the application, and many lock an account after three or five.
Most forget the wrong ones over a right one, so the recorded login is sent after every two that were refused. Where it is
refused as well, the account is locked, and answers say nothing of payloads any more: inconclusive, there and in all later
tests of the field. A login may be repeated: signing in changes nothing that anybody has.

Some lead everybody on to one page, which turns back who was not let in: a redirect to where the right login leads is no sign of one.
"""

from gatecrash.core.message import Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.callers.account_endpoints import LOGIN, account_request, lets_in
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.oracles.told_errors import tells_errors
from gatecrash.core.testing.probe import Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.profiles.recorded_logins import secret_of
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive

MOST_WRONG = 2
"""So many wrong passwords in a row; the strictest common rule locks after three."""

LOCKED = (
    "the account was locked, or its logins are limited, after wrong passwords; test this field with another account"
)
_TOO_MANY = 429
_REDIRECT, _ERROR = 300, 400


def password_of(baseline: Baseline) -> Point | None:
    """Where the password stands in a login that let its sender in; None where the baseline is none."""
    account, good = account_request(baseline.exchange), baseline.response
    if good is None or good.status >= _ERROR or refusal(good):
        return None
    if account is None:
        return secret_of(baseline.request) if lets_in(good) else None
    return account.password if account.kind == LOGIN else None


def is_within(point: Point, password: Point | None) -> bool:
    """Whether a point is the password's, or decoded inside it."""
    return password is not None and point[: len(password)] == password


def sparing(probe: Probe, situation: Situation) -> Dialogue:
    """The probe's dialogue; at the password of a login one that spares the account."""
    dialogue = probe.run(situation)
    if situation.point[:1] not in (("post",), ("header",)) or not is_within(
        situation.point, password_of(situation.baseline)
    ):
        return dialogue
    return _between(probe.type, dialogue, situation)


def _between(type_: str, dialogue: Dialogue, situation: Situation) -> Dialogue:
    """Counts what was refused in a row, and asks for the recorded login in time."""
    good, memory, place = situation.baseline.response, situation.memory, ("locked", situation.baseline.id)
    assert good is not None
    try:
        asked = next(dialogue)
        while place not in memory.told:
            answer = yield asked
            response = answer.exchange.response
            is_right = asked.request == situation.baseline.request
            let_in = response is not None and _as_good(response, good) and (is_right or not _leads_on(response))
            memory.wrong = 0 if response is None or let_in else memory.wrong + 1
            if memory.wrong >= MOST_WRONG or (response is not None and response.status == _TOO_MANY):
                memory.wrong = 0
                control = (yield TestRequest(situation.baseline.request, "control")).exchange.response
                if control is not None and not _as_good(control, good):
                    memory.told.add(place)
                    break
            asked = dialogue.send(answer)
    except StopIteration as end:
        verdict: Verdict = end.value
        return verdict
    finally:
        dialogue.close()
    return inconclusive(type_, situation.point, Inconclusive.RATE_LIMITED, LOCKED)


def _leads_on(response: Response) -> bool:
    return _REDIRECT <= response.status < _ERROR


def _as_good(response: Response, good: Response) -> bool:
    """Whether an answer lets in as the recorded one did; errors that one alone tells under a good status are a refusal."""
    if tells_errors(text_of(response)) and not tells_errors(text_of(good)):
        return False
    return response.status == good.status and lets_in(response) == lets_in(good) and refusal(response, good) is None
