"""Names that only one may have (an account's address, its telephone number, the title of a thing), made anew for what is sent again.

    dialogue = with_fresh_names(probe.type, dialogue, situation)

A registration that is sent a second time is refused because somebody has that address now, whatever else a test puts into it, and
nothing behind that check is ever reached. Once an answer says so, the test is sent again with other names where it has those of the
baseline, and so is all that follows it. What asks who may do what, or which names there are, stands on the names that it sends.
"""

import re
from typing import Final

import msgspec

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.authorization.callers.account_endpoints import LOGIN, account_request
from gatecrash.core.testing.authorization.fields.properties import made_unique
from gatecrash.core.testing.authorization.fields.sent_objects import body_of, sending
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer, Dialogue, Situation
from gatecrash.core.testing.verdict import Verdict

CONFLICT: Final = 409
# What they look for shows wherever the value is read, whoever it is about.
_OF_VALUES: Final = frozenset(
    {"sqli", "nosqli", "ldapi", "xpathi", "rce", "ssti", "deserialization", "ptrav", "xxe", "ssrf", "xss", "crlf"}
)
_REFUSED: Final = frozenset({400, 403, 422, 500})
_TAKEN: Final = re.compile(
    r"already (?:exist|taken|in use|used|registered|has|have)|(?:is|are|been) taken\b|exists already|duplicate (?:key|entry)"
    r"|unique constraint|must be unique",
    re.IGNORECASE,
)
_LETTERS: Final = 6


def with_fresh_names(type_: str, dialogue: Dialogue, situation: Situation) -> Dialogue:
    """The dialogue; of a request that makes something with a name, with other names as soon as those of the baseline are refused."""
    names = _names_of(situation) if type_ in _OF_VALUES else {}
    return _renaming(dialogue, situation, names) if names else dialogue


def is_taken_by_another(answer: Answer) -> bool:
    """Whether something is refused because of a name that is there already."""
    response = answer.exchange.response
    if not isinstance(response, Response) or answer.failure:
        return False
    said = response.status in _REFUSED and _TAKEN.search(text_of(response)) is not None
    return response.status == CONFLICT or said


def _names_of(situation: Situation) -> dict[Point, bytes]:
    """Where the baseline has names that another may be refused for; empty where it is no request that makes something."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() != "POST" or response is None or response.status >= FIRST_ERROR:
        return {}
    account = account_request(situation.baseline.exchange)
    if account is not None and account.kind == LOGIN:
        return {}
    held = {each.point: each.value for each in walked(request) if each.point[0] == "post" and not each.container}
    anew = _anew(request, situation)
    return {point: value for point, value in held.items() if anew.get(point, value) != value}


def _anew(request: Request, situation: Situation) -> dict[Point, bytes]:
    """The values of a request's body with other names."""
    body = body_of(request)
    if body is None:
        return {}
    other = sending(request, made_unique(body, fresh_letters(situation.random, _LETTERS)))
    return {each.point: each.value for each in walked(other) if each.point[0] == "post" and not each.container}


def _renaming(dialogue: Dialogue, situation: Situation, names: dict[Point, bytes]) -> Dialogue:
    refused = False
    try:
        asked = next(dialogue)
        while True:
            sent = asked
            if refused:
                sent = msgspec.structs.replace(asked, request=_renamed(asked.request, situation, names))
            answer = yield sent
            if not refused and is_taken_by_another(answer):
                request = _renamed(asked.request, situation, names)
                refused = request is not asked.request
                answer = (yield msgspec.structs.replace(asked, request=request)) if refused else answer
            asked = dialogue.send(answer)
    except StopIteration as end:
        verdict: Verdict = end.value
        return verdict
    finally:
        dialogue.close()


def _renamed(request: Request, situation: Situation, names: dict[Point, bytes]) -> Request:
    """The request with other names for those of the baseline; itself where it has none of them, or asks for something else."""
    recorded = situation.baseline.request
    if request.path != recorded.path or request.method != recorded.method:
        return request
    anew = _anew(recorded, situation)
    values = {point: anew[point] for point, value in names.items() if point in anew and _held(request, point) == value}
    try:
        return rewrite_many(request, values) if values else request
    except GatecrashError:
        return request


def _held(request: Request, point: Point) -> bytes | None:
    try:
        return read(request, point)
    except GatecrashError:  # its body is none that can be read
        return None
