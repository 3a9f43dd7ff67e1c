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
    r"(?:(?<![\w$.])function\s++(?P<name>[A-Za-z_$][\w$]*+)\s*+\("
    r"|(?:(?<![\w$.])(?:var|let|const)\s++|,\s*+)(?P<arrow>[A-Za-z_$][\w$]*+)\s*+=\s*+(?:async\b\s*+)?"
    r"(?:(?:function\s*+)?\(|(?P<one>[A-Za-z_$][\w$]*+)\s*+=>))"
)
# Behind the parameters: a body in brackets, or of an arrow one expression.
_OPENS = re.compile(r"\)\s*+(?:\{|(?P<arrow>=>))")
# What asks the server by itself; a function without it hands nothing on.
_ASKS = re.compile(r"(?<![\w$])(?:fetch|ajax|axios|open|post|put|patch|request)\s*+\(")
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*+")
_SET = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*+)\s*+=(?![=>])")
_BLANKS = re.compile(r"\s++")
_PARAMETER = re.compile(r"\s*+([A-Za-z_$][\w$]*+)\s*+(?:=|\Z)")


def called_anew(script: Script) -> Iterator[str]:
    """A bounded number of them, each of a bounded length."""
    most = _MOST_CALLS
    for name, parameters, body in _own_functions(script):
        ahead = list(_named_within(script, body, parameters))
        for call in re.finditer(rf"(?<![\w$.])(?<!function ){re.escape(name)}\s*+\(", script.code):
            given = script.parts(call.end(), _closed(script, call.end() - 1))
            if most <= 0 or not given:
                continue
            most -= 1
            known = [
                f"const {parameter} = {script.source[slice(*script.meant(*place))][:_LONGEST]};"
                for parameter, place in zip(parameters, given, strict=False)
            ]
            named = _named_within(script, "\n".join(known), parameters)
            yield "\n".join((*named, *known, *ahead, body))


def _named_within(script: Script, body: str, parameters: list[str]) -> Iterator[str]:
    """What a function's body names beside its parameters: the paths that the whole script has of its own."""
    for name in sorted({*_NAME.findall(body)}.difference(parameters, _SET.findall(body))):
        told = script.declared(name)
        if told is not None:
            yield f"const {name} = {told};"


def _own_functions(script: Script) -> Iterator[tuple[str, list[str], str]]:
    """Name, parameters and body of each function that is given something and asks a server."""
    most = _MOST_FUNCTIONS
    for found in _DECLARED.finditer(script.code):
        if found["one"]:
            names: list[str] | None = [found["one"]]
            begin, end = _of_an_arrow(script, found.end())
        else:
            closed = _closed(script, found.end() - 1)
            opened = _OPENS.match(script.code, closed)
            if opened is None:
                continue
            names = _parameters(script, found.end(), closed)
            begin, end = opened.end(), _closed(script, opened.end() - 1)
            if opened["arrow"]:
                begin, end = _of_an_arrow(script, opened.end())
        if most > 0 and names and end - begin <= _LONGEST and _ASKS.search(script.code, begin, end):
            most -= 1
            yield found["name"] or found["arrow"], names, script.source[begin:end]


def _of_an_arrow(script: Script, begin: int) -> tuple[int, int]:
    """Where its body stands, without its brackets; of `x => f(x)` the expression."""
    blanks = _BLANKS.match(script.code, begin)
    begin = blanks.end() if blanks else begin
    if script.code.startswith("{", begin):
        return begin + 1, _closed(script, begin)
    return begin, script.expression(begin)


def _closed(script: Script, opened: int) -> int:
    """Where a bracket is closed; not far behind it, where it never is."""
    return script.matching(opened, min(len(script.code), opened + _LONGEST + 2))


def _parameters(script: Script, begin: int, end: int) -> list[str] | None:
    """Their names; None where one of them is taken apart."""
    found = [_PARAMETER.match(script.source[slice(*each)]) for each in script.parts(begin, end)]
    names = [each[1] for each in found if each is not None]
    return names if len(names) == len(found) else None
