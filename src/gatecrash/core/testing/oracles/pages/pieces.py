"""What a page is made of, one piece after the other: texts with the element and the column of a table that they stand
in, and tags with what their attributes hold. Two readings of one page are compared by how often each piece stands
there.

pieces(response)                         Counter({Piece("td 3", "locked"): 2, …})
told_apart(readings, others)             the pieces that each of the readings holds more often than each of the others, or less often
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.pages.markup import END, RAW, START, TEXT, Token, tokens
from gatecrash.core.testing.oracles.remembering import remembered

_MOST = 20_000
_CELLS = frozenset({"td", "th"})
# What a script or a style sheet says is no piece that people read.
_READ_RAW = frozenset({"textarea", "title"})


class Piece(NamedTuple):
    """One of them. where: the element, and the column in a row of a table; of other answers the names that lead to it. said: what
    stands there.
    """

    where: str
    said: str


@remembered
def pieces(response: Response) -> "Counter[Piece]":
    """The pieces of an answer with their numbers; a bounded number of them. Read them, and leave them as they are."""
    if "html" not in media_type(response):
        return Counter(Piece(".".join(leaf.path), leaf.value) for leaf in leaves(response)[:_MOST])
    found: Counter[Piece] = Counter()
    for count, piece in enumerate(_of_page(text_of(response))):
        if count >= _MOST:
            break
        found[piece] += 1
    return found


def told_apart(readings: Sequence["Counter[Piece]"], others: Sequence["Counter[Piece]"]) -> list[Piece]:
    """The pieces by which each of the readings differs from each of the others in the same way; texts before tags."""
    every = {piece for reading in (*readings, *others) for piece in reading}
    apart = [piece for piece in every if _is_apart(piece, readings, others) or _is_apart(piece, others, readings)]
    return sorted(apart, key=lambda piece: (piece.where.startswith("<"), piece))


def _is_apart(piece: Piece, readings: Sequence["Counter[Piece]"], others: Sequence["Counter[Piece]"]) -> bool:
    return min(reading[piece] for reading in readings) > max(other[piece] for other in others)


def _of_page(text: str) -> Iterator[Piece]:
    within, column = "", 0
    for token in tokens(text):
        if token.kind == START:
            column = _column(token, column)
            within = token.name
            if token.attributes:
                yield Piece(f"<{token.name}>", _attributes(token))
        elif token.kind == END:
            within = f"/{token.name}"
            column = 0 if token.name in ("tr", "table") else column
        elif token.kind == TEXT or (token.kind == RAW and token.name in _READ_RAW):
            words = " ".join(text[token.begin : token.end].split())
            if words:
                yield Piece(f"{within} {column}" if column else within, words)


def _column(token: Token, column: int) -> int:
    return 0 if token.name in ("tr", "table") else column + (token.name in _CELLS)


def _attributes(token: Token) -> str:
    return " ".join(f"{each.name}={each.value!r}" for each in token.attributes)
