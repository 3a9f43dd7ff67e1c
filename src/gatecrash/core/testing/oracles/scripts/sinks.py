"""Where a script writes markup: the DOM's own places, those of libraries, and what compilers of frameworks make of theirs.

`innerHTML` and its kin; jQuery's methods, in a bundle by the call that makes their object of a text; the members that React, Preact and
Vue take markup by; `bypassSecurityTrustHtml` of Angular; functions that write one of their parameters and do nothing else with it,
as the `html` of Svelte's runtime is; directives of Lit.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gatecrash.core.testing.oracles.scripts.scopes import Function, Scopes, Variable
from gatecrash.core.testing.oracles.scripts.tokens import TEXT, Tokens

_WRITTEN: Final = frozenset({"innerHTML", "outerHTML"})
_OF_JQUERY: Final = frozenset({"html", "append", "prepend", "before", "after", "replaceWith"})
_JQUERY_ALONE: Final = _OF_JQUERY | {"appendTo", "text", "on", "val", "attr", "addClass", "css", "find", "prependTo"}
_TRUSTS: Final = "bypassSecurityTrustHtml"
_LOOKED_FOR: Final = re.compile(r"\A\s*(?:<[a-z][\s\S]*>|[#.][\w-]+)", re.IGNORECASE)
_ASSIGNS: Final = ("=", "+=")
_FARTHEST: Final = 40
INERT: Final = frozenset({"textarea", "title", "style", "script", "noscript", "iframe", "xmp", "template"})
"""Elements within which nothing is markup, or nothing runs."""


class Sink(NamedTuple):
    """begin: where the expression begins that is written. is_getter: a function that gives it back stands there."""

    begin: int
    is_getter: bool = False


class Sinks:
    """Finds them in one script. packed: a bundler has given its variables other names."""

    def __init__(self, tokens: Tokens, scopes: Scopes, *, packed: bool) -> None:
        """Of a script that was taken apart."""
        self.tokens, self.scopes, self.packed = tokens, scopes, packed
        self._makers: set[str] = set()
        self._writers: dict[Variable, tuple[int, bool]] = {}
        # Functions that are called where they are written out.
        self._at_once: list[tuple[int, int, bool]] = []

    def found(self) -> Iterator[Sink]:
        """All of them."""
        tokens = self.tokens
        direct = [sink for place in range(len(tokens)) for sink in self._at(place)]
        yield from direct
        self._makers = {self._called(place) for place in range(len(tokens)) if self._makes_jquery(place)} - {""}
        self._learn_writers(direct)
        self._learn_directives()
        for place in range(len(tokens)):
            yield from self._by_library(place)
        yield from self._by_writers()

    def _at(self, place: int) -> Iterator[Sink]:
        """What the DOM, and frameworks by the names of their members, write."""
        tokens = self.tokens
        text = tokens.texts[place]
        if tokens.is_member(place) and text in _WRITTEN and tokens.is_sign(place + 1, *_ASSIGNS):
            if not self._is_inert(place - 2):
                yield Sink(place + 2)
        elif text == "insertAdjacentHTML" and tokens.is_sign(place + 1, "(") and tokens.is_sign(place + 3, ","):
            yield Sink(place + 4)
        elif (text == _TRUSTS and tokens.is_member(place) and tokens.is_sign(place + 1, "(")) or (
            text in ("innerHTML", "__html") and self._is_key(place)
        ):
            yield Sink(place + 2)

    def _is_key(self, place: int) -> bool:
        tokens = self.tokens
        is_named = tokens.is_sign(place + 1, ":") and tokens.is_sign(place - 1, "{", ",")
        return is_named and tokens.is_sign(tokens.within[place], "{")

    def _is_inert(self, place: int) -> bool:
        """Whether what ends there is an element whose content is no markup, or stands in a document that nobody sees."""
        tokens = self.tokens
        if tokens.is_name(place, "body", "documentElement") and tokens.is_member(place):
            return not tokens.is_name(place - 2, "document")
        variable = self._alone(place)
        for given in variable.given if variable is not None and not tokens.is_member(place) else ():
            made = range(given, min(tokens.end_of(given), given + _FARTHEST))
            if any(tokens.kinds[each] == TEXT and tokens.texts[each].lower() in INERT for each in made):
                return True
        return False

    def _by_library(self, place: int) -> Iterator[Sink]:
        """What jQuery writes: in what its call makes, by one of its methods, or the call itself."""
        tokens = self.tokens
        if not tokens.is_sign(place, "(") or not tokens.is_value(place - 1):
            return
        if (
            (tokens.is_sign(place + 2, "+") and tokens.kinds[place + 1] == TEXT and self._is_maker(place))
            or (
                tokens.is_sign(place + 1, "(")
                and tokens.kinds[place + 2 : place + 3] == [TEXT]
                and self._is_maker(place)
            )
            or (tokens.is_member(place - 1) and tokens.texts[place - 1] in _OF_JQUERY and self._is_jquery(place - 3))
        ):
            yield Sink(place + 1)

    def _is_maker(self, opens: int) -> bool:
        called = self._called(opens)
        return called in ("$", "jQuery") or called in self._makers

    def _makes_jquery(self, opens: int) -> bool:
        """Whether a bundle's call takes a selector or markup and is asked for a method of jQuery."""
        tokens = self.tokens
        if not self.packed or not tokens.is_sign(opens, "(") or tokens.kinds[opens + 1 : opens + 2] != [TEXT]:
            return False
        past = tokens.past(opens)
        is_asked = (
            tokens.is_sign(past, ".") and tokens.is_name(past + 1, *_JQUERY_ALONE) and tokens.is_sign(past + 2, "(")
        )
        return is_asked and past == opens + 3 and _LOOKED_FOR.match(tokens.texts[opens + 1]) is not None

    def _called(self, opens: int) -> str:
        """What is called there, `t(`, `(0,n.A)(`, with the place of what declares it; empty for anything but a name."""
        tokens = self.tokens
        end, begin = opens, opens - 1
        if tokens.is_sign(begin, ")") and tokens.is_sign(tokens.partner.get(begin, begin) + 2, ","):
            begin, end = tokens.partner[begin] + 3, begin
        elif tokens.is_member(begin):
            return ""
        if not tokens.is_name(begin) or end - begin > 3:
            return ""
        variable = self.scopes.variable(begin)
        text = "".join(tokens.texts[begin:end])
        return text if variable is None else f"{id(variable)} {text}"

    def _is_jquery(self, place: int) -> bool:
        """Whether what ends there is an object of jQuery: a chain that its call begins, or a variable that holds one."""
        tokens = self.tokens
        for _ in range(_FARTHEST):
            if tokens.is_sign(place, ")"):
                opens = tokens.partner.get(place, -1)
                if opens < 0:
                    return False
                if tokens.is_member(opens - 1):
                    place = opens - 3
                    continue
                return self._is_maker(opens)
            break
        if not tokens.is_name(place) or tokens.is_member(place):
            return False
        if tokens.texts[place].startswith("$") and not self.packed:
            return len(tokens.texts[place]) > 1
        variable = self.scopes.variable(place)
        if variable is None or len(variable.given) != 1 or not self.packed or variable.is_unsure:
            return False
        given = variable.given[0]
        end = tokens.end_of(given)
        return tokens.is_sign(end - 1, ")") and given < place and self._is_jquery(end - 1)

    def _learn_writers(self, direct: list[Sink]) -> None:
        """Functions with a name that write what they are called with, and do nothing else with it."""
        owners = {id(param): (variable, at) for variable, at, param in self._parameters()}
        for sink in direct:
            place, is_getter = sink.begin, False
            variable = self._alone(place)
            if variable is not None and id(variable) not in owners and len(variable.given) in (1, 2):
                given = next((each for each in variable.given if self.tokens.is_sign(each + 1, "(")), -1)
                source = self._alone(given) if given >= 0 else None
                is_getter = source is not None and self.tokens.past(given + 1) == given + 3
                variable = source if is_getter else None
                place = given
            if variable is not None and id(variable) in owners and self._is_only_written(variable, is_getter=is_getter):
                owner, at = owners[id(variable)]
                if isinstance(owner, Variable):
                    self._writers[owner] = (at, is_getter)
                else:
                    self._at_once.append((owner, at, is_getter))

    def _parameters(self) -> Iterator[tuple[Variable | int, int, Variable]]:
        """The parameters of functions, with the variable that the function is, or with where it is called at once."""
        tokens = self.tokens
        named = {function.begin: name for name, function in self.scopes.named_functions()}
        for begin, function in self.scopes.functions.items():
            called = function.end + 1 if tokens.is_sign(function.end, ")") else function.end
            owner = named.get(begin, called if tokens.is_sign(called, "(") else None)
            for at, param in enumerate(function.params if owner is not None else ()):
                if param is not None and owner is not None:
                    yield owner, at, param

    def _alone(self, place: int) -> Variable | None:
        return self.scopes.variable(place) if self.tokens.is_name(place) else None

    def _is_only_written(self, variable: Variable, *, is_getter: bool) -> bool:
        """Whether each use is one that is written, or compared with nothing."""
        tokens = self.tokens
        for use in variable.uses:
            if is_getter:
                if not tokens.is_sign(use + 1, "(") or tokens.past(use + 1) != use + 3:
                    return False
            elif not (tokens.is_sign(use - 1, *_ASSIGNS) and tokens.is_name(use - 2, *_WRITTEN)):
                return False
        return not variable.given

    def _learn_directives(self) -> None:
        """Lit's directive is made of the class that says its name."""
        tokens = self.tokens
        for place in range(len(tokens)):
            if (
                tokens.kinds[place] == TEXT
                and tokens.texts[place] == "unsafeHTML"
                and tokens.is_name(place - 2, "directiveName")
            ):
                made_of = self._alone(place - 4) if tokens.is_sign(place - 3, ".") else self._class_round(place)
                for use in made_of.uses if made_of is not None else ():
                    directive = self._made_by(use)
                    if directive is not None and len(directive.given) == 1:
                        self._writers[directive] = (0, False)

    def _made_by(self, use: int) -> Variable | None:
        """The variable that is given what a call makes of this alone: `d = f(C)`."""
        tokens = self.tokens
        if not tokens.is_sign(use - 1, "(") or not tokens.is_sign(use + 1, ")"):
            return None
        made = tokens.partner.get(use - 2, use - 2)
        return self._alone(made - 2) if tokens.is_sign(made - 1, "=") else None

    def _class_round(self, place: int) -> Variable | None:
        """The class whose body a place stands in."""
        tokens = self.tokens
        begin = tokens.within[place]
        for name in range(begin - 1, max(begin - _FARTHEST, -1), -1):
            if tokens.is_name(name, "class"):
                named = name + 1 if tokens.is_name(name + 1) and not tokens.is_name(name + 1, "extends") else name - 2
                return self._alone(named)
        return None

    def _by_writers(self) -> Iterator[Sink]:
        """What is handed to functions that write it."""
        calls = [(use + 1, *how) for variable, how in self._writers.items() for use in variable.uses]
        for opens, at, is_getter in [*calls, *self._at_once]:
            if self.tokens.is_sign(opens, "("):
                handed = self.tokens.parts(opens + 1, self.tokens.past(opens) - 1, ",")
                if at < len(handed) and handed[at][0] < handed[at][1]:
                    yield Sink(handed[at][0], is_getter)


def getter_of(scopes: Scopes, sink: Sink) -> Function | None:
    """The function that gives back what is written."""
    return scopes.function_of(sink.begin) if sink.is_getter else None
