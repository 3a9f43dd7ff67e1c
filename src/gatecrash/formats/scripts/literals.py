"""What a script's expressions come to, as far as they are written out: texts, numbers, objects of them (ECMA-262, section 13).

script = script_of(code)            one for all who read the same code soon after each other
script.text(begin, end)             "/items/1" for '/items/' + id; None where nothing of it is written out
script.address(begin, end)          "/items/1" for base + '/items/' + id as well
script.declared("paths", at)        what a name is declared as at a place, as source
script.written_out(begin)           the text that it is; None where any of it is not written out
script.members(begin, end)          {"method": (9, 15)} of an object
script.value(begin, end, "name")    what JSON.stringify would be given

Names are what they are declared as where they stand (`scopes`), and so are the members of an object that is written out
(`paths.items`); what an object has of its own is what it was last set to before (`this.base`). Older targets of compilers
have `"/items/".concat(id)` for a template. What is not written out, as a variable that a person fills, is a value of its
name's kind, and "1" within an address.
"""

import json
import re
from collections.abc import Callable
from functools import cached_property, lru_cache
from urllib.parse import quote, urlencode

from gatecrash.core.testing.oracles.scripts.script import unescaped
from gatecrash.formats.descriptions.sample_text import text_for
from gatecrash.formats.scripts.conversions import ENCODES, KEEPS, converted
from gatecrash.formats.scripts.scopes import Scopes
from gatecrash.formats.scripts.structure import LONGEST, Structure

Value = str | int | float | bool | list["Value"] | dict[str, "Value"] | None

UNKNOWN = "1"
"""What stands in an address for what is not written out."""
_SPREAD = "..."
_DEEPEST = 8
_NAME = re.compile(r"[A-Za-z_$][\w$]*+")
_NUMBER = re.compile(r"-?\d++(?:\.\d++)?")
_COUNT = re.compile(r"[1-9]\d{0,8}")
_NOTHING = frozenset({"undefined", "void 0", "null"})
_CHOICE = re.compile(r"\?")
# A function that returns what it is written as (ECMA-262, 15.3), and a call of one that has a name.
_ARROW = re.compile(r"(?:\([^()]{0,100}+\)|[A-Za-z_$][\w$]*+)\s*+=>\s*+(?!\{)")
_CALLED = re.compile(r"([A-Za-z_$][\w$]*+(?:\.[A-Za-z_$][\w$]*+){0,4}+)\(")
# The usual letters of a regular expression that stands for one text alone.
_PATTERN = re.compile(r"/((?:[\w<>{}:$-]|\\.){1,60}+)/g?")
_REPLACES, _MOST_PIECES = 2, 100
# Minifiers have the second kind of each.
_WORDS: dict[str, Value] = {"true": True, "!0": True, "false": False, "!1": False, "null": None}
_ASSIGN = re.compile(r"Object\s*+\.\s*+assign\s*+\(")
# An object, or what is made of one to be sent.
_MADE = re.compile(r"\{|(?:JSON\s*+\.\s*+stringify|new\s++(?:URLSearchParams|FormData|Headers))\s*+\(")
_MEMBER = re.compile(r"[A-Za-z_$][\w$]*+(?:\s*+\.\s*+[A-Za-z_$][\w$]*+){1,4}+")
# What an object has of its own, set by its constructor or written into its class.
_OWN = re.compile(r"this\s*+\.\s*+([A-Za-z_$][\w$]*+)")
_FIELD = re.compile(r"(?:(?<![\w$.])this\s*+\.|[;{}])\s*+([A-Za-z_$][\w$]*+)\s*+=(?![=>])\s*+")
# The same as compilers for older browsers have it: `define(this, "base", "/api")`.
_DEFINED = re.compile(
    r"""(?<![\w$.])[\w$.]{1,40}+\(\s*+this\s*+,\s*+(?P<sign>["'])(?P<name>[A-Za-z_$][\w$]*+)(?P=sign)\s*+,\s*+"""
)
_CONCAT = re.compile(r"\.\s*+concat\s*+\(")
# What stands there where the surroundings say nothing else: `env.API || "/api"`.
_OR_ELSE = re.compile(r"[\w$.]{1,80}+\s*+(?:\|\||\?\?)\s*+")
# A form's data is an object here (`page_values`), and so is what a query is made of.
_AS_QUERY = re.compile(r"new\s++URLSearchParams\s*+\(")
_MADE_OF = re.compile(r"new\s++(?:FormData|Headers)\s*+\(")
_LONGEST_DECLARED, _LONGEST_OBJECT, _LONGEST_NAME = 4_000, 10_000, 100


class Script(Structure):
    """One script, with what its names and expressions come to."""

    def __init__(self, code: str) -> None:
        """Read it once."""
        super().__init__(code)
        self._told_at: dict[int, str | None] = {}
        self._fields: dict[str, list[int]] = {}
        self._telling: set[int] = set()
        self._seeking: set[tuple[str, int]] = set()
        self._pieces_at: dict[int, list[tuple[int, int]]] = {}

    @cached_property
    def scopes(self) -> Scopes:
        """What its names mean; read where a name is asked for, as that takes longer than all else and many ask for none."""
        return Scopes(self.code, self.closes)

    def written_out(self, begin: int) -> str | None:
        """The text that an expression is; None where a part of it is not written out."""
        places = self._pieces(begin, self.expression(begin))
        for first, last in places:
            if self.texts.get(first) == last - 1:
                for inside, closed in self.holes(first + 1, last - 1):
                    if any(self._piece(*each) is None for each in self._pieces(inside, closed)):
                        return None
            if self._piece(first, last) is None:
                return None
        told = self._joined(places)
        # Doubled again and again, a short script is a text without end.
        return told if told is not None and len(told) <= LONGEST else None

    def declared(self, name: str, at: int) -> str | None:
        """What a name is declared as at a place, as source: a text that is written out, or an object that is no long one."""
        told = self._constant(name, at)
        if told is not None:
            return json.dumps(told)
        begin, end = self._object(name, at) or (0, 0)
        return self.source[begin:end] if 0 < end - begin <= _LONGEST_DECLARED else None

    def object_of(self, name: str, at: int) -> tuple[int, int] | None:
        """Where the object stands that a name is declared as at a place, or what is made of one to be sent."""
        return self._object(name, at)

    def text(self, begin: int, end: int) -> str | None:
        """A text and what is joined to it; `UNKNOWN` stands for what is not written out behind its beginning."""
        return self._joined(self._pieces(begin, end))

    def address(self, begin: int, end: int) -> str | None:
        """A text as `text` has it; where its beginning is a variable, the path behind that, if it is one."""
        places = self._pieces(begin, end)
        if not places:
            return None
        first, last = self.bare(*places[0])
        hole = next(self.holes(first + 1, last - 1), None) if self.texts.get(first) == last - 1 else None
        whole = self._joined(places) or ""
        if hole is not None and hole[0] == first + 3 and self.text(*hole) is None:
            whole = whole.removeprefix(UNKNOWN)
        elif self._piece(first, last) is None and places[1:]:
            whole = self._joined(places[1:]) or ""
        else:
            return whole or None
        return whole if whole.startswith("/") and whole[1:2] != "/" else None

    def members(self, begin: int, end: int, deep: int = 0) -> dict[str, tuple[int, int]]:
        """The members of an object that is written out, and those of others that are spread in it; nothing for anything else."""
        begin, end = self._unwrapped(*self.meant(*self._assigned(begin, end)))
        if self.source[begin : begin + 1] != "{" or self.matching(begin) != end - 1:
            return {}
        found: dict[str, tuple[int, int]] = {}
        for first, last in self.parts(begin + 1, end - 1):
            begun = self.bare(first, last)[0]
            if self.source.startswith(_SPREAD, begun):
                found |= self.members(begun + len(_SPREAD), last, deep + 1) if deep < _DEEPEST else {}
                continue
            named, *behind = self.parts(first, last, ":")
            name = self._piece(*named) if self.bare(*named)[0] in self.texts else self.source[slice(*named)].strip()
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
        if text is not None:
            return text
        sample = text_for({}, name)
        # A script has counts and keys as numbers; what wants a text mostly takes a number, and hardly ever the other way round.
        return int(sample) if _COUNT.fullmatch(sample) else sample

    def _pieces(self, begin: int, end: int, deep: int = 0) -> list[tuple[int, int]]:
        """What is joined, by signs or by calls: `a + "/b"`, `"".concat(a, "/b")`."""
        parts = self.parts(begin, end, "+")
        return [piece for part in parts for piece in self._told_by_name(*self.bare(*part), deep)]

    def _told_by_name(self, begin: int, end: int, deep: int) -> list[tuple[int, int]]:
        """The pieces of what a name is declared as, or a function of paths returns: `one=id=>"/one/"+id`; else its own."""
        written = self.source[begin:end] if end - begin <= _LONGEST_NAME else ""
        called = _CALLED.match(written)
        if called is not None and self.matching(begin + called.end() - 1, end) == end - 1:
            written = called[1]
        place = self._declared_at(written, begin) if deep < _DEEPEST else None
        if place is None:
            return self._concatenated(begin, end)
        arrow = _ARROW.match(self.code, *place)
        if (arrow is None) is not (called is None):
            return self._concatenated(begin, end)
        pieces = self._pieces_of(*((arrow.end(), place[1]) if arrow else place), deep + 1)
        return pieces if pieces and self._piece(*pieces[0]) is not None else self._concatenated(begin, end)

    def _pieces_of(self, begin: int, end: int, deep: int) -> list[tuple[int, int]]:
        """The pieces of what is declared there, asked once; none of what is made of itself, or is very long."""
        if begin not in self._pieces_at:
            self._pieces_at[begin] = []
            pieces = self._pieces(begin, end, deep) if end - begin <= LONGEST else []
            self._pieces_at[begin] = pieces if len(pieces) <= _MOST_PIECES else []
        return self._pieces_at[begin]

    def _concatenated(self, begin: int, end: int) -> list[tuple[int, int]]:
        """What calls of `concat` join, one behind the other; the expression itself where none does."""
        further: list[tuple[int, int]] = []
        while end - begin <= LONGEST:
            calls = _CONCAT.finditer(self.code, begin, end)
            call = next((each for each in calls if self.matching(each.end() - 1, end) == end - 1), None)
            if call is None:
                break
            further = [*self.parts(call.end(), end - 1), *further]
            begin, end = self.bare(begin, call.start())
        is_empty = further and self.source[begin:end] in ('""', "''")
        return further if is_empty else [(begin, end), *further]

    def _joined(self, places: list[tuple[int, int]]) -> str | None:
        pieces = [self._piece(*place) for place in places]
        if not pieces or pieces[0] is None:
            return None
        return "".join(UNKNOWN if piece is None else piece for piece in pieces)

    def _piece(self, begin: int, end: int) -> str | None:
        begin, end = self.bare(begin, end)
        # What is made of itself by another function (`a = a.trim()`) is asked at the same place again.
        told = self._told(~end, lambda: self._converted(begin, end))
        if told is not None:
            return told
        if self.texts.get(begin) == end - 1:
            return self._told(~end, lambda: self._filled(begin + 1, end - 1))
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
        calls = KEEPS.finditer(self.code, begin, end) if end - begin <= LONGEST else ()
        kept = next((each for each in calls if self.matching(each.end() - 1, end) == end - 1), None)
        if kept is None:
            return None
        told = self.text(begin, kept.start())
        return told if told is None else self._replaced(told, kept)

    def _replaced(self, told: str, call: re.Match[str]) -> str:
        """Behind `.replace("<id>", id)`, which fills in what an address leaves open."""
        given = self.parts(call.end(), self.matching(call.end() - 1))
        if "replace" not in call[0] or len(given) != _REPLACES:
            return told
        place = self.bare(*given[0])
        sought = _PATTERN.fullmatch(self.source[slice(*place)])
        old = re.sub(r"\\(.)", r"\1", sought[1]) if sought else self.text(*place)
        new = self.text(*given[1])
        return told.replace(old, UNKNOWN if new is None else new) if old else told

    def _named(self, written: str, at: int) -> str | None:
        """What a name holds, or a member of an object that is written out. at: where it is said, for what an object has of its own."""
        if _NAME.fullmatch(written):
            return self._constant(written, at)
        own = _OWN.fullmatch(written)
        if own is not None:
            return self._field(own[1], at)
        found = self._member(written, at) if _MEMBER.fullmatch(written) else None
        return None if found is None else self._once(found[0], lambda: self._piece(*found))

    def _member(self, written: str, at: int) -> tuple[int, int] | None:
        """Where a member of an object stands, or of one within it: `paths.items.one`."""
        name, *further = re.split(r"\s*+\.\s*+", written)
        place = self._object(name, at)
        for each in further:
            place = self.members(*place).get(each) if place else None
        return place

    def _constant(self, name: str, at: int) -> str | None:
        """The text that a name is declared as, as the beginning of all addresses often is."""
        place = self.scopes.value_of(name, at)
        if place is None:
            return None
        otherwise = _OR_ELSE.match(self.code, place)
        place = otherwise.end() if otherwise else place
        return self._once(place, lambda: self.written_out(place))

    def _object(self, name: str, at: int) -> tuple[int, int] | None:
        """Where the object stands that a name is declared as, or what is made of one to be sent."""
        # `a=a.b` is declared as what it is itself asked for.
        if (name, at) in self._seeking or len(self._seeking) >= _DEEPEST:
            return None
        self._seeking.add((name, at))
        place = self._declared_at(name, at) or self._own_at(name, at)
        found = self._made_at(*place) if place is not None else None
        self._seeking.discard((name, at))
        return found

    def _made_at(self, begin: int, end: int) -> tuple[int, int] | None:
        opened = _MADE.match(self.code, begin)
        if opened is not None:
            return begin, self.matching(opened.end() - 1, min(len(self.code), begin + _LONGEST_OBJECT)) + 1
        begin, end = self.bare(begin, end)
        return self._object(self.source[begin:end], begin) if end - begin <= _LONGEST_NAME else None

    def _declared_at(self, name: str, at: int) -> tuple[int, int] | None:
        """Where the expression stands that a name or a member of an object is declared as."""
        if _NAME.fullmatch(name):
            begin = self.scopes.value_of(name, at)
            return None if begin is None else (begin, self.expression(begin))
        return self._member(name, at) if _MEMBER.fullmatch(name) else None

    def _own_at(self, name: str, at: int) -> tuple[int, int] | None:
        """Where the expression stands that a field is set to: of texts `_field` tells, which reads no more than is written out."""
        own = _OWN.fullmatch(name)
        begin = self._field_at(own[1], at) if own is not None else None
        return None if begin is None else (begin, self.expression(begin))

    def _once(self, place: int, tell: Callable[[], str | None]) -> str | None:
        """What is said at a place, asked once. An object that is made of itself holds nothing, and neither does one of a long row."""
        if place not in self._told_at:
            self._told_at[place] = self._told(place, tell)
        return self._told_at[place]

    def _told(self, place: int, tell: Callable[[], str | None]) -> str | None:
        """What is said at a place; None while that is being told already, or much else is."""
        if place in self._telling or len(self._telling) >= _DEEPEST:
            return None
        self._telling.add(place)
        told = tell()
        self._telling.discard(place)
        return told

    def _field(self, name: str, at: int) -> str | None:
        place = self._field_at(name, at)
        return None if place is None else self._told(place, lambda: self.written_out(place))

    def _field_at(self, name: str, at: int) -> int | None:
        """Where it was last set before a place: classes of one bundle call theirs alike."""
        if not self._fields:
            for found in _FIELD.finditer(self.code):
                self._fields.setdefault(found[1], []).append(found.end())
            for defined in _DEFINED.finditer(self.source):
                self._fields.setdefault(defined["name"], []).append(defined.end())
        return max((each for each in self._fields.get(name, ()) if each < at), default=None)

    def _filled(self, begin: int, end: int) -> str:
        """A text, or a template with what its holes hold."""
        found, place = [], begin
        for first, last in self.holes(begin, end):
            told = self.text(first, last)
            found += [unescaped(self.source[place : first - 2]), UNKNOWN if told is None else told]
            place = last + 1
        return "".join([*found, unescaped(self.source[place:end])])

    def meant(self, begin: int, end: int) -> tuple[int, int]:
        """Where what is declared with this name stands, an object or what is made of one to be sent; else the expression itself."""
        begin, end = self._likeliest(*self.bare(begin, end))
        named = self._object(self.source[begin:end], begin) if end - begin <= _LONGEST_NAME else None
        return named or (begin, end)

    def is_nothing(self, begin: int, end: int) -> bool:
        """Whether an expression is, or is declared as, no value at all: what is sent then is no body."""
        begin, end = self.bare(begin, end)
        declared = self._declared_at(self.source[begin:end], begin) if end - begin <= _LONGEST_NAME else None
        return self.source[slice(*self.bare(*(declared or (begin, end))))] in _NOTHING

    def _likeliest(self, begin: int, end: int) -> tuple[int, int]:
        """Of `given ? {…} : undefined` what is sent where there is something to send."""
        if end - begin > LONGEST or _CHOICE.search(self.code, begin, end) is None:
            return begin, end
        if (asked := self.parts(begin, end, "?"))[1:] and self.code[asked[1][0]] not in ".?":
            branches = self.parts(asked[1][0], end, ":")
            if branches[1:]:
                first, other = branches[0], (branches[1][0], end)
                return self.bare(*(other if self.is_nothing(*first) else first))
        return begin, end

    def _unwrapped(self, begin: int, end: int) -> tuple[int, int]:
        """What `new FormData(…)` is made of, or `new Headers(…)`."""
        made = _MADE_OF.match(self.source, begin, end)
        closed = made is not None and self.matching(made.end() - 1, end) == end - 1
        return self.bare(made.end(), end - 1) if made is not None and closed else (begin, end)

    def _assigned(self, begin: int, end: int) -> tuple[int, int]:
        """The first object of `Object.assign({…}, further)`, which is the one that is written out."""
        begin, end = self.bare(begin, end)
        made = _ASSIGN.match(self.source, begin, end)
        parts = self.parts(made.end(), self.matching(made.end() - 1)) if made else []
        return parts[0] if parts else (begin, end)


@lru_cache(maxsize=2)
def script_of(code: str) -> Script:
    """A bundle takes long to read, and is handed to one reader after the other: as it is, and with its objects filled."""
    return Script(code)


def _pairs(value: dict[str, Value]) -> list[tuple[str, str]]:
    return [(name, each if isinstance(each, str) else json.dumps(each)) for name, each in value.items()]
