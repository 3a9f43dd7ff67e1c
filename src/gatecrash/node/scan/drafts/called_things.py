"""What a SOAP function that makes something says that it made: the boat of `AddBoat`, in an answer that is named after the function.

`<AddBoatResponse><AddBoatResult><id>7</id>` tells of the boat 7, which what names one by `boatId` is then tried on: a list shows
those of others.
"""

from typing import Any

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.words.deeds import MAKES
from gatecrash.core.words.names import plain

_ENDS = ("response", "result", "return")


def made_by_call(request: Request, body: Any) -> tuple[str, Any]:
    """What such a function's answer is about, in the singular, and what it tells of it; an empty word and the whole for any other.

    body: of the answer, as objects.
    """
    name, words = plain(procedure_of(request)), called(request)
    named = {name + end for end in _ENDS} | {"return"}
    told = body
    while isinstance(told, dict) and len(told) == 1 and plain(str(next(iter(told)))) in named:
        told = next(iter(told.values()))
    if told is body or not words or words[0] not in MAKES or not name.startswith(words[0]):
        return "", body
    return singular(name.removeprefix(words[0])), told
