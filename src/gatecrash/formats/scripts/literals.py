"""What a script's expressions come to, as far as they are written out: texts, numbers, objects of them (ECMA-262, section 13).

script = Script(code)
script.matching(5)                  where the bracket that opens at 5 is closed
script.parts(begin, end)            the pieces between commas, as pairs of places
script.text(begin, end)             "/items/1" for '/items/' + id; None where nothing of it is written out
script.address(begin, end)          "/items/1" for base + '/items/' + id as well
script.expression(begin)            where the expression that begins there ends
script.declared("paths")            what a name is declared as, as source
script.written_out(begin)           the text that it is; None where any of it is not written out
script.members(begin, end)          {"method": (9, 15)} of an object
script.value(begin, end, "name")    what JSON.stringify would be given

Names that are declared once are what they are declared as, and so are the members of an object that is written out
(`paths.items`); what an object has of its own is what it was last set to before (`this.base`). Older targets of compilers
have `"/items/".concat(id)` for a template. What is not written out, as a variable that a person fills, is a value of its
name's kind, and "1" within an address.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import quote, urlencode

from gatecrash.core.testing.oracles.script import CODE, DOUBLE, SINGLE, TEMPLATE, spans, unescaped
from gatecrash.formats.descriptions.sample_text import text_for
from gatecrash.formats.scripts.conversions import ENCODES, KEEPS, converted

Value = str | int | float | bool | list["Value"] | dict[str, "Value"] | None

UNKNOWN = "1"
"""What stands in an address for what is not written out."""
_DEEPEST = 6
_COVER = "\0"
_NEAR = 100
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_BRACKET = re.compile(r"[()\[\]{}]")
_NAME = re.compile(r"[A-Za-z_$][\w$]*+")
_NUMBER = re.compile(r"-?\d++(?:\.\d++)?")
_HOLE = re.compile(r"\$\{\s*+([^{}]*+)\}")
_WORDS: dict[str, Value] = {"true": True, "false": False, "null": None}
_ASSIGN = re.compile(r"Object\s*+\.\s*+assign\s*+\(")
# An object, or what is made of one to be sent.
_MADE = re.compile(r"\{|(?:JSON\s*+\.\s*+stringify|new\s++(?:URLSearchParams|FormData|Headers))\s*+\(")
# One declaration may hold many names: `const a="/x",b={…}`.
_DECLARED = re.compile(r"(?:(?<![\w$.])(?:var|let|const)\s++|,\s*+)([A-Za-z_$][\w$]*+)\s*+=(?![=>])\s*+")
_MEMBER = re.compile(r"([A-Za-z_$][\w$]*+)\s*+\.\s*+([A-Za-z_$][\w$]*+)")
# What an object has of its own, set by its constructor or written into its class.
_OWN = re.compile(r"this\s*+\.\s*+([A-Za-z_$][\w$]*+)")
_FIELD = re.compile(r"(?:(?<![\w$.])this\s*+\.|[;{}])\s*+([A-Za-z_$][\w$]*+)\s*+=(?![=>])\s*+")
_CONCAT = re.compile(r"\.\s*+concat\s*+\(")
# What stands there where the surroundings say nothing else: `env.API || "/api"`.
_OR_ELSE = re.compile(r"[\w$.]{1,80}+\s*+(?:\|\||\?\?)\s*+")
# A form's data is an object here (`page_values`), and so is what a query is made of.
_AS_QUERY = re.compile(r"new\s++URLSearchParams\s*+\(")
_MADE_OF = re.compile(r"new\s++(?:FormData|Headers)\s*+\(")
_ENDS = frozenset(",;)]}")
_LONGEST, _LONGEST_OBJECT = 500, 10_000


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
        self._closes = dict(_closing(self.code))
        self._objects: dict[str, tuple[int, int]] = {}
        self._members: dict[str, str | None] = {}
        self._fields: dict[str, list[int]] = {}
        self._telling: set[int] = set()
        self._known: dict[str, str] = {}
        self._learn_constants()

    @property
    def written(self) -> Iterator[str]:
        """Each text of the script that is whole: nothing is put in, and it is joined to nothing."""
        for begin, end in self._texts.items():
            before, behind = self.code[max(0, begin - _NEAR) : begin], self.code[end + 1 : end + 1 + _NEAR]
            beside = before.rstrip()[-1:], behind.lstrip()[:1]
            if "${" not in self.source[begin:end] and "+" not in beside:
                yield unescaped(self.source[begin + 1 : end])

    def matching(self, opened: int, last: int | None = None) -> int:
        """The place of the bracket that closes this one; where nothing before `last` does, that, or the script's end."""
        last = len(self.code) if last is None else last
        return min(last, self._closes.get(opened, last))

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
        place, last = begin, min(len(self.code), begin + _LONGEST)
        while place < last and self.code[place] not in _ENDS:
            # A line goes on behind an operator alone.
            if self.code[place] == "\n" and self.source[begin:place].rstrip()[-1:] not in ("", "+", "=", "(", "|", "?"):
                break
            place = self.matching(place, last) + 1 if self.code[place] in _CLOSING else place + 1
        return min(place, last)

    def written_out(self, begin: int) -> str | None:
        """The text that an expression is; None where a part of it is not written out."""
        places = self._pieces(begin, self.expression(begin))
        for first, last in places:
            for hole in _HOLE.finditer(self.source, first, last):
                if self._named(hole[1].strip(), first) is None:
                    return None
            if self._piece(first, last) is None:
                return None
        told = self._joined(places)
        # Doubled again and again, a short script is a text without end.
        return told if told is not None and len(told) <= _LONGEST else None

    def declared(self, name: str) -> str | None:
        """What a name is declared as, as source: a text that is written out, or an object that is no long one."""
        if name in self._known:
            return json.dumps(self._known[name])
        begin, end = self._objects.get(name, (0, 0))
        return self.source[begin:end] if 0 < end - begin <= _LONGEST else None

    def text(self, begin: int, end: int) -> str | None:
        """A text and what is joined to it; `UNKNOWN` stands for what is not written out behind its beginning."""
        return self._joined(self._pieces(begin, end))

    def address(self, begin: int, end: int) -> str | None:
        """A text as `text` has it; where its beginning is a variable, the path behind that, if it is one."""
        places = self._pieces(begin, end)
        if not places:
            return None
        first, last = self._bare(*places[0])
        hole = _HOLE.match(self.source, first + 1, last) if self._texts.get(first) == last - 1 else None
        whole = self._joined(places) or ""
        if hole is not None and self._put_in(hole, first) == UNKNOWN:
            whole = whole.removeprefix(UNKNOWN)
        elif self._piece(first, last) is None and places[1:]:
            whole = self._joined(places[1:]) or ""
        else:
            return whole or None
        return whole if whole.startswith("/") and whole[1:2] != "/" else None

    def members(self, begin: int, end: int) -> dict[str, tuple[int, int]]:
        """The members of an object that is written out; nothing for anything else."""
        begin, end = self._unwrapped(*self.meant(*self._assigned(begin, end)))
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
        begin, end = self._unwrapped(*self.meant(begin, end))
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

    def _pieces(self, begin: int, end: int) -> list[tuple[int, int]]:
        """What is joined, by signs or by calls: `a + "/b"`, `"".concat(a, "/b")`."""
        return [piece for part in self.parts(begin, end, "+") for piece in self._concatenated(*self._bare(*part))]

    def _concatenated(self, begin: int, end: int) -> list[tuple[int, int]]:
        """What calls of `concat` join, one behind the other; the expression itself where none does."""
        further: list[tuple[int, int]] = []
        while end - begin <= _LONGEST:
            calls = _CONCAT.finditer(self.code, begin, end)
            call = next((each for each in calls if self.matching(each.end() - 1, end) == end - 1), None)
            if call is None:
                break
            further = [*self.parts(call.end(), end - 1), *further]
            begin, end = self._bare(begin, call.start())
        is_empty = further and self.source[begin:end] in ('""', "''")
        return further if is_empty else [(begin, end), *further]

    def _joined(self, places: list[tuple[int, int]]) -> str | None:
        pieces = [self._piece(*place) for place in places]
        if not pieces or pieces[0] is None:
            return None
        return "".join(UNKNOWN if piece is None else piece for piece in pieces)

    def _piece(self, begin: int, end: int) -> str | None:
        begin, end = self._bare(begin, end)
        told = self._converted(begin, end)
        if told is not None:
            return told
        if self._texts.get(begin) == end - 1:
            return _HOLE.sub(lambda hole: self._put_in(hole, begin), unescaped(self.source[begin + 1 : end - 1]))
        return self._named(self.source[begin:end], begin)

    def _converted(self, begin: int, end: int) -> str | None:
        """A text that is encoded, or an object as a query, where what stands in it is written out."""
        asked = _AS_QUERY.match(self.source, begin, end)
        if asked is not None and self.matching(asked.end() - 1, end) == end - 1:
            value = self.value(asked.end(), end - 1, "data")
            return urlencode(_pairs(value), quote_via=quote) if isinstance(value, dict) else None
        encodes = ENCODES.match(self.code, begin, end)
        if encodes is not None and self.matching(encodes.end() - 1, end) == end - 1:
            text = self.text(encodes.end(), end - 1)
            return None if text is None else converted(encodes[1], text)
        calls = KEEPS.finditer(self.code, begin, end) if end - begin <= _LONGEST else ()
        kept = next((each for each in calls if self.matching(each.end() - 1, end) == end - 1), None)
        if kept is None:
            return None
        first, last = self.meant(begin, kept.start())
        return self._piece(first, last) if (first, last) != (begin, end) else None

    def _named(self, written: str, at: int) -> str | None:
        """What a name holds, or a member of an object that is written out. at: where it is said, for what an object has of its own."""
        if written in self._known:
            return self._known[written]
        own = _OWN.fullmatch(written)
        if own is not None:
            return self._field(own[1], at)
        found = _MEMBER.fullmatch(written)
        if found is None or found[1] not in self._objects:
            return None
        if written not in self._members:
            # An object that is made of itself holds nothing, and neither does one of a long row of others.
            self._members[written] = None
            where = self.members(*self._objects[found[1]]).get(found[2])
            self._members[written] = self._told(where[0], lambda: self._piece(*where)) if where else None
        return self._members[written]

    def _told(self, place: int, tell: Callable[[], str | None]) -> str | None:
        """What is said at a place; None while that is being told already, or much else is."""
        if place in self._telling or len(self._telling) >= _DEEPEST:
            return None
        self._telling.add(place)
        told = tell()
        self._telling.discard(place)
        return told

    def _field(self, name: str, at: int) -> str | None:
        """What it was last set to before a place: classes of one bundle call theirs alike."""
        if not self._fields:
            for found in _FIELD.finditer(self.code):
                self._fields.setdefault(found[1], []).append(found.end())
        place = max((each for each in self._fields.get(name, ()) if each < at), default=None)
        return None if place is None else self._told(place, lambda: self.written_out(place))

    def _put_in(self, hole: re.Match[str], at: int) -> str:
        """What a template holds in this place."""
        told = self._named(hole[1].strip(), at)
        return UNKNOWN if told is None else told

    def _bare(self, begin: int, end: int) -> tuple[int, int]:
        """Without the blanks around it."""
        written = self.source[begin:end]
        return begin + len(written) - len(written.lstrip()), begin + len(written.rstrip())

    def meant(self, begin: int, end: int) -> tuple[int, int]:
        """Where what is declared with this name stands, an object or what is made of one to be sent; else the expression itself."""
        begin, end = self._bare(begin, end)
        return self._objects.get(self.source[begin:end], (begin, end))

    def _unwrapped(self, begin: int, end: int) -> tuple[int, int]:
        """What `new FormData(…)` is made of, or `new Headers(…)`."""
        made = _MADE_OF.match(self.source, begin, end)
        closed = made is not None and self.matching(made.end() - 1, end) == end - 1
        return self._bare(made.end(), end - 1) if made is not None and closed else (begin, end)

    def _assigned(self, begin: int, end: int) -> tuple[int, int]:
        """The first object of `Object.assign({…}, further)`, which is the one that is written out."""
        begin, end = self._bare(begin, end)
        made = _ASSIGN.match(self.source, begin, end)
        parts = self.parts(made.end(), self.matching(made.end() - 1)) if made else []
        return parts[0] if parts else (begin, end)

    def _learn_constants(self) -> None:
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
                last = min(len(self.code), begin + _LONGEST_OBJECT)
                self._objects[name] = begin, self.matching(opened.end() - 1, last) + 1
                continue
            otherwise = _OR_ELSE.match(self.code, begin)
            begin = otherwise.end() if otherwise else begin
            word = _NAME.match(self.code, begin)
            if begin in self._texts or (word is not None and word[0] in self._known):
                told = self.written_out(begin)
                if told is not None:
                    self._known[name] = told


def _closing(code: str) -> Iterator[tuple[int, int]]:
    """The places of brackets, each with the one that closes it."""
    opened: list[tuple[str, int]] = []
    for found in _BRACKET.finditer(code):
        if found[0] in _CLOSING:
            opened.append((_CLOSING[found[0]], found.start()))
        elif opened and opened[-1][0] == found[0]:
            yield opened.pop()[1], found.start()


def _pairs(value: dict[str, Value]) -> list[tuple[str, str]]:
    return [(name, each if isinstance(each, str) else json.dumps(each)) for name, each in value.items()]
