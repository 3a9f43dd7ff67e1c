"""What pages and texts say, part by part: the tags and the texts of a page, the lines of a text.

The pages of an application have most of their parts in common (navigation, scripts, forms), and an answer to a payload has
nearly all of them in common with the one before. So each part is read once and remembered, within a bound.
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final

Fact = tuple[str, str]
Group = tuple[Fact, ...]
"""The facts of one value: one for each time that it is said."""

BETWEEN: Final = "\x00"
MOST_FACTS: Final = 20_000
_LONGEST_FACT: Final = 1_000
# A page is cut before each tag, and a tag with the text behind it is remembered as one.
_MOST_TAGS: Final = MOST_FACTS // 2
_MOST_HELD: Final = 4_000_000
_ALSO_HELD: Final = 200
# Where a tag begins: any other such sign is text.
_BEFORE_TAG = re.compile(r"<(?=[^<>]*>)")
# Text is without case where this is looked for. A digit first, and before any alternative, so that only places with one are tried.
_TIME = re.compile(
    r"\d(?:\d{3}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?"
    r"|(?<!\d\d)\d:\d\d:\d\d(?:\.\d+)?|(?<=1)(?<!\d1)[5-9]\d{8}(?:\d{3})?(?!\d)(?:\.\d+)?)"
)


# HTML, 13.1.4: the same sign of an attribute has several references, and each library its own of them (`&#39;`, `&#039;`, `&#x27;`).
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{1,31}\d*);")


class Part:
    """One part as pages say it, however its white space is written. plain: shortened and without case.

    once: its fact on a page that says it one time, as most are said.
    """

    __slots__ = ("_group", "_kind", "_said", "once", "plain")

    def __init__(self, kind: str, value: str) -> None:
        self.plain, self._said = _plain(value)
        self._kind = kind
        self.once: Group = ((f"{kind} 1", self._said),)
        self._group: Group = self.once

    def said(self, times: int) -> Group:
        """Its facts on a page that says it so many times: equal parts are told apart by their count, so that one row fewer
        is one fact fewer.
        """
        group = self._group
        if len(group) < times:
            more = [(f"{self._kind} {number}", self._said) for number in range(len(group) + 1, times + 1)]
            group = self._group = (*group, *more)
        return group if times == len(group) else group[:times]


class _Pieces(dict[str, tuple[Part, ...]]):
    """The parts of each piece of a text; one that is not known is read. A dictionary: pages have hundreds of pieces, and all but
    a few are known.
    """

    def __init__(self, read: Callable[[str], tuple[Part, ...]]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, piece: str) -> tuple[Part, ...]:
        global _held
        parts = self[piece] = self._read(piece)
        _held += len(piece) + _ALSO_HELD
        return parts


# By what it says.
_parts: dict[tuple[str, str], Part] = {}
_values: dict[str, tuple[str, str]] = {}
_held = 0


def plain_values(values: Iterable[str]) -> list[tuple[str, str]]:
    """Each value shortened and without case, and then with its times told as that alone; a document's values come again, too."""
    global _held
    _make_room()
    found: list[tuple[str, str]] = []
    for value in values:
        known = _values.get(value)
        if known is None:
            known = _values[value] = _plain(value)
            _held += len(value) + _ALSO_HELD
        found.append(known)
    return found


def _plain(value: str) -> tuple[str, str]:
    shortened = value.replace(BETWEEN, " ")[:_LONGEST_FACT].casefold()
    return shortened, masked(shortened)


def masked(text: str) -> str:
    """A text without case, what it says of the time told as that alone."""
    return _TIME.sub("<time>", text)


def parts_of_page(text: str) -> dict[Part, int]:
    """The tags and the texts between them, with how often each is there."""
    first, *tags = _BEFORE_TAG.split(text)
    counts = _counted(tags[:_MOST_TAGS], _tags)
    if first.strip():
        part = _text(first)
        counts[part] = counts.get(part, 0) + 1
    return counts


def parts_of_text(text: str) -> dict[Part, int]:
    """The lines, without what is around them, with how often each is there."""
    lines = [line for line in text.splitlines() if line.strip()]
    return _counted(lines[:MOST_FACTS], _lines)


def _counted(pieces: Iterable[str], known: _Pieces) -> dict[Part, int]:
    _make_room()
    return Counter(chain.from_iterable(map(known.__getitem__, pieces)))


def _make_room() -> None:
    """Called before a page is read, and not within: equal parts of one page are one."""
    global _held
    if _held > _MOST_HELD:
        for each in (_tags, _lines, _parts, _values):
            each.clear()
        _held = 0


def _of_tag(piece: str) -> tuple[Part, ...]:
    """The tag that a piece begins with, without its first sign, and the text behind it where there is any."""
    tag, _, text = piece.partition(">")
    if "&" in tag:
        tag = _REFERENCE.sub(_as_usual, tag)
    begun = _part("tag", _spaced(f"<{tag}>"))
    return (begun, _text(text)) if text.strip() else (begun,)


def _as_usual(reference: re.Match[str]) -> str:
    """A reference as `html.escape` writes it; the sign itself, where that needs none."""
    return html.escape(html.unescape(reference[0]))


def _text(text: str) -> Part:
    said = _spaced(text)
    # A sign that begins no tag, right behind one, is a mistake in the markup.
    return _part("tag", said) if text.startswith("<") else _part("text", html.unescape(said))


def _spaced(text: str) -> str:
    """One space for all white space between two words; the sign between facts, which no fact may hold, is some."""
    return " ".join(text.replace(BETWEEN, " ").split())


def _of_line(line: str) -> tuple[Part, ...]:
    return (_part("line", line.strip()),)


def _part(kind: str, value: str) -> Part:
    part = _parts.get((kind, value))
    if part is None:
        part = _parts[kind, value] = Part(kind, value)
    return part


# By how a part is written: a tag with the text behind it, and a line.
_tags = _Pieces(_of_tag)
_lines = _Pieces(_of_line)
