"""Which declaration a name means at a place of a script (ECMA-262, 9.1): minifiers call a local of each function `e`, `t`, `n`.

scopes = Scopes(code, closes)     code: with texts and comments covered; closes: places of brackets with those that close them
scopes.is_declared("n", 120)      whether a block around that place declares it
scopes.value_of("n", 120)         where the value stands that the name has there; None where several are possible, or none is told

A name means what the innermost block around it declares: a variable, a parameter, a function. What is declared without a value
has the one that it is given once (`var a;run(()=>{a="/x"})`, as bundlers write modules that are run late).
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

_DECLARES = re.compile(r"(?<![\w$.])(?:(?P<var>var)|let|const)\s++")
_FUNCTION = re.compile(
    r"(?<![\w$.])function\s*+\*?+\s*+(?P<name>[A-Za-z_$][\w$]*+)?\s*+\(|(?<![\w$.])class\s++(?!extends\b)(?P<class>[A-Za-z_$][\w$]*+)"
)
_ARROW = re.compile(r"=>\s*+")
_METHOD = re.compile(r"\)\s*+\{")
_ASSIGNED = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*+)\s*+=(?![=>])\s*+")
_NAME = re.compile(r"[A-Za-z_$][\w$]*+")
_INIT = re.compile(r"\s*+=(?![=>])\s*+")
_BLANKS = re.compile(r"\s*+")
# In a pattern the name behind a colon is the local one (ECMA-262, 14.3.3).
_IN_PATTERN = re.compile(r"(?<![\w$.=])(?<!= )(?:[A-Za-z_$][\w$]*+\s*+:\s*+)?+([A-Za-z_$][\w$]*+)\s*+(?=[=,}\]]|\Z)")
_NEXT = re.compile(r"[,;()\[\]{}\n]")
_BEFORE_BLOCKS = frozenset({"if", "for", "while", "switch", "with", "catch"})
_WORD_BEFORE = re.compile(r"(?<![\w$])[A-Za-z_$][\w$]*+\Z")
_OPENS, _SHUTS = frozenset("([{"), frozenset(")]}")
_JOINS = (",", "=", "+", "(", "[", "{", "|", "?", ":", "&")
_MOST_LISTED, _NEAR = 10_000, 60


class _Declared(NamedTuple):
    """begin, end: the block that it holds in. value: where its value stands, if any. is_given: a parameter, which each call gives."""

    begin: int
    end: int
    value: int | None = None
    is_given: bool = False


class Scopes:
    """The declarations of one script."""

    def __init__(self, code: str, closes: dict[int, int]) -> None:
        self._code = code
        self._closes = closes
        self._opens = {closed: opened for opened, closed in closes.items()}
        self._declared: defaultdict[str, list[_Declared]] = defaultdict(list)
        self._assigned: defaultdict[str, list[int]] = defaultdict(list)
        self._nested: dict[str, tuple[list[_Declared], list[int]]] = {}
        self._edges, self._around = _blocks(code, closes)
        self._learn()

    def value_of(self, name: str, at: int) -> int | None:
        """The place where its value begins."""
        meant = self._innermost(name, at)
        told = {each.value for each in meant if each.value is not None}
        if told:
            return told.pop() if len(told) == 1 else None
        if meant and all(each.is_given for each in meant):
            return None
        block = meant[0] if meant else _Declared(0, len(self._code))
        # In their order, as they were read; a name of one letter is given thousands in a bundle, and asked for as often.
        given = self._assigned.get(name, [])
        first = bisect_left(given, block.begin)
        return given[first] if bisect_right(given, block.end) - first == 1 else None

    def is_declared(self, name: str, at: int) -> bool:
        """Whether a block around a place declares it; an import is no declaration here."""
        return bool(self._innermost(name, at))

    def _innermost(self, name: str, at: int) -> list[_Declared]:
        """Those of the innermost block around a place that has any."""
        if name not in self._declared:
            return []
        if name not in self._nested:
            self._nested[name] = _nested(self._declared[name])
        declared, outer = self._nested[name]
        number = bisect_right(declared, at, key=lambda each: each.begin) - 1
        while number >= 0 and declared[number].end < at:
            number = outer[number]
        if number < 0:
            return []
        begin = declared[number].begin
        first = bisect_left(declared, begin, key=lambda each: each.begin)
        last = bisect_right(declared, begin, key=lambda each: each.begin)
        return [each for each in declared[first:last] if each.end >= at]

    def _learn(self) -> None:
        for found in _DECLARES.finditer(self._code):
            block = self._function(found.start()) if found["var"] else self._block(found.start())
            for name, value in self._listed(found.end()):
                self._declared[name].append(_Declared(*block, value))
        for found in _FUNCTION.finditer(self._code):
            name = found["name"] or found["class"]
            if name:
                self._declared[name].append(_Declared(*self._block(found.start()), found.start()))
        for found in _ARROW.finditer(self._code):
            self._take_arrow(found)
        for found in _METHOD.finditer(self._code):
            self._take_method(found)
        values = {each.value for several in self._declared.values() for each in several}
        for found in _ASSIGNED.finditer(self._code):
            if found.end() not in values:
                self._assigned[found[1]].append(found.end())

    def _block(self, place: int) -> tuple[int, int]:
        """The innermost block in braces around a place; the whole script where there is none."""
        number = bisect_right(self._edges, place) - 1
        opened = self._around[number] if number >= 0 else -1
        return (opened, self._closes[opened]) if opened >= 0 else (0, len(self._code))

    def _function(self, place: int) -> tuple[int, int]:
        """The body of the function around a place, which a `var` holds in; the whole script where there is none."""
        block = self._block(place)
        while self._code[block[0] : block[0] + 1] == "{" and not self._is_body(block[0]):
            block = self._block(block[0] - 1) if block[0] else (0, len(self._code))
        return block

    def _is_body(self, brace: int) -> bool:
        before = _back(self._code, brace)
        if self._code[before - 2 : before] == "=>":
            return True
        opened = self._opens.get(before - 1) if self._code[before - 1 : before] == ")" else None
        return opened is not None and self._word_before(opened) not in _BEFORE_BLOCKS

    def _word_before(self, place: int) -> str:
        word = _WORD_BEFORE.search(self._code[max(0, place - _NEAR) : place].rstrip())
        return word[0] if word else ""

    def _listed(self, begin: int) -> Iterator[tuple[str, int | None]]:
        """The names of one declaration, each with the place of its value: `a=1,{b,c:d}=e,f`."""
        place = begin
        for _ in range(_MOST_LISTED):
            place = _end(_BLANKS, self._code, place)
            if self._code[place : place + 1] in ("{", "["):
                closed = self._closes.get(place)
                if closed is None:
                    return
                yield from ((each, None) for each in _IN_PATTERN.findall(self._code[place + 1 : closed]))
                place = closed + 1
            else:
                named = _NAME.match(self._code, place)
                if named is None:
                    return
                init = _INIT.match(self._code, named.end())
                yield named[0], init.end() if init else None
                place = init.end() if init else named.end()
            place = self.ends(place)
            if self._code[place : place + 1] != ",":
                return
            place += 1

    def ends(self, place: int) -> int:
        """Where an expression ends: before a comma, a semicolon, the bracket around it, or a line that goes on no more."""
        while (found := _NEXT.search(self._code, place)) is not None:
            sign = found[0]
            if sign in _OPENS:
                place = self._closes.get(found.start(), len(self._code)) + 1
            elif sign != "\n":
                return found.start()
            elif self._goes_on(found.start()):
                place = found.end()
            else:
                return found.start()
        return len(self._code)

    def _goes_on(self, line_end: int) -> bool:
        before = self._code[max(0, line_end - _NEAR) : line_end].rstrip()
        behind = self._code[line_end : line_end + _NEAR].lstrip()
        return before.endswith(_JOINS) or behind[:1] in (".", "?", ":", "+", "|", "&", ",")

    def _take_arrow(self, found: re.Match[str]) -> None:
        begin = _back(self._code, found.start())
        body = found.end()
        end = self._closes.get(body, len(self._code)) if self._code[body : body + 1] == "{" else self.ends(body)
        if self._code[begin - 1 : begin] == ")":
            opened = self._opens.get(begin - 1)
            if opened is not None:
                self._take_parameters(opened, begin - 1, end)
            return
        named = _WORD_BEFORE.search(self._code[max(0, begin - _NEAR) : begin])
        if named is not None:
            self._take_parameter(named[0], begin - len(named[0]), end)

    def _take_method(self, found: re.Match[str]) -> None:
        """A function with a body in braces; `if (…) {` is none."""
        opened = self._opens.get(found.start())
        if opened is None:
            return
        if self._word_before(opened) not in _BEFORE_BLOCKS - {"catch"}:
            body = found.end() - 1
            self._take_parameters(opened, found.start(), self._closes.get(body, len(self._code)))

    def _take_parameters(self, opened: int, closed: int, end: int) -> None:
        for name in _IN_PATTERN.findall(self._code[opened + 1 : closed]):
            self._take_parameter(name, opened, end)

    def _take_parameter(self, name: str, begin: int, end: int) -> None:
        self._declared[name].append(_Declared(begin, end, is_given=True))


def _nested(declared: list[_Declared]) -> tuple[list[_Declared], list[int]]:
    """In the order in which their blocks begin, and for each the one whose block is around it; -1 for none."""
    declared = sorted(declared, key=lambda each: (each.begin, -each.end))
    outer: list[int] = []
    opened: list[int] = []
    for number, each in enumerate(declared):
        while opened and declared[opened[-1]].end < each.begin:
            opened.pop()
        outer.append(opened[-1] if opened else -1)
        opened.append(number)
    return declared, outer


def _blocks(code: str, closes: dict[int, int]) -> tuple[list[int], list[int]]:
    """Places where the innermost block in braces changes, and the brace that opens it from there on; -1 for none."""
    edges: list[int] = []
    around: list[int] = []
    opened: list[int] = []
    braces = {place for place in closes if code[place] == "{"}
    for place in sorted((*braces, *(closes[each] for each in braces))):
        if place in braces:
            opened.append(place)
        elif opened:
            opened.pop()
        edges.append(place)
        around.append(opened[-1] if opened else -1)
    return edges, around


def _back(code: str, place: int) -> int:
    while place and code[place - 1].isspace():
        place -= 1
    return place


def _end(pattern: re.Pattern[str], code: str, place: int) -> int:
    found = pattern.match(code, place)
    return found.end() if found else place
