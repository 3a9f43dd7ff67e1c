"""A script as a list of words and signs, with the bracket that belongs to each bracket.

A template is written as the concatenation that it stands for, one with a tag as a call of the tag: `` `a${x}` `` as `("a" + (x))`. No
tree is made: whoever reads a list so long looks at few of its places.

code = tokens_of("box.innerHTML = note.title")
code.texts[2], code.end_of(4)                       "innerHTML", 7
"""

import re
from typing import Final

from gatecrash.core.testing.oracles.scripts.script import CODE, DOUBLE, REGEX, SINGLE, TEMPLATE, spans, unescaped

NAME, TEXT, NUMBER, SIGN, PATTERN = "name", "text", "number", "sign", "pattern"
_TOKEN: Final = re.compile(
    r"(?P<name>#?[A-Za-z_$\u00aa-\uffff][\w$]*+)|(?P<number>\d[\w.]*+|\.\d[\w]*+)"
    r"|(?P<sign>=>|\?\.(?!\d)|\?\?=?|&&=?|\|\|=?|[=!]==?|\*\*=?|\+\+|--|[-+*/%&|^<>]=|<<=?|>>>?=?|\.\.\.|[^\s\w])|(?P<line>\n)"
)
_PARTNER: Final = {")": "(", "]": "[", "}": "{"}
# Behind these the value of an expression is whole, and a new line may begin another statement (ECMA-262, section 12.10).
_WHOLE: Final = frozenset({")", "]", "}", "++", "--"})
_GOES_ON: Final = frozenset({"in", "of", "instanceof"})
_NO_VALUE: Final = frozenset(
    {
        "return",
        "typeof",
        "case",
        "do",
        "else",
        "in",
        "of",
        "instanceof",
        "new",
        "void",
        "delete",
        "throw",
        "yield",
        "await",
    }
)
_LONGEST: Final = 2_000
_STOPS: Final = frozenset({",", ";", ")", "]", "}"})


class Tokens:
    """kinds and texts: of each word or sign. fresh: whether it begins a line. partner: the place of its bracket's other one.
    within: the place of the bracket that it stands in, -1 for none.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.kinds: list[str] = []
        self.texts: list[str] = []
        self.fresh: list[bool] = []
        self.partner: dict[int, int] = {}
        self.within: list[int] = []
        self._open: list[int] = []
        self._line = False

    def __len__(self) -> int:
        return len(self.kinds)

    def put(self, kind: str, text: str) -> None:
        """One more."""
        place = len(self.kinds)
        self.kinds.append(kind)
        self.texts.append(text)
        self.fresh.append(self._line)
        self.within.append(self._open[-1] if self._open else -1)
        self._line = False
        if kind != SIGN:
            return
        if text in "([{":
            self._open.append(place)
        elif text in _PARTNER and self._open and self.texts[self._open[-1]] == _PARTNER[text]:
            begin = self._open.pop()
            self.partner[begin], self.partner[place] = place, begin
            self.within[place] = self.within[begin]

    def put_code(self, code: str) -> None:
        """All that stands in a piece of code."""
        for found in _TOKEN.finditer(code):
            if found.lastgroup == "line":
                self._line = True
            elif found.lastgroup is not None:
                self.put(found.lastgroup, found[0])

    def is_sign(self, place: int, *signs: str) -> bool:
        """Whether one of these signs stands there."""
        return 0 <= place < len(self.kinds) and self.kinds[place] == SIGN and self.texts[place] in signs

    def is_name(self, place: int, *names: str) -> bool:
        """Whether a word stands there; one of these, where any are given."""
        return 0 <= place < len(self.kinds) and self.kinds[place] == NAME and (not names or self.texts[place] in names)

    def is_member(self, place: int) -> bool:
        """Whether the word there is that of a member."""
        return self.is_sign(place - 1, ".", "?.")

    def is_value(self, place: int) -> bool:
        """Whether a value ends there, so that an opening bracket behind it is a call or a subscript."""
        if place < 0:
            return False
        if self.kinds[place] == SIGN:
            return self.texts[place] in _WHOLE
        return self.kinds[place] != NAME or self.is_member(place) or self.texts[place] not in _NO_VALUE

    def past(self, place: int) -> int:
        """The place behind the bracket that closes this one; the end of all where nothing does."""
        return self.partner.get(place, len(self.kinds) - 1) + 1

    def end_of(self, begin: int) -> int:
        """Where the expression ends that begins there; of a very long one, so far as it is looked at."""
        place = begin
        for _ in range(_LONGEST):
            if place >= len(self.kinds):
                break
            if self.kinds[place] == SIGN:
                if self.texts[place] in _STOPS:
                    return place
                if self.texts[place] in "([{":
                    place = self.past(place)
                    if self._breaks(place, begin):
                        return place
                    continue
            if self._breaks(place, begin):
                return place
            place += 1
        return place

    def _breaks(self, place: int, begin: int) -> bool:
        """Whether a new line begins another statement there."""
        if not begin < place < len(self.kinds) or not self.fresh[place] or not self.is_value(place - 1):
            return False
        return self.kinds[place] in (NAME, TEXT, NUMBER) and self.texts[place] not in _GOES_ON

    def parts(self, begin: int, end: int, *signs: str) -> list[tuple[int, int]]:
        """What stands between these signs, none of those within brackets."""
        found, place, start = [], begin, begin
        while place < end:
            if self.kinds[place] == SIGN:
                if self.texts[place] in signs and (place > start or self.texts[place] == ","):
                    found.append((start, place))
                    start = place + 1
                elif self.texts[place] in "([{":
                    place = self.past(place)
                    continue
            place += 1
        return [*found, (start, end)] if start < end or not found else found


def tokens_of(code: str) -> Tokens:
    """The words and signs of a script."""
    read = Tokens()
    # Of the templates that are open, whether a tag stands before them.
    tagged: list[bool] = []
    for span in spans(code):
        text = code[span.begin : span.end]
        if span.kind == CODE:
            read.put_code(text)
        elif span.kind in (SINGLE, DOUBLE):
            read.put(TEXT, unescaped(text))
        elif span.kind == REGEX:
            read.put(PATTERN, text)
        elif span.kind == TEMPLATE:
            _put_template(
                read,
                tagged,
                unescaped(text),
                opens=code[span.begin - 1] == "`",
                goes_on=code.startswith("${", span.end),
            )
    return read


def _put_template(read: Tokens, tagged: list[bool], text: str, *, opens: bool, goes_on: bool) -> None:
    if opens:
        tagged.append(read.is_value(len(read) - 1) and not read.is_sign(len(read) - 1, "}"))
        read.put(SIGN, "(")
    else:
        read.put(SIGN, ")")
        read.put(SIGN, "," if tagged and tagged[-1] else "+")
    read.put(TEXT, text)
    if goes_on:
        read.put(SIGN, "," if tagged and tagged[-1] else "+")
        read.put(SIGN, "(")
    else:
        read.put(SIGN, ")")
        if tagged:
            tagged.pop()
