"""Functions that an application has of its own around a call: `function send(to, what) { return fetch(to, {body: what}) }`.

called_anew(Script(code))     each call of such a function, as its body with what it is given declared ahead: code to be read in turn

Nothing is run: who calls it with what is written out is read as if the function's body stood there. Functions that call further
ones of their kind are read one deep (ECMA-262, 15.2 and 15.3: declarations, and arrows that are given a name).
"""

import re
from collections.abc import Iterator

from gatecrash.formats.scripts.literals import Script

_MOST_FUNCTIONS, _MOST_CALLS, _LONGEST = 40, 200, 4_000
_DECLARED = re.compile(
    r"(?<![\w$.])(?:function\s++(?P<name>[A-Za-z_$][\w$]*+)\s*+"
    r"|(?:var|let|const)\s++(?P<arrow>[A-Za-z_$][\w$]*+)\s*+=\s*+(?:async\s*+)?(?:function\s*+)?)\("
)
_OPENS = re.compile(r"\)\s*+(?:=>\s*+)?\{")
# What asks the server by itself; a function without it hands nothing on.
_ASKS = re.compile(r"(?<![\w$])(?:fetch|ajax|axios|open|post|put|patch|request)\s*+\(")
_PARAMETER = re.compile(r"\s*+([A-Za-z_$][\w$]*+)\s*+(?:=|\Z)")


def called_anew(script: Script) -> Iterator[str]:
    """A bounded number of them, each of a bounded length."""
    most = _MOST_CALLS
    for name, parameters, body in _own_functions(script):
        for call in re.finditer(rf"(?<![\w$.])(?<!function ){re.escape(name)}\s*+\(", script.code):
            given = script.parts(call.end(), script.matching(call.end() - 1))
            if most <= 0 or not given:
                continue
            most -= 1
            known = (
                f"const {parameter} = {script.source[slice(*script.meant(*place))][:_LONGEST]};"
                for parameter, place in zip(parameters, given, strict=False)
            )
            yield "\n".join((*known, body))


def _own_functions(script: Script) -> Iterator[tuple[str, list[str], str]]:
    """Name, parameters and body of each function that is given something and asks a server."""
    most = _MOST_FUNCTIONS
    for found in _DECLARED.finditer(script.code):
        closed = script.matching(found.end() - 1)
        opened = _OPENS.match(script.code, closed)
        if opened is None or most <= 0:
            continue
        begin, end = opened.end(), script.matching(opened.end() - 1)
        parameters = [_PARAMETER.match(script.source[slice(*each)]) for each in script.parts(found.end(), closed)]
        names = [each[1] for each in parameters if each is not None]
        is_small = end - begin <= _LONGEST and len(names) == len(parameters) > 0
        if is_small and _ASKS.search(script.code, begin, end):
            most -= 1
            yield found["name"] or found["arrow"], names, script.source[begin:end]
