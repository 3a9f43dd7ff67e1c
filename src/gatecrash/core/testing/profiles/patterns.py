"""Regular expressions over answers, kept from taking forever: short, few repeats, each of them bounded.

Python's matcher backtracks. An answer is long and the application's own, so a repeat may reach over so many characters
only, and of two repeats that follow each other one at least must say what it stops at.
"""

import re
from typing import Final

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.patterns import compile_pattern

MOST_SEARCHED: Final = 64 * 1024
"""Characters of an answer that are looked at."""

_REACH_OF_ONE: Final = 8192
_REACH_OF_TWO: Final = 1024
_PIECE: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{[0-9]*,?[0-9]*\}|.", re.DOTALL)


def compile_search(text: str) -> re.Pattern[str]:
    """The pattern to search an answer with. Raises InvalidPattern where it is none or could take too long.

    At most two repeats (`*`, `+`, `{…}`), of which one at most is of a dot. One reaches over 8,192 characters, each of
    two over 1,024.
    """
    compile_pattern(text)
    pieces = _PIECE.findall(text)
    repeats = [place for place, piece in enumerate(pieces) if _repeats(piece)]
    dots = [place for place in repeats if place and pieces[place - 1] in (".", r"\S", r"\D", r"\W")]
    if len(repeats) > 2 or len(dots) > 1:
        raise InvalidPattern(f"{text!r} could take too long: at most two repeats, and one of them of a dot")
    reach = _REACH_OF_ONE if len(repeats) == 1 else _REACH_OF_TWO
    for place in repeats:
        pieces[place] = _bounded(pieces[place], reach)
    return re.compile("".join(pieces))


def _repeats(piece: str) -> bool:
    return piece in ("*", "+") or (piece[0] == "{" and len(piece) > 1)


def _bounded(piece: str, reach: int) -> str:
    """The repeat with an upper end."""
    if piece in ("*", "+"):
        return f"{{{'1' if piece == '+' else '0'},{reach}}}"
    least, comma, most = piece[1:-1].partition(",")
    highest = int(most) if most else reach if comma else int(least or 0)
    if highest > reach or int(least or 0) > reach:
        raise InvalidPattern(f"the repeat {piece} reaches over more than {reach} characters")
    return f"{{{least or '0'},{highest}}}"
