"""Which variable a name of a script stands for: bundlers give the variables of all functions the same few letters.

Functions and blocks are found by their brackets, and in each what is declared there (ECMA-262, sections 8.2 and 14). What
a variable is given is known by the places of the expressions; of one that is taken out of an object, the member's name.

scopes = Scopes(tokens)
scopes.variable(place)    the variable of the name that stands there; None for one that the script does not declare
"""

from collections.abc import Iterator
from typing import Final

from gatecrash.core.testing.oracles.scripts.tokens import NAME, NUMBER, TEXT, Tokens

_DECLARES: Final = frozenset({"var", "let", "const"})
_NO_METHODS: Final = frozenset(
    {"if", "for", "while", "switch", "catch", "with", "function", "return", "await", "typeof"}
)
_SETS: Final = ("=", "+=", "||=", "&&=", "??=")
_CHANGES: Final = ("++", "--", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "**=", "<<=", ">>=", ">>>=")
_DEEPEST: Final = 12
_LONGEST: Final = 2_000


class Function:
    """params: the variables it is called with, None for one that is taken apart. body: where it begins and ends; is_block: whether
    braces are round it, so that it gives back what stands behind `return`.
    """

    __slots__ = ("begin", "end", "is_block", "params")

    def __init__(self, begin: int, end: int, *, is_block: bool) -> None:
        """Without parameters."""
        self.begin, self.end, self.is_block = begin, end, is_block
        self.params: list[Variable | None] = []


class Variable:
    """given: where the expressions begin that it is given. member: its name in the object it was taken out of, and beside: what
    else was taken. is_unsure: it is a parameter, or changed in a way that is not read. function: what a declaration makes it.
    """

    __slots__ = ("beside", "function", "given", "is_param", "is_unsure", "member", "name", "uses")

    def __init__(self, name: str) -> None:
        """One that is given nothing yet."""
        self.name, self.member = name, ""
        self.beside: frozenset[str] = frozenset()
        self.given: list[int] = []
        self.uses: list[int] = []
        self.is_param = self.is_unsure = False
        self.function: Function | None = None


class _Scope:
    __slots__ = ("begin", "end", "is_function", "names", "parent")

    def __init__(self, begin: int, end: int, *, is_function: bool = False) -> None:
        self.begin, self.end, self.is_function = begin, end, is_function
        self.names: dict[str, Variable] = {}
        self.parent: _Scope | None = None


class Scopes:
    """The variables of one script. functions: by the place of their body's beginning."""

    def __init__(self, tokens: Tokens) -> None:
        """Find scopes, what they declare, and what is given to it."""
        self.tokens = tokens
        self.functions: dict[int, Function] = {}
        self._heads: list[tuple[int, int, Function, int]] = []
        self._scopes: list[_Scope] = [_Scope(-1, len(tokens) + 1, is_function=True)]
        self._at: list[_Scope] = []
        self._declaring: set[int] = set()
        self._find_scopes()
        self._declare()
        self._give()

    def variable(self, place: int) -> Variable | None:
        """What the name there stands for."""
        scope: _Scope | None = self._at[place]
        name = self.tokens.texts[place]
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def function_of(self, begin: int) -> Function | None:
        """The function that is written out there: `n => …`, `(a, b) => …`, `function (n) {…}`."""
        tokens = self.tokens
        if tokens.is_name(begin, "async"):
            begin += 1
        if tokens.is_name(begin, "function"):
            opens = next((place for place in range(begin, begin + 4) if tokens.is_sign(place, "(")), -1)
            return self.functions.get(tokens.past(opens)) if opens >= 0 else None
        arrow = tokens.past(begin) if tokens.is_sign(begin, "(") else begin + 1
        return self.functions.get(arrow + 1) if tokens.is_sign(arrow, "=>") else None

    def named_functions(self) -> Iterator[tuple[Variable, Function]]:
        """The functions that are declared by a name, or are all that a variable is given."""
        for scope in self._scopes:
            for variable in scope.names.values():
                only = variable.given[0] if len(variable.given) == 1 and variable.function is None else -1
                function = self.function_of(only) if only >= 0 else variable.function
                if function is not None:
                    yield variable, function

    def variables(self) -> Iterator[Variable]:
        """All that the script declares."""
        return (variable for scope in self._scopes for variable in scope.names.values())

    def _find_scopes(self) -> None:
        tokens, blocks = self.tokens, set[int]()
        for place in range(len(tokens)):
            if tokens.is_sign(place, "=>"):
                self._arrow(place, blocks)
            elif tokens.is_sign(place, "{") and tokens.is_sign(place - 1, ")") and place - 1 in tokens.partner:
                self._braced(place, blocks)
            elif tokens.is_name(place, "for") and not tokens.is_member(place):
                self._loop(place)
        for place, end in tokens.partner.items():
            if tokens.texts[place] == "{" and place not in blocks:
                self._scopes.append(_Scope(place, end))
        self._nest()

    def _arrow(self, place: int, blocks: set[int]) -> None:
        """`n => …`; the parameters stand before it."""
        tokens = self.tokens
        begin = tokens.partner.get(place - 1, place - 1) if tokens.is_sign(place - 1, ")") else place - 1
        is_block = tokens.is_sign(place + 1, "{")
        end = tokens.past(place + 1) if is_block else tokens.end_of(place + 1)
        self._function(begin, place + 1, end, blocks, is_block=is_block)

    def _braced(self, place: int, blocks: set[int]) -> None:
        """`function name(a) {…}` and methods, none of `if (a) {…}`."""
        tokens = self.tokens
        begin = tokens.partner[place - 1]
        name = begin - 1
        is_function = (
            tokens.is_name(name, "function") or tokens.is_name(name - 1, "function") or tokens.is_sign(name, "*")
        )
        if (
            tokens.is_name(name)
            and tokens.texts[name] in _NO_METHODS
            and not is_function
            and not tokens.is_member(name)
        ):
            if tokens.texts[name] == "catch":
                self._scopes.append(_Scope(begin, tokens.past(place)))
            return
        if tokens.kinds[name] in (NAME, TEXT, NUMBER) or is_function or tokens.is_sign(name, "]"):
            self._function(begin, place, tokens.past(place), blocks, is_block=True)

    def _function(self, params: int, begin: int, end: int, blocks: set[int], *, is_block: bool) -> None:
        if is_block:
            blocks.add(begin)
        function = self.functions[begin] = Function(begin, end, is_block=is_block)
        self._heads.append((params, begin, function, len(self._scopes)))
        self._scopes.append(_Scope(params, end, is_function=True))

    def _loop(self, place: int) -> None:
        tokens = self.tokens
        opens = place + 2 if tokens.is_name(place + 1, "await") else place + 1
        if tokens.is_sign(opens, "("):
            body = tokens.past(opens)
            self._scopes.append(
                _Scope(opens, tokens.past(body) if tokens.is_sign(body, "{") else self._statement(body))
            )

    def _statement(self, place: int) -> int:
        """The end of a statement without braces."""
        tokens = self.tokens
        for _ in range(_LONGEST):
            if place >= len(tokens) or tokens.is_sign(place, ";", "}"):
                break
            place = tokens.past(place) if tokens.is_sign(place, "(", "[", "{") else place + 1
        return place

    def _nest(self) -> None:
        """Which scope each place is in: the innermost that is open."""
        order = sorted(self._scopes, key=lambda each: (each.begin, -each.end))
        open_, upcoming = [order[0]], iter(order[1:])
        following = next(upcoming, None)
        for place in range(len(self.tokens)):
            while len(open_) > 1 and open_[-1].end <= place:
                open_.pop()
            while following is not None and following.begin <= place:
                while len(open_) > 1 and open_[-1].end <= following.begin:
                    open_.pop()
                following.parent = open_[-1]
                open_.append(following)
                following = next(upcoming, None)
            self._at.append(open_[-1])

    def _declare(self) -> None:
        tokens = self.tokens
        for params, begin, function, number in self._heads:
            self._parameters(params, begin, function, self._scopes[number])
        for place, (kind, text) in enumerate(zip(tokens.kinds, tokens.texts, strict=True)):
            if kind != NAME or tokens.is_member(place):
                continue
            if text in _DECLARES and not tokens.is_sign(place + 1, ":"):
                self._declarations(place + 1, self._home(place, is_var=text == "var"))
            elif text in ("function", "class"):
                self._named(place)
            elif text == "catch" and tokens.is_sign(place + 1, "("):
                self._pattern(place + 2, self._at[place + 2], is_param=True)
            elif text == "import" and tokens.is_sign(place + 1, "{"):
                self._imports(place + 1)

    def _home(self, place: int, *, is_var: bool) -> _Scope:
        scope = self._at[place]
        while is_var and not scope.is_function and scope.parent is not None:
            scope = scope.parent
        return scope

    def _named(self, place: int) -> None:
        tokens = self.tokens
        name = place + 2 if tokens.is_sign(place + 1, "*") else place + 1
        if not tokens.is_name(name) or tokens.texts[name] == "extends":
            return
        variable = self._variable(self._home(place, is_var=False), name)
        if tokens.is_sign(name + 1, "("):
            variable.function = self.functions.get(tokens.past(name + 1))
        else:
            variable.is_unsure = True

    def _parameters(self, params: int, begin: int, function: Function, scope: _Scope) -> None:
        tokens = self.tokens
        if not tokens.is_sign(params, "("):
            if tokens.is_name(params):
                function.params.append(self._variable(scope, params, is_param=True))
            return
        end = tokens.partner.get(params, begin)
        for first, _ in tokens.parts(params + 1, end, ","):
            if tokens.is_sign(first, "{", "["):
                self._pattern(first, scope, is_param=True)
                function.params.append(None)
            elif tokens.is_name(first):
                function.params.append(self._variable(scope, first, is_param=True))

    def _declarations(self, place: int, scope: _Scope) -> None:
        """`a = 1, {b, c: d} = e`, which go on behind a comma."""
        tokens = self.tokens
        while place < len(tokens):
            is_one = tokens.is_name(place)
            if is_one:
                variable, after = self._variable(scope, place), place + 1
            elif tokens.is_sign(place, "{", "["):
                after = tokens.past(place)
                self._pattern(place, scope)
            else:
                return
            if tokens.is_sign(after, "="):
                if is_one:
                    variable.given.append(after + 1)
                after = tokens.end_of(after + 1)
            elif is_one and tokens.is_name(after, "of", "in"):
                variable.is_unsure = variable.is_param = True
            if not tokens.is_sign(after, ","):
                return
            place = after + 1

    def _pattern(self, place: int, scope: _Scope, *, is_param: bool = False, depth: int = 0) -> None:
        tokens = self.tokens
        if depth > _DEEPEST:
            return
        if tokens.is_name(place):
            self._variable(scope, place, is_param=is_param)
            return
        is_object = tokens.is_sign(place, "{")
        taken: list[tuple[str, int]] = []
        names: set[str] = set()
        for first, end in tokens.parts(place + 1, tokens.past(place) - 1, ","):
            start = first + 1 if tokens.is_sign(first, "...") else first
            key = tokens.texts[start] if is_object and start == first and start < end else ""
            if is_object and tokens.is_sign(start + 1, ":") and start + 1 < end:
                names.add(key)
                start += 2
            elif is_object and key:
                names.add(key)
            if start < end and tokens.is_sign(start, "{", "["):
                self._pattern(start, scope, is_param=is_param, depth=depth + 1)
            elif start < end and tokens.is_name(start):
                taken.append((key, start))
        for key, start in taken:
            variable = self._variable(scope, start, is_param=is_param)
            variable.is_unsure = True
            variable.member, variable.beside = key, frozenset(names - {key})

    def _imports(self, place: int) -> None:
        tokens = self.tokens
        for first, end in tokens.parts(place + 1, tokens.past(place) - 1, ","):
            if first < end:
                self._variable(self._scopes[0], end - 1).is_unsure = True

    def _variable(self, scope: _Scope, place: int, *, is_param: bool = False) -> Variable:
        name = self.tokens.texts[place]
        self._declaring.add(place)
        variable = scope.names.setdefault(name, Variable(name))
        if is_param:
            variable.is_param = variable.is_unsure = True
        return variable

    def _give(self) -> None:
        """What is assigned elsewhere, and where each is used."""
        for place in self._names():
            variable = self.variable(place)
            if variable is None:
                continue
            tokens = self.tokens
            if tokens.is_sign(place + 1, *_SETS):
                variable.given.append(place + 2)
            elif tokens.is_sign(place + 1, *_CHANGES) or tokens.is_sign(place - 1, "++", "--"):
                variable.is_unsure = True
            else:
                variable.uses.append(place)

    def _names(self) -> Iterator[int]:
        """The names that are neither declared there nor a member nor a key."""
        tokens = self.tokens
        for place, kind in enumerate(tokens.kinds):
            if kind == NAME and place not in self._declaring and not tokens.is_member(place):
                is_key = tokens.is_sign(place + 1, ":") and tokens.is_sign(place - 1, "{", ",")
                if not is_key:
                    yield place
