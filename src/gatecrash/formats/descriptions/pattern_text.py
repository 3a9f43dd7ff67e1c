"""A text that fits a regular expression: the shortest that a simple reading of it gives, checked before it is used.

Reads what schemas write: classes, groups, alternatives, repetitions. Looking around and back is not read.
"""

import re
import warnings
from itertools import count

MOST = 4096


class _Unfit(Exception):
    """The expression holds what is not read here."""


def fitting(pattern: str, least: int = 0) -> str | None:
    """A text with `least` characters or more that the pattern (JSON Schema: a search, not anchored) accepts, or None."""
    try:
        with warnings.catch_warnings(action="ignore"):  # `[[` may mean something else one day
            compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None
    for extra in count():
        try:
            text = _Reading(pattern, extra).alternatives()
        except (_Unfit, IndexError, RecursionError):
            return None
        if len(text) >= least or extra > least:
            return text if len(text) >= least and compiled.search(text) else None
    return None


class _Reading:
    """One walk over the pattern. extra: repetitions beyond the least, where more are allowed."""

    def __init__(self, pattern: str, extra: int) -> None:
        self._pattern = pattern
        self._extra = extra
        self._at = 0

    def alternatives(self) -> str:
        """The first alternative; the others are read and dropped."""
        first = self._sequence()
        while self._peek() == "|":
            self._at += 1
            self._sequence()
        return first

    def _peek(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _next(self) -> str:
        self._at += 1
        return self._pattern[self._at - 1]

    def _sequence(self) -> str:
        parts: list[str] = []
        while self._peek() not in ("", "|", ")"):
            piece = self._piece()
            least, most = self._repetitions()
            parts.append(piece * min(most, least + (self._extra if most > 1 or least == 0 else 0), MOST))
            if sum(map(len, parts)) > MOST:
                raise _Unfit
        return "".join(parts)

    def _piece(self) -> str:
        sign = self._next()
        if sign in "^$":
            return ""
        if sign == ".":
            return "a"
        if sign == "[":
            return self._class()
        if sign == "(":
            return self._group()
        return self._escaped() if sign == "\\" else sign

    def _group(self) -> str:
        if self._peek() == "?":
            self._at += 1
            sign = self._next()
            if sign == "P" or (sign == "<" and self._peek() not in ("=", "!")):
                self._at = (
                    self._pattern.index(">", self._at) + 1 if ">" in self._pattern[self._at :] else len(self._pattern)
                )
            elif sign != ":":
                raise _Unfit
        inside = self.alternatives()
        if self._next() != ")":
            raise _Unfit
        return inside

    def _escaped(self) -> str:
        sign = self._next()
        if sign in "bBAZz":
            return ""
        if sign.isdigit() or sign in "kpPuxc":
            raise _Unfit
        return _CLASSES.get(sign, sign)

    def _class(self) -> str:
        begin = self._at
        end = begin + (self._pattern[begin : begin + 1] == "^")
        end += self._pattern[end : end + 1] == "]"  # the first sign of a class may be its end without ending it
        while self._pattern[end] != "]":
            end += 2 if self._pattern[end] == "\\" else 1
        self._at = end + 1
        with warnings.catch_warnings(action="ignore"):
            one = re.compile(self._pattern[begin - 1 : end + 1])
        fits = next((sign for sign in _TRIED if one.fullmatch(sign)), None)
        if fits is None:
            raise _Unfit
        return fits

    def _repetitions(self) -> tuple[int, int]:
        sign = self._peek()
        if sign in ("*", "+", "?") and sign:
            self._at += 1
            least, most = {"*": (0, MOST), "+": (1, MOST), "?": (0, 1)}[sign]
        elif found := re.compile(r"\{(\d*)(,?)(\d*)\}").match(self._pattern, self._at):
            self._at = found.end()
            least = int(found[1] or 0)
            most = int(found[3]) if found[3] else (MOST if found[2] else least)
        else:
            return 1, 1
        if self._peek() in ("?", "+") and self._peek():
            self._at += 1
        return least, most


_CLASSES = {"d": "1", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a", "n": "\n", "t": "\t", "r": "\r"}
_TRIED = ["a", "A", "1", "0", *(chr(code) for code in range(33, 127)), " ", "é"]
