"""What an expression of a script puts together: texts, members of data, and what nobody knows.

Variables are followed to what they are given, calls of the script's own functions to what these give back, `map` to what is made of
each. Where one of several may be the value, each is told.

Values(tokens, scopes).read(begin)    [["<b>", Member(("title",), …), "</b>"]] for "<b>" + note.title + "</b>"; None for unknown parts
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from gatecrash.core.testing.oracles.scripts.scopes import Function, Scopes, Variable
from gatecrash.core.testing.oracles.scripts.tokens import NAME, NUMBER, TEXT, Tokens

Owner = tuple[object, tuple[str, ...]]


class Member(NamedTuple):
    """names: those that lead to it from its variable. owner: the variable and the way to the object that it is a member of.
    place: where that stands. beside: what else was taken out of the object, where it was taken apart.
    """

    names: tuple[str, ...]
    owner: Owner
    place: int
    beside: frozenset[str] = frozenset()


Part = str | Member | None
"""Text, a member, or what nobody knows."""
Whole = list[Part]
Known = dict[Variable, list[Whole]]
"""What the parameters of a function are given by the call that is read."""

UNKNOWN: Final[Whole] = [None]
_MOST_WHOLES, _MOST_PARTS, _MOST_GIVEN, _STEPS = 8, 60, 12, 24
# Of the expressions that one is made of, so many are read.
_MOST_READ: Final = 2_000
# What a script caught is no data, and the document, its elements and the address are places.
_NO_DATA: Final = frozenset(
    {
        "err",
        "error",
        "ex",
        "exception",
        "document",
        "window",
        "self",
        "globalThis",
        "location",
        "navigator",
        "Math",
        "Number",
        "JSON",
    }
    | {
        "Object",
        "Array",
        "Symbol",
        "Date",
        "console",
        "history",
        "screen",
        "process",
        "localStorage",
        "sessionStorage",
        "event",
    }
)
_NO_NAMES: Final = frozenset(
    {"true", "false", "null", "undefined", "NaN", "super", "new", "function", "class", "typeof", "void"}
)
_NOT_OF_DATA: Final = frozenset({"length", "prototype", "__html", "constructor", "target", "currentTarget"})
_OPERATORS: Final = (
    "-",
    "*",
    "/",
    "%",
    "**",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    "===",
    "!==",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    ">>>",
)
_SETS: Final = ("=", "+=", "||=", "&&=", "??=")
_KEEPS: Final = frozenset({"join", "reverse", "filter", "slice", "sort", "concat"})


class Values:
    """Reads the expressions of one script."""

    def __init__(self, tokens: Tokens, scopes: Scopes) -> None:
        """Of a script that was taken apart."""
        self.tokens, self.scopes = tokens, scopes
        self._left = 0
        self._returns: dict[int, list[int]] = {}
        self.unwraps = False
        """Whether what hands a function on gives back what that does, as frameworks do where they track what is read."""

    def read(self, begin: int, known: Known | None = None, steps: int = _STEPS) -> list[Whole]:
        """What the expression may be that begins there."""
        if steps == _STEPS:
            self._left = _MOST_READ
        return self.between(begin, self.tokens.end_of(begin), known or {}, steps)

    def between(self, begin: int, end: int, known: Known, steps: int) -> list[Whole]:
        """What stands there may be."""
        tokens = self.tokens
        self._left -= 1
        if steps <= 0 or self._left < 0 or begin >= end:
            return [UNKNOWN]
        if self.scopes.function_of(begin) is not None:
            return [UNKNOWN]
        begin, end = tokens.parts(begin, end, ",")[-1]
        if tokens.is_name(begin) and tokens.is_sign(begin + 1, *_SETS):
            return self.between(begin + 2, end, known, steps - 1)
        branches = self._branches(begin, end)
        if branches:
            return self._any(branches, known, steps)
        for signs in (("||", "??"), ("&&",)):
            sides = tokens.parts(begin, end, *signs)
            if len(sides) > 1:
                return self._any(sides if signs[0] == "||" else sides[-1:], known, steps)
        if len(tokens.parts(begin, end, *_OPERATORS)) > 1:
            return [UNKNOWN]
        wholes: list[Whole] = [[]]
        for first, last in tokens.parts(begin, end, "+"):
            more = self._operand(first, last, known, steps - 1)
            wholes = [[*one, *other][:_MOST_PARTS] for one in wholes for other in more][:_MOST_WHOLES]
        return wholes

    def _branches(self, begin: int, end: int) -> list[tuple[int, int]]:
        """The two sides of `a ? b : c`."""
        tokens = self.tokens
        asked = tokens.parts(begin, end, "?")
        begin, depth = asked[0][1] + 1, 0
        for first, last in tokens.parts(begin, end, "?", ":") if len(asked) > 1 else ():
            if tokens.is_sign(last, "?"):
                depth += 1
            elif depth == 0 and first < last < end:
                return [(begin, last), (last + 1, end)]
            else:
                depth -= 1
        return []

    def _any(self, sides: list[tuple[int, int]], known: Known, steps: int) -> list[Whole]:
        return [whole for first, last in sides for whole in self.between(first, last, known, steps - 1)][:_MOST_WHOLES]

    def _operand(self, begin: int, end: int, known: Known, steps: int) -> list[Whole]:
        tokens = self.tokens
        while tokens.is_name(begin, "await") and begin < end:
            begin += 1
        if begin >= end or tokens.is_sign(begin, "!", "-", "+", "~"):
            return [UNKNOWN]
        if tokens.is_sign(begin, "(") and tokens.past(begin) == end:
            return self.between(begin + 1, end - 1, known, steps)
        if tokens.kinds[begin] in (TEXT, NUMBER) and begin + 1 == end:
            return [[tokens.texts[begin]]]
        if tokens.is_sign(begin, "[") or (tokens.kinds[begin] == NAME and tokens.texts[begin] not in _NO_NAMES):
            return self._chain(begin, end, known, steps)
        return [[""]] if tokens.is_name(begin, "null", "undefined", "void") else [UNKNOWN]

    def _chain(self, begin: int, end: int, known: Known, steps: int) -> list[Whole]:
        """A variable, a member, or a call."""
        tokens = self.tokens
        if tokens.is_name(begin) and begin + 1 == end:
            return self._named(begin, known, steps)
        member, after = self.member_at(begin)
        if member is not None and after == end:
            return [[member]]
        opens = self._last_call(begin, end)
        if opens is None:
            return [UNKNOWN]
        wrapped = self.scopes.function_of(opens + 1) if self.unwraps else None
        if wrapped is not None and not wrapped.params and wrapped.end == end - 1:
            return self._given_back(wrapped, known, steps)
        name = tokens.texts[opens - 1]
        if tokens.is_member(opens - 1):
            return self._method(begin, opens, name, known, steps)
        if opens - 1 == begin and (name == "String" or name == "_s"):
            return self.between(opens + 1, end - 1, known, steps)
        variable = self.scopes.variable(begin) if opens - 1 == begin else None
        function = self.function_of(variable) if variable is not None else None
        return self._given_back(function, self._handed(function, opens, known, steps), steps) if function else [UNKNOWN]

    def _last_call(self, begin: int, end: int) -> int | None:
        """Where the arguments begin of the call that the expression ends with."""
        opens = self.tokens.partner.get(end - 1, -1) if self.tokens.is_sign(end - 1, ")") else -1
        return opens if opens > begin and self.tokens.is_value(opens - 1) else None

    def _method(self, begin: int, opens: int, name: str, known: Known, steps: int) -> list[Whole]:
        """`notes.map(row).join("")`, and the members of a list that are joined."""
        tokens = self.tokens
        if name == "_s":
            return self.between(opens + 1, tokens.past(opens) - 1, known, steps)
        if name in ("map", "flatMap"):
            function = self.scopes.function_of(opens + 1)
            named = self.scopes.variable(opens + 1) if tokens.is_name(opens + 1) and function is None else None
            function = function or (self.function_of(named) if named is not None else None)
            return self._given_back(function, {}, steps) if function is not None else [UNKNOWN]
        if name not in _KEEPS:
            return [UNKNOWN]
        if tokens.is_sign(begin, "[") and tokens.past(begin) == opens - 2:
            wholes: list[Whole] = [[]]
            for first, last in tokens.parts(begin + 1, opens - 3, ","):
                more = self.between(first, last, known, steps - 1)
                wholes = [[*one, *other][:_MOST_PARTS] for one in wholes for other in more][:_MOST_WHOLES]
            return wholes
        return self._chain(begin, opens - 2, known, steps - 1) if steps > 0 and opens - 2 > begin + 1 else [UNKNOWN]

    def _named(self, place: int, known: Known, steps: int) -> list[Whole]:
        variable = self.scopes.variable(place)
        if variable is None:
            return [[""]] if self.tokens.texts[place] == "undefined" else [UNKNOWN]
        if variable in known and not variable.given:
            return known[variable]
        if variable.member and not variable.given:
            return [[Member((variable.member,), (variable, ()), place, variable.beside)]]
        if variable.is_unsure or not 0 < len(variable.given) <= _MOST_GIVEN or self._is_made_of_itself(variable):
            return [UNKNOWN]
        return [whole for given in variable.given for whole in self.read(given, known, steps - 2)][:_MOST_WHOLES]

    def _is_made_of_itself(self, variable: Variable) -> bool:
        """`text = clean(text)`: what it was given before may be no more."""
        set_anew = [given for given in variable.given if not self.tokens.is_sign(given - 1, "+=")]
        return any(given <= use < self.tokens.end_of(given) for given in set_anew for use in variable.uses)

    def function_of(self, variable: Variable) -> Function | None:
        """The function that a variable always is."""
        if variable.function is not None and not variable.given:
            return variable.function
        return (
            self.scopes.function_of(variable.given[0]) if len(variable.given) == 1 and not variable.is_unsure else None
        )

    def _handed(self, function: Function, opens: int, known: Known, steps: int) -> Known:
        handed = self.tokens.parts(opens + 1, self.tokens.past(opens) - 1, ",")
        return {
            param: self.between(first, last, known, steps - 1)
            for param, (first, last) in zip(function.params, handed, strict=False)
            if param is not None
        }

    def _given_back(self, function: Function, known: Known, steps: int) -> list[Whole]:
        if steps <= 0:
            return [UNKNOWN]
        return [whole for first in self.returns(function) for whole in self.read(first, known, steps - 1)][
            :_MOST_WHOLES
        ]

    def returns(self, function: Function) -> list[int]:
        """Where the expressions begin that a function gives back."""
        if function.begin not in self._returns:
            self._returns[function.begin] = list(islice(self._returned(function), _MOST_WHOLES))
        return self._returns[function.begin]

    def _returned(self, function: Function) -> Iterator[int]:
        tokens, place = self.tokens, function.begin
        if not function.is_block:
            yield place
            return
        place += 1
        while place < function.end - 1:
            inner = self.scopes.functions.get(place)
            if inner is not None and inner is not function:
                place = max(inner.end, place + 1)
                continue
            if (
                tokens.is_name(place, "return")
                and not tokens.is_member(place)
                and not tokens.is_sign(place + 1, ";", "}")
            ):
                yield place + 1
            place += 1

    def member_at(self, place: int) -> tuple[Member | None, int]:
        """The member that is named there, and where the name ends: `note.title`, `notes[0].title`, `note().title`."""
        tokens, way, names = self.tokens, list[str](), list[str]()
        begin = place
        if not tokens.is_name(place) or tokens.texts[place] in _NO_NAMES or tokens.is_member(place):
            return None, place
        place += 1
        while place < len(tokens):
            if tokens.is_sign(place, ".", "?.") and tokens.is_name(place + 1):
                way.append(tokens.texts[place + 1])
                names.append(tokens.texts[place + 1])
                place += 2
            elif tokens.is_sign(place, "[") and tokens.past(place) == place + 3:
                if tokens.kinds[place + 1] == TEXT:
                    names.append(tokens.texts[place + 1])
                way.append(tokens.texts[place + 1])
                place += 3
            elif tokens.is_sign(place, "(") and tokens.past(place) == place + 2 and not names:
                way.append("()")
                place += 2
            else:
                break
        root = self._root(begin)
        if root is None or not names or way[-1] != names[-1] or names[-1] in _NOT_OF_DATA or names[-1].startswith("#"):
            return None, place
        return (
            (Member(tuple(names), (root, tuple(way[:-1])), begin), place)
            if len(way) > 1 or root != "this"
            else (None, place)
        )

    def _root(self, place: int) -> object | None:
        """What stands for the variable; None for what is no data."""
        name = self.tokens.texts[place]
        if name == "this":
            return name
        return (self.scopes.variable(place) or name) if name not in _NO_DATA else None
