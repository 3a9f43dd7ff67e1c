"""Functions that an application has of its own around a call: `function send(to, what) { return fetch(to, {body: what}) }`.

called_anew(Script(code))                    each call of such a function, as its body with what it is given declared ahead: code to
                                             be read in turn
bound(script, "{a: b}", "given", (5, 9))     declarations of a parameter: "const b = given.a;"
named_within(script, body, {"b"}, 120)       declarations of what source that stood at a place names there

Nothing is run: who calls it with what is written out is read as if the function's body stood there. Functions that call further
ones of their kind are read one deep (ECMA-262, 15.2 and 15.3: declarations, and arrows that are given a name).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gatecrash.formats.scripts.literals import Script

_MOST_FUNCTIONS, _MOST_CALLS, _LONGEST = 40, 200, 4_000
_DECLARED = re.compile(
    r"(?:(?<![\w$.])function\s++(?P<name>[A-Za-z_$][\w$]*+)\s*+\("
    r"|(?:(?<![\w$.])(?:var|let|const)\s++|[,;{}]\s*+)(?P<arrow>[A-Za-z_$][\w$]*+)\s*+=\s*+(?:async\b\s*+)?"
    r"(?:(?:function\s*+)?\(|(?P<one>[A-Za-z_$][\w$]*+)\s*+=>))"
)
# Behind the parameters: a body in brackets, or of an arrow one expression.
_OPENS = re.compile(r"\)\s*+(?:\{|(?P<arrow>=>))")
ASKS = re.compile(r"(?<![\w$])(?:fetch|ajax|axios|open|post|put|patch|request)\s*+\(")
"""What asks the server by itself."""
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*+")
_SET = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*+)\s*+=(?![=>])")
_BLANKS = re.compile(r"\s++")
_PARAMETER = re.compile(r"\s*+([A-Za-z_$][\w$]*+)\s*+(?:=|\Z)")
# ECMA-262, 14.3.3: members of what is given, each with a name of its own and what it is otherwise.
_TAKEN = re.compile(
    r"(?<=[{,])\s*+(?P<key>[A-Za-z_$][\w$]*+)\s*+(?::\s*+(?P<local>[A-Za-z_$][\w$]*+)\s*+)?(?:=\s*+(?P<otherwise>[^,{}()]++))?(?=[,}])"
)
# Before a name that goes on there, or is declared; asked apart, for a search that begins with a word is a quick one.
_NO_CALL = re.compile(r"(?:[\w$.]|function )\Z")
_BEFORE = len("function ")
_CONST = re.compile(r"^const ([\w$]++)", re.MULTILINE)
_GIVEN = "given$"


class Function(NamedTuple):
    """at: where it is declared. parameters: as source. body: without its brackets."""

    name: str
    at: int
    parameters: list[str]
    body: str


def called_anew(script: Script) -> Iterator[str]:
    """A bounded number of them, each of a bounded length."""
    most = _MOST_CALLS
    for function in _own_functions(script):
        meant = script.scopes.value_of(function.name, function.at)
        for call in re.finditer(rf"{re.escape(function.name)}\s*+\(", script.code):
            if _NO_CALL.search(script.code, max(0, call.start() - _BEFORE), call.start()):
                continue
            given = script.parts(call.end(), _closed(script, call.end() - 1))
            if most <= 0 or not given or script.scopes.value_of(function.name, call.start()) != meant:
                continue
            most -= 1
            yield as_called(script, function, given, call.start())


def as_called(script: Script, function: Function, given: list[tuple[int, int]], at: int) -> str:
    """The body in a block of its own, for what is given may call things by the same names. at: where it is called."""
    outer = [
        f"const {_GIVEN}{number} = {script.source[slice(*script.meant(*place))][:_LONGEST]};"
        for number, place in enumerate(given)
    ]
    outer = [*named_within(script, "\n".join(outer), set(), at), *outer]
    within: list[str] = []
    for number, parameter in enumerate(function.parameters):
        place = given[number] if number < len(given) else None
        within += bound(script, parameter, f"{_GIVEN}{number}", place)
    own = set(_CONST.findall("\n".join(within)))
    ahead = named_within(script, "\n".join((*within, function.body)), own, function.at)
    return "\n".join((*outer, "{", *ahead, *within, function.body, "}"))


def bound(script: Script, parameter: str, given: str, place: tuple[int, int] | None) -> Iterator[str]:
    """What one parameter declares: a name, or the members of what is taken apart (`{method: m = "GET", data}`)."""
    if not parameter.startswith("{"):
        named = _PARAMETER.match(parameter)
        if named and place is not None:
            yield f"const {named[1]} = {given};"
        return
    members = {} if place is None else script.members(*place)
    if place is not None and not members:
        return
    for each in _TAKEN.finditer(parameter):
        key, local, otherwise = each["key"], each["local"] or each["key"], each["otherwise"] or "undefined"
        yield f"const {local} = {given}.{key};" if key in members else f"const {local} = {otherwise};"


def named_within(script: Script, body: str, own: set[str], at: int) -> Iterator[str]:
    """What source that is called elsewhere names beside its own: the paths that the whole script has, as they are called there."""
    for name in sorted({*_NAME.findall(body)}.difference(own, _SET.findall(body))):
        told = script.declared(name, at)
        if told is not None:
            yield f"const {name} = {told};"


def _own_functions(script: Script) -> Iterator[Function]:
    """Each function that is given something and asks a server."""
    most = _MOST_FUNCTIONS
    for found in _DECLARED.finditer(script.code):
        function = function_at(script, found["name"] or found["arrow"], found.start(), found.end(), found["one"])
        if most > 0 and function is not None and ASKS.search(function.body):
            most -= 1
            yield function


def function_at(script: Script, name: str, at: int, begin: int, one: str | None) -> Function | None:
    """The function whose parameters begin there, or, of an arrow with one that stands alone, whose body does."""
    if one:
        parameters = [one]
        first, last = _of_an_arrow(script, begin)
    else:
        closed = _closed(script, begin - 1)
        opened = _OPENS.match(script.code, closed)
        if opened is None:
            return None
        parameters = [script.source[slice(*each)].strip() for each in script.parts(begin, closed)]
        first, last = opened.end(), _closed(script, opened.end() - 1)
        if opened["arrow"]:
            first, last = _of_an_arrow(script, opened.end())
    fits = bool(parameters) and last - first <= _LONGEST
    return Function(name, at, parameters, script.source[first:last]) if fits else None


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
