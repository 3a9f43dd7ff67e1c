"""Where a page's own script writes what the address holds into the page, with nothing in between (DOM-based scripting),
or goes there.

The script is read, not run, and only what leaves no doubt counts: an expression of concatenations, of methods that cut a
text, and of functions that undo escapes, from the address to a place where markup or code is read, which may stand in a function
of the script (`handed_on`). Any other function may
clean what it is given, any comparison may be a check, and any other use of the variable may be either: none of these is a flow.
"""

import re
from itertools import islice
from typing import NamedTuple

from gatecrash.core.testing.oracles.scripts.handed_on import handed_on
from gatecrash.core.testing.oracles.scripts.script import CODE, DOUBLE, REGEX, SINGLE, TEMPLATE, spans

LONGEST = 300_000
_SOURCE = re.compile(
    r"(?:(?:window|self|top|document|globalThis)\.)*location\.(?:href|hash|search)|(?:window\.)?document\.(?:URL|documentURI)"
    r"|(?:window|self)\.name"
)
# Whoever opens a window calls it as he likes, and browsers escape nothing there.
_CALLED_SO = re.compile(r"\b(?:window|self)\.name\b")
# An object that stands for its text: `new URL(location)`, `new URL(document.location, base)`.
_WHOLE = re.compile(r"\bnew\s+URL\s*\(\s*(?:(?:window|self|top|document|globalThis)\.)*location(?=\s*[,)])")
# Browsers escape what markup is made of in these (WHATWG URL, section 1.3), until one of the functions undoes it.
_DECODING = frozenset({"decodeURIComponent", "decodeURI", "unescape"})
_CUTTING = frozenset({"substring", "substr", "slice", "split", "trim", "toString", "pop", "shift", "concat", "at"})
# Of these the first sign falls away, a question mark or a hash.
_SHORTENING = frozenset({"substring", "substr", "slice", "split"})
# Cut so, it still begins as before: `slice(0, 9)`, `split("&")[0]`.
_KEEPS_FIRST = re.compile(r"\(\s*0\s*[,)]|\([^()]*\)\s*(?:\[\s*0\s*\]|\.shift\s*\(|\.at\s*\(\s*0\s*\))")
_MARKUP = re.compile(
    r"\.(?:inner|outer)HTML\s*\+?=(?!=)|(?<![\w$.])(?:window\.)?document\.write(?:ln)?\s*\(|\.insertAdjacentHTML\s*\(\s*\"\d+\"\s*,"
    r"|(?<![\w$.])(?:\$|jQuery)\(\"\d+\"\)\.html\s*\("
)
_CALLED = re.compile(r"(?:inner|outer)HTML|document\.write|insertAdjacentHTML|\bhtml\b|eval")
_RUN = re.compile(r"(?<![\w$.])eval\s*\(")
_WRITES = re.compile(rf"{_MARKUP.pattern}|{_RUN.pattern}")
_GONE_TO = re.compile(
    r"(?<![\w$.])(?:(?:window|self|top|parent|document|globalThis)\.)*location(?:(?:\.href)?\s*=(?!=)|\.(?:assign|replace)\s*\()"
)
_ASSIGNED = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*)\s*(?:\+=|=(?![=>]))")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_STRING = re.compile(r"\"(\d+)\"")
_GAP = re.compile(r"\s*")
_JOINS = re.compile(r"\+(?![+=])|\|\||\?\?")
_ENDS = re.compile(r"[;),}\]]|\Z")
# A pattern that cuts a parameter out, whatever it holds: `/next=([^&]*)/`. In its place stands a text of its own.
_CUTS_OUT = re.compile(r"(?:[^()]|\(\?:[^()]*\))*?=\((?:\[\^[&#;]{1,3}\]|\.)[*+]\??\)(?:[^()]|\([^()]*\))*")
_FLAGS, _CUT_OUT = re.compile(r"[a-z]*"), '"8888888"'
# A check of the address itself, and of where the page runs.
_CHECKED = re.compile(
    r"(?<!\"8888888\")\.(?:test|exec|match)\s*\([^;]{0,200}?\blocation\b"
    r"|\blocation\b[^;]{0,100}?\.(?:indexOf|includes)\s*\(\s*\"9999999\""
    r"|\b(?:window|self)\.name\s*(?:[=!]==?|\.(?!slice|substr|split|trim))"
)
_PLACE = re.compile(r"\blocation\.(?:host|hostname|origin)\b")
_PUT_BEHIND = re.compile(r"\s*\+(?![+=])|\)\+\"")
_COMPARED = re.compile(
    r"(?:[=!]==?|(?:With|[iI]ndexOf|includes|test|match|exec|has)\s*\()[\s(]*(?:\"\d+\"[\s+(]*)*(?:\w+\.)*\Z"
)
_BEFORE = 60
# A check where nothing is kept in a variable. To look for markup says nothing of where an address leads, this does.
_LOOKED_AT = re.compile(r"\blocation\b[^;]{0,100}?\.(?:starts|ends)With\s*\(")
# In the place of the name of an event.
MESSAGE = 7_777_777
# In the place of a text that speaks of markup: to look for it in the address is a check.
_OF_MARKUP, _ANGLE = 9_999_999, re.compile(r"[<>]|script", re.IGNORECASE)
_HARMLESS = re.compile(r"(?:if\s*\(\s*!?|(?:encodeURIComponent|console\.log)\s*\(\s*)\Z")
_PRESENT = re.compile(r"\s*(?:\)|[!=]==?\s*(?:null|undefined|\"0\")\s*\)|\.length\s*(?:>\s*0\s*)?\))")
_ADDRESS = re.compile(r"\blocation\b|document\.URL|documentURI|\b(?:window|self)\.name\b")
_AHEAD = 300
_MOST_ASSIGNED, _MOST_OF_ONE = 5_000, 10
_MOST_SINKS, _DEEPEST = 100, 20
# One variable is made of another.
_MOST_STEPS = 3


class Flow(NamedTuple):
    """source: what of the address is written. sink: by what."""

    source: str
    sink: str


class _Held(NamedTuple):
    """What an expression holds. source: of the address, empty for none of it. decoded: its escapes are undone. parts: an object
    that gives single parameters out, decoded. literal: texts and numbers alone. led: it begins with what anybody may choose: a
    parameter, or what was cut out of the address.
    """

    source: str = ""
    decoded: bool = False
    parts: bool = False
    literal: bool = False
    led: bool = False


class _Unread(Exception):
    """The expression is none of those that are read."""


def flow(code: str) -> Flow | None:
    """The first flow of a script; None where there is none without a doubt."""
    if len(code) > LONGEST or _ADDRESS.search(code) is None:
        return None
    plain = plain_of(code)
    return None if _is_checked(plain) else markup_flow(handed_on(plain, _WRITES))


def markup_flow(plain: str) -> Flow | None:
    """The first flow into markup, or into what is run, of a plain script whose checks of the address were looked for."""
    reader = _Reader(plain)
    for pattern, wants_decoded in ((_MARKUP, True), (_RUN, False)):
        for sink in islice(pattern.finditer(plain), _MOST_SINKS):
            held = reader.held_at(sink.end())
            if held is not None and held.source and (held.decoded or not wants_decoded) and not held.parts:
                return Flow(held.source, _CALLED.findall(sink[0])[0])
    return None


def landing_flow(code: str) -> Flow | None:
    """The first address that a script takes out of the page's own and goes to; None where there is none without a doubt."""
    if len(code) > LONGEST or "location" not in code:
        return None
    plain = plain_of(code)
    if _is_checked(plain) or _LOOKED_AT.search(plain):
        return None
    plain = handed_on(plain, _GONE_TO)
    reader = _Reader(plain)
    for sink in islice(_GONE_TO.finditer(plain), _MOST_SINKS):
        held = reader.held_at(sink.end())
        if held is not None and held.source and held.led and not held.parts:
            return Flow(held.source, "location")
    return None


def _is_checked(plain: str) -> bool:
    """Whether a script looks at the address, or at where it runs: what an address is put together of is no check."""
    put_together = (found for found in islice(_PLACE.finditer(plain), _MOST_ASSIGNED) if not _is_part(plain, found))
    return _CHECKED.search(plain) is not None or any(True for _ in put_together)


def _is_part(plain: str, place: re.Match[str]) -> bool:
    """Whether something is put behind the place, and the whole is neither compared nor looked for."""
    before = plain[max(0, place.start() - _BEFORE) : place.start()]
    return _PUT_BEHIND.match(plain, place.end()) is not None and _COMPARED.search(before) is None


def plain_of(code: str) -> str:
    """The code without comments, each text as a number in quotes, and templates as concatenations."""
    pieces: list[str] = []
    for number, span in enumerate(spans(code)):
        text = code[span.begin : span.end]
        if span.kind == CODE:
            flags = _FLAGS.match(text) if pieces[-1:] == [_CUT_OUT] else None
            pieces.append(text[flags.end() :] if flags else text)
        elif span.kind in (SINGLE, DOUBLE):
            pieces.append(f'"{MESSAGE if text == "message" else _number(text, number)}"')
        elif span.kind == REGEX:
            pieces.append(_CUT_OUT if _CUTS_OUT.fullmatch(text) else " _pattern_ ")
        elif span.kind == TEMPLATE:
            opens = "(" if code[span.begin - 1] == "`" else ")+"
            pieces.append(f'{opens}"{number}"{"+(" if code.startswith("${", span.end) else ")"}')
        else:
            pieces.append(" ")
    return _WHOLE.sub(r"\g<0>.href", "".join(pieces))


def _number(text: str, number: int) -> int:
    return _OF_MARKUP if _ANGLE.search(text) else number + 1 if text else 0


class _Reader:
    """Reads the expressions of one script. names: variables that hold something of the address, and nothing else ever."""

    def __init__(self, plain: str) -> None:
        """Find the variables."""
        self.plain = plain
        self.names: dict[str, _Held] = {}
        self._read: list[tuple[int, int]] = []
        self._depth = 0
        assigned: dict[str, list[int]] = {}
        for found in islice(_ASSIGNED.finditer(plain), _MOST_ASSIGNED):
            assigned.setdefault(found[1], []).append(found.end())
        # Where one is checked, so may be what is made of it: what is left is found anew without it.
        otherwise: set[str] = set()
        for _ in range(_MOST_STEPS + 1):
            self._find({name: places for name, places in assigned.items() if name not in otherwise})
            dropped = {name for name in self.names if not self._is_only_passed_on(name)}
            if not dropped:
                return
            otherwise |= dropped
        self.names = {}

    def _find(self, assigned: dict[str, list[int]]) -> None:
        """The variables that hold something of the address, and what is read of it."""
        self.names, self._read = {}, []
        for _ in range(_MOST_STEPS):
            for name, places in assigned.items():
                if name not in self.names and len(places) <= _MOST_OF_ONE and any(map(self._may_hold, places)):
                    self._learn(name, [self.held_at(place) for place in places])
        for pattern in (_MARKUP, _RUN, _GONE_TO):
            for sink in islice(pattern.finditer(self.plain), _MOST_SINKS):
                self.held_at(sink.end())

    def _may_hold(self, place: int) -> bool:
        """Whether the address, or a variable that holds something of it, is named soon behind."""
        ahead = self.plain[place : place + _AHEAD]
        return _ADDRESS.search(ahead) is not None or any(name in ahead for name in self.names)

    def _learn(self, name: str, held: list[_Held | None]) -> None:
        told = [each for each in held if each is not None and each.source]
        sure = all(each is not None and (each.source or each.literal) for each in held)
        if told and sure and len({each.parts for each in told}) == 1:
            decoded, led = all(each.decoded for each in told), all(each.led for each in told)
            self.names[name] = _Held(told[0].source, decoded, told[0].parts, led=led)

    def held_at(self, place: int) -> _Held | None:
        """What the expression there holds; None where it is not read."""
        self._depth = 0
        try:
            held, end = self._joined(place)
        except _Unread:
            return None
        if held.source:
            self._read.append((place, end))
        return held

    def _is_only_passed_on(self, name: str) -> bool:
        """Whether the variable is no function's parameter, and nowhere compared with anything or handed to anybody."""
        word = re.escape(name)
        if re.search(
            rf"(?:function\b[^()]{{0,80}}|catch\s*)\([^()]{{0,200}}(?<![\w$]){word}(?![\w$])|(?<![\w$]){word}\s*=>|\([^()]{{0,200}}(?<![\w$]){word}(?![\w$])[^()]{{0,200}}\)\s*=>",
            self.plain,
        ):
            return False
        for found in re.finditer(rf"(?<![\w$.]){word}(?![\w$])", self.plain):
            after = self.plain[found.end() : found.end() + 40]
            if re.match(r"\s*(?:\+?=(?!=)|[;,])", after) or any(
                begin <= found.start() < end for begin, end in self._read
            ):
                continue
            if not (_HARMLESS.search(self.plain[max(0, found.start() - 40) : found.start()]) and _PRESENT.match(after)):
                return False
        return True

    def _joined(self, place: int) -> tuple[_Held, int]:
        """Values put together."""
        held, place = self._value(place)
        while True:
            gap = self._skip(place)
            joins = _JOINS.match(self.plain, gap)
            if joins is None:
                if not _ENDS.match(self.plain, gap) and "\n" not in self.plain[place:gap]:
                    raise _Unread
                return held, place
            other, place = self._value(joins.end())
            held = _both(held, other)

    def _value(self, place: int) -> tuple[_Held, int]:
        place = self._skip(place)
        if self.plain.startswith("(", place):
            held, place = self._within(place)
            return self._followed(held, "", place)
        if self.plain.startswith(_CUT_OUT + ".exec(", place):
            held, place = self._within(place + len(_CUT_OUT + ".exec"))
            return self._followed(_cut_out(held), "", place)
        if text := _STRING.match(self.plain, place):
            return self._followed(_Held(literal=True), "", text.end())
        if number := re.compile(r"\d+(?:\.\d+)?").match(self.plain, place):
            return _Held(literal=True), number.end()
        name = _NAME.match(self.plain, place)
        if name is None:
            raise _Unread
        if name[0] == "new":
            made = _NAME.match(self.plain, self._skip(name.end()))
            if made is None or made[0] not in ("URLSearchParams", "URL"):
                raise _Unread
            held, place = self._within(self._skip(made.end()))
            return self._followed(_Held(held.source, decoded=True, parts=True) if held.source else held, "", place)
        if name[0] in ("null", "undefined"):
            return _Held(literal=True), name.end()
        return self._followed(self.names.get(name[0], _Held()), name[0], name.end())

    def _within(self, place: int) -> tuple[_Held, int]:
        """What stands in parentheses, and the place behind them; several arguments are put together."""
        self._depth += 1
        if not self.plain.startswith("(", place) or self._depth > _DEEPEST:
            raise _Unread
        place = self._skip(place + 1)
        held: _Held | None = None
        while not self.plain.startswith(")", place):
            other, place = self._joined(place)
            held = other if held is None else _both(held, other)
            place = self._skip(place)
            if self.plain.startswith(",", place):
                place = self._skip(place + 1)
            elif not self.plain.startswith(")", place):
                raise _Unread
        self._depth -= 1
        return held or _Held(literal=True), place + 1

    def _followed(self, held: _Held, path: str, place: int) -> tuple[_Held, int]:
        """A value with its members, calls and subscripts."""
        while True:
            sign = self.plain[place : place + 1]
            if sign == "." and (name := _NAME.match(self.plain, place + 1)):
                place = name.end()
                path = f"{path}.{name[0]}" if path else ""
                if self.plain.startswith("(", place):
                    shortens = name[0] in _SHORTENING and not _KEEPS_FIRST.match(self.plain, place)
                    cuts_out = name[0] == "match" and self.plain.startswith(f"({_CUT_OUT})", place)
                    given, place = self._within(place)
                    if given.source:
                        raise _Unread
                    held, path = _cut_out(held) if cuts_out else _called(held, name[0], given, shortens=shortens), ""
                elif path and _SOURCE.fullmatch(path):
                    held, path = _Held(path, decoded=_CALLED_SO.fullmatch(path) is not None), ""
                elif held.source and not (held.parts and name[0] == "searchParams"):
                    held = _Held()
            elif sign == "(":
                given, place = self._within(place)
                decodes = path.removeprefix("window.") in _DECODING
                if given.source and (given.parts or not decodes):
                    raise _Unread
                held, path = (given._replace(decoded=True) if given.source else _Held()), ""
            elif sign == "[":
                end = self.plain.find("]", place)
                if end < 0:
                    raise _Unread
                held, path, place = (_Held() if held.parts else held._replace(literal=False)), "", end + 1
            else:
                return held, place

    def _skip(self, place: int) -> int:
        found = _GAP.match(self.plain, place)
        return found.end() if found else place


def _cut_out(held: _Held) -> _Held:
    """What a pattern cuts out of a text: a parameter of the address."""
    return held._replace(literal=False, led=True) if held.source and not held.parts else _Held()


def _called(held: _Held, name: str, given: _Held, *, shortens: bool) -> _Held:
    """What a method gives of what it is called on. shortens: the first sign falls away."""
    if held.parts:
        return _Held(held.source, decoded=True, led=True) if name == "get" else _Held()
    return (
        held._replace(literal=False, led=held.led or (shortens and held.source.endswith(("hash", "search"))))
        if held.source and name in _CUTTING and (given.literal or name == "substring")
        else _Held()
    )


def _both(one: _Held, other: _Held) -> _Held:
    if one.parts or other.parts:
        return _Held()
    if one.source and other.source:
        return (one if one.decoded else other)._replace(led=one.led)
    return (
        one
        if one.source
        else other._replace(led=False)
        if other.source
        else _Held(literal=one.literal and other.literal)
    )
