"""What a script asks for through classes of its own: `new Client("notes").save({text: "x"})` of

    class Client { constructor(name) { this.path = "/api/" + name } save(what) { return http.post(this.path, what) } }

made_anew(Script(code))     each thing that is made of such a class, as the class with what it is given declared within: code to be
                            read in turn

Nothing is run. A thing is made by `new`, by a class that is built upon another one (`super("notes")`), or by a framework that
hands it to others (`injected`); its methods are given what the first call of each has that is written out (ECMA-262, 15.7).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gatecrash.formats.scripts.injected import Held, held_in
from gatecrash.formats.scripts.literals import Script
from gatecrash.formats.scripts.own_functions import ASKS, bound, named_within

_MOST, _LONGEST = 100, 10_000
_CLASS = re.compile(
    r"(?<![\w$.])(?:(?P<of>[A-Za-z_$][\w$]*+)\s*+=\s*+(?:\(\s*+\(\s*+\)\s*+=>\s*+\{\s*+(?:(?:let|var|const)\s++[A-Za-z_$][\w$]*+\s*+=\s*+)?)?)?"
    # Compilers put a class with its static members into a function that is called at once.
    r"class\b(?:\s++(?!extends\b)(?P<name>[A-Za-z_$][\w$]*+))?"
    r"(?:\s++extends\s++(?P<base>[A-Za-z_$][\w$]*+))?\s*+\{"
)
_CONSTRUCTOR = re.compile(r"(?<![\w$.])constructor\s*+\(")
_SUPER = re.compile(r"(?<![\w$.])super\s*+\(")
_METHOD = re.compile(r"(?<=[{};\s])([A-Za-z_$][\w$]*+)\s*+\(")
_NEW = re.compile(r"(?<![\w$.])new\s++(?P<name>[A-Za-z_$][\w$]*+)(?P<open>\s*+\()?")
_NAMED = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*+)\s*+=\s*+\Z")
_NEAR = 60
# Before a name that goes on there; asked apart, for a search that begins with a word is a quick one.
_INSIDE = re.compile(r"[\w$.]")
_READS = re.compile(r"\.\s*+(?:get|getJSON)\s*+\(")
_OPENS = re.compile(r"\s*+\{")

Place = tuple[int, int]
Given = dict[str, list[Place]]


class _Class(NamedTuple):
    """names: what it is called. begin, end: its body. at: where it is declared."""

    names: tuple[str, ...]
    base: str | None
    begin: int
    end: int
    at: int


def made_anew(script: Script) -> Iterator[str]:
    """A bounded number of them, each of a bounded length."""
    if "class" not in script.code:
        return
    classes, most = list(_classes(script)), _MOST
    made = list(_NEW.finditer(script.code))
    built = [(each, above.end()) for each in classes if each.base and (above := _above(script, each))]
    held = held_in(script)
    for one in classes:
        asks = ASKS.search(script.code, one.begin, one.end) or _READS.search(script.code, one.begin, one.end)
        for given in (*_made(script, one, made, built), *_held(script, one, held)) if asks else ():
            if given and most > 0:
                most -= 1
                yield _as_made(script, one, given)


def _classes(script: Script) -> Iterator[_Class]:
    for found in _CLASS.finditer(script.code):
        end = script.matching(found.end() - 1, min(len(script.code), found.end() + _LONGEST))
        names = tuple(filter(None, (found["of"], found["name"])))
        yield _Class(names, found["base"], found.end(), end, found.start())


def _above(script: Script, one: _Class) -> re.Match[str] | None:
    """Where a class makes what it is built upon."""
    return _SUPER.search(script.code, one.begin, one.end)


def _made(script: Script, one: _Class, made: list[re.Match[str]], built: list[tuple[_Class, int]]) -> Iterator[Given]:
    """What the things made of a class are given, by the names of its methods. built: classes upon others, and what those are given."""
    for new in made:
        if _means(script, one, new["name"], new.start()):
            given = _arguments(script, new.end()) if new["open"] else []
            thing = _NAMED.search(script.code[max(0, new.start() - _NEAR) : new.start()])
            methods = _called(script, thing[1], new.start()) if thing else {}
            told = {"constructor": given} if any(_is_told(script, each) for each in given) else {}
            yield {**methods, **told}
    for other, begin in built:
        if _means(script, one, other.base or "", other.at):
            given = _arguments(script, begin)
            yield {"constructor": given} if any(_is_told(script, each) for each in given) else {}


def _held(script: Script, one: _Class, held: list[Held]) -> Iterator[Given]:
    """What the things of a class are given that others are handed: one kind of thing, so of each method the first call of all."""
    given: Given = {}
    for each in held:
        if _means(script, one, each.name, each.at):
            given = {**each.calls, **given}
    yield dict(given)


def _means(script: Script, one: _Class, name: str, at: int) -> bool:
    return name in one.names and script.scopes.value_of(name, at) == script.scopes.value_of(name, one.at)


def _called(script: Script, thing: str, made: int) -> Given:
    """The first call of each method of a thing that is given something written out."""
    found: Given = {}
    own = script.scopes.value_of(thing, made)
    for call in re.finditer(rf"{re.escape(thing)}\s*+\.\s*+([A-Za-z_$][\w$]*+)\s*+\(", script.code):
        if _INSIDE.fullmatch(script.code[call.start() - 1 : call.start()]):
            continue
        # Of the things that are called by this one letter, most are others: what they are given takes longer to read.
        if call[1] in found or script.scopes.value_of(thing, call.start()) != own:
            continue
        given = _arguments(script, call.end())
        if any(_is_told(script, each) for each in given):
            found[call[1]] = given
    return found


def _arguments(script: Script, begin: int) -> list[Place]:
    return script.parts(begin, script.matching(begin - 1, min(len(script.code), begin + _LONGEST)))


def _is_told(script: Script, place: Place) -> bool:
    return bool(script.members(*place)) or script.text(*place) is not None


def _as_made(script: Script, one: _Class, given: Given) -> str:
    """The class with what is given declared at the beginning of each function."""
    outer: list[str] = []
    pieces: list[str] = []
    place = one.begin
    methods = (
        *_CONSTRUCTOR.finditer(script.code, one.begin, one.end),
        *_METHOD.finditer(script.code, one.begin, one.end),
    )
    for number, method in enumerate(sorted(methods, key=lambda each: each.end())):
        name = method[1] if method.re is _METHOD else "constructor"
        closed = script.matching(method.end() - 1, one.end)
        opened = _OPENS.match(script.code, closed + 1)
        if method.end() < place or opened is None or name not in given:
            continue
        parameters = script.parts(method.end(), closed)
        bodies: list[str] = []
        for count, (parameter, each) in enumerate(zip(parameters, given.pop(name), strict=False)):
            called = f"given${number}${count}"
            told = script.source[slice(*script.meant(*each))][:_LONGEST]
            outer.append(f"const {called} = {told or 'undefined'};")
            bodies += bound(script, script.source[slice(*parameter)].strip(), called, each)
        pieces += [script.source[place : method.end()], "){", *bodies]
        place = opened.end()
    body = "".join([*pieces, script.source[place : one.end]])
    named = named_within(script, "\n".join((*outer, body)), set(), one.at)
    return "\n".join((*named, *outer, "class {" + body + "}"))
