"""A script as text: which of it is code, and where its brackets, its expressions and the holes of its templates end.

script = Structure(code)
script.matching(5)                  where the bracket that opens at 5 is closed
script.parts(begin, end)            the pieces between commas, as pairs of places
script.expression(begin)            where the expression that begins there ends
script.written                      each text that is whole
script.holes(begin, end)            what stands within `${…}` of a template
"""

import re
from collections.abc import Iterator

from gatecrash.core.testing.oracles.scripts.script import CODE, DOUBLE, SINGLE, TEMPLATE, spans, unescaped

LONGEST = 500
"""The longest expression that is read."""
_COVER = "\0"
_NEAR = 100
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_BRACKET = re.compile(r"[()\[\]{}]")
_ENDS = frozenset(",;)]}")


class Structure:
    """One script, with its texts and comments told from its code. texts: where each begins, and its end. closes: brackets alike."""

    def __init__(self, code: str) -> None:
        """Read it once; what is no code is covered in `code`, so that brackets within texts are none."""
        self.source = code
        self.texts: dict[int, int] = {}
        shown, begin, templates = [], 0, []
        for span in spans(code):
            if span.kind in (SINGLE, DOUBLE):
                self.texts[span.begin - 1] = span.end
            elif span.kind == TEMPLATE:
                if code[span.begin - 1] == "`":
                    templates.append(span.begin - 1)
                if code[span.end : span.end + 1] == "`" and templates:
                    self.texts[templates.pop()] = span.end
            elif span.kind == CODE:
                shown += [_COVER * (span.begin - begin), code[span.begin : span.end]]
                begin = span.end
        self.code = "".join([*shown, _COVER * (len(code) - begin)])
        self.closes = dict(_closing(self.code))

    @property
    def written(self) -> Iterator[str]:
        """Each text of the script that is whole: nothing is put in, and it is joined to nothing."""
        for begin, end in self.texts.items():
            before, behind = self.code[max(0, begin - _NEAR) : begin], self.code[end + 1 : end + 1 + _NEAR]
            beside = before.rstrip()[-1:], behind.lstrip()[:1]
            if "${" not in self.source[begin:end] and "+" not in beside:
                yield unescaped(self.source[begin + 1 : end])

    def matching(self, opened: int, last: int | None = None) -> int:
        """The place of the bracket that closes this one; where nothing before `last` does, that, or the script's end."""
        last = len(self.code) if last is None else last
        return min(last, self.closes.get(opened, last))

    def parts(self, begin: int, end: int, sign: str = ",") -> list[tuple[int, int]]:
        """What stands between these signs outside of any brackets."""
        found, start, place = [], begin, begin
        while place < end:
            if self.code[place] in _CLOSING:
                place = self.matching(place, end)
            elif self.code[place] == sign:
                found.append((start, place))
                start = place + 1
            place += 1
        return [*found, (start, end)] if self.source[start:end].strip() else found

    def expression(self, begin: int) -> int:
        """Where the expression that begins there ends: before a comma, a semicolon or the bracket around it."""
        place, last = begin, min(len(self.code), begin + LONGEST)
        while place < last and self.code[place] not in _ENDS:
            # A line goes on behind an operator alone.
            if self.code[place] == "\n" and self.source[begin:place].rstrip()[-1:] not in ("", "+", "=", "(", "|", "?"):
                break
            place = self.matching(place, last) + 1 if self.code[place] in _CLOSING else place + 1
        return min(place, last)

    def holes(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """What stands within `${…}` of a template, between its covered braces."""
        if self.source[begin - 1] != "`":
            return
        while (opened := self.source.find("${", begin, end)) >= 0:
            closed = first = opened + 2
            while closed < end and not (self.source[closed] == "}" and self.code[closed] == _COVER):
                closed = self.texts.get(closed, closed) + 1
            yield first, closed
            begin = closed + 1

    def bare(self, begin: int, end: int) -> tuple[int, int]:
        """Without the blanks around it."""
        written = self.source[begin:end]
        return begin + len(written) - len(written.lstrip()), begin + len(written.rstrip())


def _closing(code: str) -> Iterator[tuple[int, int]]:
    """The places of brackets, each with the one that closes it."""
    opened: list[tuple[str, int]] = []
    for found in _BRACKET.finditer(code):
        if found[0] in _CLOSING:
            opened.append((_CLOSING[found[0]], found.start()))
        elif opened and opened[-1][0] == found[0]:
            yield opened.pop()[1], found.start()
