"""Texts that an expression is slow with, if it is with any: derived from the expression itself.

An expression that reads a text again from each of its places, or goes back over what it has read, does so where its own
beginnings come again and again, or where what it repeats never ends. So of each expression every beginning is written
out, and what it may repeat, in some of the ways that fit; then it is repeated up to the length wanted.
"""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_ONE = (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN)
_USUAL = "a1 -_.:/=&\"'<>(){}[],;\n\tA$@#%|\\!?+*~`^"
_BEHIND = ("", "\n", " ", "x", '"', "<", "\x01")
_ROUNDS, _MOST_OF_A_KIND = 3, 24


class Shape(NamedTuple):
    """before: once, or each time where `again` is set. repeated: up to the length. A sign ends it that fits nowhere."""

    before: str
    repeated: str
    again: bool

    def text(self, length: int) -> str:
        """As long as that, or as what stands before."""
        if not self.again:
            return self.before + self.repeated * (length // len(self.repeated)) + "\x01"
        block = self.before + self.repeated * 20
        return (block * (length // len(block) + 1))[: max(length, len(block))]


def shapes(pattern: re.Pattern[Any]) -> list[Shape]:
    """Those of one expression, the same ones each time."""
    draw = random.Random(repr(pattern.pattern))
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    found: dict[Shape, None] = {}
    signs: dict[str, None] = {}
    for _ in range(_ROUNDS):
        for before, repeated in _beginnings(tree, "", draw, signs):
            if repeated:
                found[Shape(before, repeated, again=False)] = found[Shape(before, repeated, again=True)] = None
            elif before:
                found[Shape("", before + draw.choice(_BEHIND), again=False)] = None
    chosen = list(found)
    draw.shuffle(chosen)
    alone = [Shape("", sign, again=False) for sign in signs]
    return alone[:_MOST_OF_A_KIND] + chosen[: 2 * _MOST_OF_A_KIND]


def _beginnings(tree: Any, before: str, draw: random.Random, signs: dict[str, None]) -> Iterator[tuple[str, str]]:
    """Each beginning; and with each of those what may come many times behind it."""
    for code, value in tree:
        if code in _ONE:
            signs.update(dict.fromkeys(draw.sample(fitting := _fitting(code, value), min(3, len(fitting)))))
        elif code in _REPEATS:
            _least, most, body = value
            if most >= 10:
                yield before, _sample(body, draw)
            yield from _beginnings(body, before, draw, signs)
        else:
            for inner in _inner(code, value):
                yield from _beginnings(inner, before, draw, signs)
        before += _written(code, value, draw)
        yield before, ""


def _inner(code: Any, value: Any) -> list[Any]:
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    return [value] if code is codes.ATOMIC_GROUP else []


def _sample(tree: Any, draw: random.Random) -> str:
    return "".join(_written(code, value, draw) for code, value in tree)


def _written(code: Any, value: Any, draw: random.Random) -> str:
    """One way to write a part of an expression."""
    if code in _ONE:
        return draw.choice(_fitting(code, value))
    if code in _REPEATS:
        least, most, body = value
        return "".join(_sample(body, draw) for _ in range(draw.randint(least, min(int(most), least + 2))))
    inner = [] if code in (codes.ASSERT, codes.ASSERT_NOT) else _inner(code, value)
    return _sample(draw.choice(inner), draw) if inner else ""


def _fitting(code: Any, value: Any) -> Sequence[str]:
    """The characters that fit: usual ones, and those that it names."""
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.ANY:
        return [sign for sign in _USUAL if sign != "\n"]
    if code is codes.NOT_LITERAL:
        return [sign for sign in _USUAL if ord(sign) != value]
    return _fitting_in(tuple(value))


@cache  # a set is asked for each time that a way to write it is drawn, and most expressions share a few
def _fitting_in(named: tuple[Any, ...]) -> Sequence[str]:
    told = [one[1] if one[0] is codes.LITERAL else one[1][0] for one in named if one[0] in (codes.LITERAL, codes.RANGE)]
    return [sign for sign in (*_USUAL, *map(chr, told)) if _is_in(ord(sign), named)] or ["x"]


def _is_in(sign: int, named: Any) -> bool:
    opposite = any(code is codes.NEGATE for code, _ in named)
    return any(_fits(sign, code, value) for code, value in named) != opposite


def _fits(sign: int, code: Any, value: Any) -> bool:
    if code is codes.LITERAL:
        return bool(sign == value)
    if code is codes.RANGE:
        return bool(value[0] <= sign <= value[1])
    return code is codes.CATEGORY and _CATEGORIES[value].match(chr(sign)) is not None


_CATEGORIES = {
    codes.CATEGORY_DIGIT: re.compile(r"\d"),
    codes.CATEGORY_NOT_DIGIT: re.compile(r"\D"),
    codes.CATEGORY_SPACE: re.compile(r"\s"),
    codes.CATEGORY_NOT_SPACE: re.compile(r"\S"),
    codes.CATEGORY_WORD: re.compile(r"\w"),
    codes.CATEGORY_NOT_WORD: re.compile(r"\W"),
}
