"""Changes of the name that one's own login goes by: what a test left there is set back before the next one, and in the end.

    dialogue = careful(check.probe, situation, tries)

Who signs in by his e-mail and finds another one in his profile is not let in any more, and all that is tested behind that
would be refused. The recorded request holds the name that the login knows, so it is sent once more. What reads right behind a
change finds what that has left.
"""

import re
from typing import Final

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.authorization.callers.account_endpoints import account_request, is_called_name
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.dialogues.behind_guard import behind_guard
from gatecrash.core.testing.dialogues.fresh_names import with_fresh_names
from gatecrash.core.testing.dialogues.lockout import Tries, sparing
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict

# A POST elsewhere makes something that has the name in it, and sent once more it would make another.
_OF_ONESELF: Final = re.compile(
    rb"/(?:me|self|(?:my[-_]?)?(?:account|profile|settings)|(?:change[-_]?)?(?:e-?mail|user-?name|login|address))(?:/|$)",
    re.IGNORECASE,
)


def careful(probe: Probe, situation: Situation, tries: Tries) -> Dialogue:
    """The probe's dialogue, which neither locks an account nor leaves it under another name, asks little of what is refused
    whatever is sent there, and makes names anew that only one may have. tries: the run's.
    """
    dialogue = with_fresh_names(probe.type, sparing(probe, situation, tries), situation)
    return with_own_name(behind_guard(probe.type, dialogue, situation), situation)


def with_own_name(dialogue: Dialogue, situation: Situation) -> Dialogue:
    """The dialogue; where its baseline sets its sender's name, with that name set back at its end."""
    names = names_set(situation)
    return _setting_back(dialogue, situation, names) if names else dialogue


def names_set(situation: Situation) -> tuple[Point, ...]:
    """Where a request that changes one's own account says what its sender is called; empty where it is none."""
    request, response = situation.baseline.request, situation.baseline.response
    if is_safe(request) or request.method.upper() == "DELETE" or response is None or response.status >= FIRST_ERROR:
        return ()
    if request.method.upper() == "POST" and not _OF_ONESELF.search(request.path):
        return ()
    if account_request(situation.baseline.exchange) is not None:
        return ()
    own = {value for value in holder_values(situation) if not value.isdigit()}
    sent = (each for each in walked(request) if each.point[0] == "post" and not each.container and each.value)
    return tuple(
        each.point
        for each in sent
        if each.value.decode("utf-8", "replace").lower() in own and is_called_name(str(each.point[-1]))
    )


def _setting_back(dialogue: Dialogue, situation: Situation, names: tuple[Point, ...]) -> Dialogue:
    recorded = situation.baseline.request
    back = TestRequest(recorded, "control")
    other = False
    try:
        asked = next(dialogue)
        while True:
            if other and not is_safe(asked.request):
                yield back
            other = _has_another(asked.request, recorded, names) or (other and is_safe(asked.request))
            asked = dialogue.send((yield asked))
    except StopIteration as end:
        verdict: Verdict = end.value
    finally:
        dialogue.close()
    if other:
        yield back
    return verdict


def _has_another(request: Request, recorded: Request, names: tuple[Point, ...]) -> bool:
    """Whether a request to the same address has another name in it, or none."""
    if request.path != recorded.path or is_safe(request):
        return False
    return any(_value(request, point) != _value(recorded, point) for point in names)


def _value(request: Request, point: Point) -> bytes | None:
    try:
        return read(request, point)
    except UserError:  # its body is none that can be read
        return None
