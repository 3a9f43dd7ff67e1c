"""Two messages side by side, with what differs marked: whole lines first, then the words inside a changed line."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

Piece = tuple[str, bool]

# Beyond these a diff takes longer than a reader would; the texts are then shown unmarked.
MOST_LINES = 800
MOST_LINE = 4000
_WORD = re.compile(r"\w+|\s+|[^\w\s]")


def sides(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces; the second part of a piece says whether the other text lacks it."""
    left, right = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if max(len(left), len(right)) > MOST_LINES:
        return [(old, False)], [(new, False)]
    before: list[Piece] = []
    after: list[Piece] = []
    for tag, start, end, other_start, other_end in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        ours, theirs = "".join(left[start:end]), "".join(right[other_start:other_end])
        if tag == "equal":
            before.append((ours, False))
            after.append((theirs, False))
        elif tag == "replace" and len(ours) <= MOST_LINE and len(theirs) <= MOST_LINE:
            for left_word, right_word, is_marked in _words(ours, theirs):
                before.append((left_word, is_marked))
                after.append((right_word, is_marked))
        else:
            before.append((ours, True))
            after.append((theirs, True))
    return _joined(before), _joined(after)


def _words(text: str, other: str) -> Iterator[tuple[str, str, bool]]:
    """Both texts in pairs of pieces, those marked in which they differ; aligned once, so that both sides agree."""
    ours, theirs = _WORD.findall(text), _WORD.findall(other)
    for tag, start, end, other_start, other_end in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        yield "".join(ours[start:end]), "".join(theirs[other_start:other_end]), tag != "equal"


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Neighbours of one kind as one piece, empty ones left out."""
    joined: list[Piece] = []
    for text, is_marked in pieces:
        if joined and text and joined[-1][1] == is_marked:
            joined[-1] = (joined[-1][0] + text, is_marked)
        elif text:
            joined.append((text, is_marked))
    return joined
