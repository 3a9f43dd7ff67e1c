"""What a script's expressions come to, as far as they are written out: texts, numbers, objects of them (ECMA-262, section 13).

script = Script(code)
script.matching(5)                  where the bracket that opens at 5 is closed
script.parts(begin, end)            the pieces between commas, as pairs of places
script.text(begin, end)             "/items/1" for '/items/' + id; None where nothing of it is written out
script.address(begin, end)          "/items/1" for base + '/items/' + id as well
script.members(begin, end)          {"method": (9, 15)} of an object
script.value(begin, end, "name")    what JSON.stringify would be given

What is not written out, as a variable that a person fills, is a value of its name's kind, and "1" within an address.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator

from gatecrash.core.testing.oracles.script import CODE, DOUBLE, SINGLE, TEMPLATE, spans
from gatecrash.formats.descriptions.sample_text import text_for

Value = str | int | float | bool | list["Value"] | dict[str, "Value"] | None

UNKNOWN = "1"
"""What stands in an address for what is not written out."""
_DEEPEST = 6
_COVER = "\0"
_NEAR = 100
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$][\w$]*+")
_NUMBER = re.compile(r"-?\d++(?:\.\d++)?")
_HOLE = re.compile(r"\$\{\s*+([^{}]*+)\}")
_WORDS: dict[str, Value] = {"true": True, "false": False, "null": None}
_ASSIGN = re.compile(r"Object\s*+\.\s*+assign\s*+\(")
# An object, or what is made of one to be sent.
_MADE = re.compile(r"\{|(?:JSON\s*+\.\s*+stringify|new\s++URLSearchParams)\s*+\(")
_DECLARED = re.compile(r"(?<![\w$.])(?:var|let|const)\s++([A-Za-z_$][\w$]*+)\s*+=\s*+")


class Script:
    """One script, with its texts and comments told from its code."""

    def __init__(self, code: str) -> None:
        """Read it once; what is no code is covered in `code`, so that brackets within texts are none."""
        self.source = code
        self._texts: dict[int, int] = {}
        shown, begin, templates = [], 0, []
        for span in spans(code):
            if span.kind in (SINGLE, DOUBLE):
                self._texts[span.begin - 1] = span.end
            elif span.kind == TEMPLATE:
                if code[span.begin - 1] == "`":
                    templates.append(span.begin - 1)
                if code[span.end : span.end + 1] == "`" and templates:
                    self._texts[templates.pop()] = span.end
            elif span.kind == CODE:
                shown += [_COVER * (span.begin - begin), code[span.begin : span.end]]
                begin = span.end
        self.code = "".join([*shown, _COVER * (len(code) - begin)])
        self._objects: dict[str, tuple[int, int]] = {}
        self._known = dict(self._constants())

    @property
    def written(self) -> Iterator[str]:
        """Each text of the script that is whole: nothing is put in, and it is joined to nothing."""
        for begin, end in self._texts.items():
            before, behind = self.code[max(0, begin - _NEAR) : begin], self.code[end + 1 : end + 1 + _NEAR]
            beside = before.rstrip()[-1:], behind.lstrip()[:1]
            if "${" not in self.source[begin:end] and "+" not in beside:
                yield _unescaped(self.source[begin + 1 : end])

    def matching(self, opened: int) -> int:
        """The place of the bracket that closes this one; the script's end where nothing does."""
        open_now: list[str] = []
        for place in range(opened, len(self.code)):
            sign = self.code[place]
            if sign in _CLOSING:
                open_now.append(_CLOSING[sign])
            elif open_now and sign == open_now[-1]:
                open_now.pop()
                if not open_now:
                    return place
        return len(self.code)

    def parts(self, begin: int, end: int, sign: str = ",") -> list[tuple[int, int]]:
        """What stands between these signs outside of any brackets."""
        found, start, place = [], begin, begin
        while place < end:
            if self.code[place] in _CLOSING:
                place = self.matching(place)
            elif self.code[place] == sign:
                found.append((start, place))
                start = place + 1
            place += 1
        return [*found, (start, end)] if self.source[start:end].strip() else found

    def text(self, begin: int, end: int) -> str | None:
        """A text and what is joined to it; `UNKNOWN` stands for what is not written out behind its beginning."""
        pieces = [self._piece(*part) for part in self.parts(begin, end, "+")]
        if not pieces or pieces[0] is None:
            return None
        return "".join(UNKNOWN if piece is None else piece for piece in pieces)

    def address(self, begin: int, end: int) -> str | None:
        """A text as `text` has it; where its beginning is a variable, the path behind that, if it is one."""
        parts = self.parts(begin, end, "+")
        if not parts:
            return None
        first, last = self._bare(*parts[0])
        hole = _HOLE.match(self.source, first + 1, last) if self._texts.get(first) == last - 1 else None
        whole = self.text(begin, end) or ""
        if hole is not None and self._put_in(hole) == UNKNOWN:
            whole = whole.removeprefix(UNKNOWN)
        elif self._piece(first, last) is None and parts[1:]:
            whole = self.text(parts[1][0], end) or ""
        else:
            return whole or None
        return whole if whole.startswith("/") and whole[1:2] != "/" else None

    def members(self, begin: int, end: int) -> dict[str, tuple[int, int]]:
        """The members of an object that is written out; nothing for anything else."""
        begin, end = self.meant(*self._assigned(begin, end))
        if self.source[begin : begin + 1] != "{" or self.matching(begin) != end - 1:
            return {}
        found: dict[str, tuple[int, int]] = {}
        for first, last in self.parts(begin + 1, end - 1):
            named, *behind = self.parts(first, last, ":")
            name = self._piece(*named) if self._bare(*named)[0] in self._texts else self.source[slice(*named)].strip()
            if name:
                found[name] = (behind[0][0], last) if behind else named
        return found

    def value(self, begin: int, end: int, name: str, deep: int = 0) -> Value:
        """What an expression is worth; of what is not written out a value that its name asks for."""
        begin, end = self.meant(begin, end)
        written = self.source[begin:end]
        if written in _WORDS:
            return _WORDS[written]
        if _NUMBER.fullmatch(written):
            number: Value = json.loads(written) if not written.lstrip("-").startswith("0") else float(written)
            return number
        closed = written[:1] in ("{", "[") and self.matching(begin) == end - 1 and deep < _DEEPEST
        if closed and written.startswith("{"):
            return {key: self.value(*place, key, deep + 1) for key, place in self.members(begin, end).items()}
        if closed:
            return [self.value(*place, name, deep + 1) for place in self.parts(begin + 1, end - 1)]
        text = self.text(begin, end)
        return text_for({}, name) if text is None else text

    def _piece(self, begin: int, end: int) -> str | None:
        begin, end = self._bare(begin, end)
        if self._texts.get(begin) == end - 1:
            return _HOLE.sub(self._put_in, _unescaped(self.source[begin + 1 : end - 1]))
        return self._known.get(self.source[begin:end]) if _NAME.fullmatch(self.source, begin, end) else None

    def _put_in(self, hole: re.Match[str]) -> str:
        """What a template holds in this place."""
        return self._known.get(hole[1].strip(), UNKNOWN)

    def _bare(self, begin: int, end: int) -> tuple[int, int]:
        """Without the blanks around it."""
        written = self.source[begin:end]
        return begin + len(written) - len(written.lstrip()), begin + len(written.rstrip())

    def meant(self, begin: int, end: int) -> tuple[int, int]:
        """Where what is declared with this name stands, an object or what is made of one to be sent; else the expression itself."""
        begin, end = self._bare(begin, end)
        return self._objects.get(self.source[begin:end], (begin, end))

    def _assigned(self, begin: int, end: int) -> tuple[int, int]:
        """The first object of `Object.assign({…}, further)`, which is the one that is written out."""
        begin, end = self._bare(begin, end)
        made = _ASSIGN.match(self.source, begin, end)
        parts = self.parts(made.end(), self.matching(made.end() - 1)) if made else []
        return parts[0] if parts else (begin, end)

    def _constants(self) -> Iterator[tuple[str, str]]:
        """Names that are declared with one text, as the beginning of all addresses often is; objects are kept by their place.

        A bundle's short names are declared in one function after the other: what several declare is known of none.
        """
        declared = [(found[1], found.end()) for found in _DECLARED.finditer(self.code)]
        often = Counter(name for name, _ in declared)
        for name, begin in declared:
            if often[name] > 1:
                continue
            opened = _MADE.match(self.code, begin)
            if opened is not None:
                self._objects[name] = begin, self.matching(opened.end() - 1) + 1
            end = self._texts.get(begin)
            if end is not None and "${" not in self.source[begin:end]:
                yield name, _unescaped(self.source[begin + 1 : end])


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    number = found[1] or found[2]
    return chr(int(number, 16)) if number else {"n": "\n", "t": "\t", "r": "\r"}.get(found[3], found[3])
