"""Functions that an application keeps in an object: `api.save("tea")` of `const api = {save: what => http.post("/notes", {what})}`.

methods_called_anew(Script(code))     each call of such a function, as its body with what it is given declared ahead: code to be read
                                      in turn

As of functions with names of their own (`own_functions`), nothing is run (ECMA-262, 13.2.5 and 15.4).
"""

import re
from collections.abc import Iterator

from gatecrash.formats.scripts.literals import Script
from gatecrash.formats.scripts.own_functions import ASKS, Function, as_called, function_at

_MOST_METHODS, _MOST_CALLS, _NEAR = 200, 200, 100
_METHOD = re.compile(
    r"(?<=[{,])\s*+(?:async\s++)?(?!(?:if|for|while|switch|catch|with)\b)(?P<name>[A-Za-z_$][\w$]*+)\s*+"
    r"(?:\(|:\s*+(?:async\b\s*+)?(?:(?:function\s*+)?\(|(?P<one>[A-Za-z_$][\w$]*+)\s*+=>))"
)
_READS = re.compile(r"\.\s*+(?:get|getJSON)\s*+\(")
_OF = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*+)\s*+\Z")


def methods_called_anew(script: Script) -> Iterator[str]:
    """A bounded number of them, each of a bounded length."""
    methods = _methods(script)
    if not methods:
        return
    names = "|".join(map(re.escape, sorted(methods)))
    most = _MOST_CALLS
    for call in re.finditer(rf"\.\s*+({names})\s*+\(", script.code):
        owner = _OF.search(script.code, max(0, call.start() - _NEAR), call.start())
        given = script.parts(call.end(), script.matching(call.end() - 1)) if owner is not None else []
        place = script.object_of(owner[1], owner.start()) if owner is not None and given else None
        method = next((each for each in methods[call[1]] if place and place[0] < each.at < place[1]), None)
        if method is not None and most > 0:
            most -= 1
            yield as_called(script, method, given, call.start())


def _methods(script: Script) -> dict[str, list[Function]]:
    """Each that is given something and asks a server, by name."""
    found: dict[str, list[Function]] = {}
    left = _MOST_METHODS
    for each in _METHOD.finditer(script.code):
        function = function_at(script, each["name"], each.start(), each.end(), each["one"])
        if function is not None and (ASKS.search(function.body) or _READS.search(function.body)):
            found.setdefault(function.name, []).append(function)
            left -= 1
        if not left:
            break
    return found
