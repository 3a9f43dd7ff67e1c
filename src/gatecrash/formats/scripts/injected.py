"""Things that a class is handed by its framework, and what it asks of them: nothing is run.

    class Page { notes = inject(Notes); save() { this.notes.save({text: "x"}) } }

held_in(Script(code))     Held("Notes", 21, {"save": [(63, 74)]}): what is held, where it is named, and what its methods are given

Frameworks that inject make the things of a class themselves: a field is set to what a function gives for the class, or the
constructor is given it, and a factory beside it (`new (t || Page)(inject(Notes))`, as Angular's compiler writes it) says which.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gatecrash.formats.scripts.literals import Script

_MOST, _LONGEST, _BEHIND = 300, 4_000, 2_000
# What stands within several classes is read for each; an honest script has few within others.
_LONGEST_CLASS, _MOST_TIMES = 40_000, 3
_CLASS = re.compile(
    r"(?<![\w$.])class\b(?:\s++(?!extends\b)(?P<name>[A-Za-z_$][\w$]*+))?(?:\s++extends\s++[\w$.]{1,80}+)?\s*+\{"
)
_FIELD = re.compile(
    r"(?<=[{};,.\s])(?P<field>[A-Za-z_$][\w$]*+)\s*+=\s*+[\w$.]{1,80}+\(\s*+(?P<name>[A-Za-z_$][\w$]*+)\s*+\)"
)
_CONSTRUCTOR = re.compile(r"(?<![\w$.])constructor\s*+\(")
_SET = re.compile(
    r"(?<![\w$.])this\s*+\.\s*+(?P<field>[A-Za-z_$][\w$]*+)\s*+=\s*+(?P<name>[A-Za-z_$][\w$]*+)(?![\w$.(])"
)
_FACTORY = re.compile(r"new\s*+\(\s*+[A-Za-z_$][\w$]*+\s*+\|\|\s*+(?P<name>[A-Za-z_$][\w$]*+)\s*+\)\s*+\(")
_GIVEN = re.compile(r"\s*+[\w$.]{1,80}+\(\s*+(?P<name>[A-Za-z_$][\w$]*+)\s*+[,)]")
_CALL = re.compile(
    r"(?<![\w$.])this\s*+\.\s*+(?P<field>[A-Za-z_$][\w$]*+)\s*+\.\s*+(?P<method>[A-Za-z_$][\w$]*+)\s*+\("
)

Place = tuple[int, int]


class Held(NamedTuple):
    """name: the class of what is held, as it is called there. calls: what the first call of each method is given, no more than
    a place where that is a field of who holds it.
    """

    name: str
    at: int
    calls: dict[str, list[Place]]


def held_in(script: Script) -> list[Held]:
    """A bounded number of them; what is never called with anything written out is none."""
    found: list[Held] = []
    left = _MOST_TIMES * len(script.code)
    for one in _CLASS.finditer(script.code):
        end = script.matching(one.end() - 1, min(len(script.code), one.end() + _LONGEST_CLASS))
        left -= end - one.end()
        fields = {**_by_constructor(script, one, end), **_by_field(script, one.end(), end)}
        calls: dict[str, dict[str, list[Place]]] = {}
        for call in _CALL.finditer(script.code, one.end(), end) if fields else ():
            methods = calls.setdefault(call["field"], {})
            if call["field"] in fields and call["method"] not in methods:
                parts = script.parts(call.end(), script.matching(call.end() - 1, call.end() + _LONGEST))
                given = [each if _means_the_same(script, each) else (each[0], each[0]) for each in parts]
                if any(script.members(*each) or script.text(*each) is not None for each in given):
                    methods[call["method"]] = given
        found += [Held(name, at, calls[field]) for field, (name, at) in fields.items() if calls.get(field)]
        if len(found) >= _MOST or left < 0:
            break
    return found


def _means_the_same(script: Script, place: Place) -> bool:
    """Whether it means the same within the class that is given it; of an object the names of its members do."""
    return "this." not in script.source[slice(*place)] or bool(script.members(*place))


def _by_field(script: Script, begin: int, end: int) -> dict[str, tuple[str, int]]:
    return {each["field"]: (each["name"], each.start()) for each in _FIELD.finditer(script.code, begin, end)}


def _by_constructor(script: Script, one: re.Match[str], end: int) -> dict[str, tuple[str, int]]:
    """What the constructor keeps of what its factory gives it, which stands in the class or soon behind it."""
    made = _CONSTRUCTOR.search(script.code, one.end(), end)
    factories: Iterator[re.Match[str]] = _FACTORY.finditer(script.code, one.end(), end + _BEHIND) if made else iter(())
    factory = next((each for each in factories if each["name"] == one["name"]), None)
    if made is None or factory is None:
        return {}
    closed = script.matching(made.end() - 1, end)
    named = [script.source[slice(*each)].strip() for each in script.parts(made.end(), closed)]
    given = script.parts(factory.end(), script.matching(factory.end() - 1))
    classes = {
        parameter: told["name"]
        for parameter, place in zip(named, given, strict=False)
        if (told := _GIVEN.match(script.code, *place)) is not None
    }
    body = script.code.find("{", closed, end)
    return (
        {
            each["field"]: (classes[each["name"]], factory.start())
            for each in _SET.finditer(script.code, body, script.matching(body, end))
            if each["name"] in classes
        }
        if body >= 0
        else {}
    )
