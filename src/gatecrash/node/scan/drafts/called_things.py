"""What a SOAP function that makes something says that it made: the boat of `AddBoat`, in an answer that is named after the function.

`<AddBoatResponse><AddBoatResult><id>7</id>` tells of the boat 7, which what names one by `boatId` is then tried on: a list shows
those of others. Under another word (`SendParcel`) it made what it says again in full, with a number that nobody sent.
"""

from typing import Any

from gatecrash.core.inventory.called_credentials import is_argument
from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.words.deeds import DELETES, MAKES, OVERWRITES
from gatecrash.core.words.names import plain

_ENDS = ("response", "result", "return")
_ELEMENT = ("xml_tag",)
# The deed and the thing; and what is no chance any more.
_LEAST_WORDS, _LEAST_SENT = 2, 2


def made_by_call(request: Request, body: Any) -> tuple[str, Any]:
    """What such a function's answer is about, in the singular, and what it tells of it; an empty word and the whole for any other.

    body: of the answer, as objects.
    """
    name, words = plain(procedure_of(request)), called(request)
    named = {name + end for end in _ENDS} | {"return"}
    told = body
    while isinstance(told, dict) and len(told) == 1 and plain(str(next(iter(told)))) in named:
        told = next(iter(told.values()))
    if told is body or len(words) < _LEAST_WORDS or not name.startswith(words[0]):
        return "", body
    if words[0] in MAKES or (words[0] not in OVERWRITES | DELETES and _says_it_again(request, told)):
        return singular(name.removeprefix(words[0])), told
    return "", body


def _says_it_again(request: Request, told: Any) -> bool:
    """Whether one thing is told that holds all that was sent under the same names, several values, and its own number."""
    arguments = (one for one in walk(request).points if is_argument(one.point) and one.point[-2:-1] == _ELEMENT)
    sent = {plain(one.point[-1].rpartition(":")[2]): one.value.decode("utf-8", "replace") for one in arguments}
    if not isinstance(told, dict) or len(sent) < _LEAST_SENT or "id" in sent:
        return False
    members = {plain(str(name)): str(value) for name, value in told.items()}
    return "id" in members and sent.items() <= members.items()
