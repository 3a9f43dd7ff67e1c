"""Regular expressions that others give us, kept from taking forever.

Python's matcher backtracks. A repeat around a repeat, or around alternatives, can take exponential time, and each further
repeat multiplies it by the subject's length; a tenant's pattern must not be able to stop the service.
"""

import re
from typing import Final

from gatecrash.core.errors import InvalidPattern

_MAX_PATTERN: Final = 256
_MAX_REPEATS: Final = 4
_MAX_SUBJECT: Final = 200
_ATOM: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*(?:\]|\Z)|[*+?]\??|\{[0-9]*,?[0-9]*\}\??|[()|]|[^\\]", re.DOTALL
)
# What `re` warns of: sets within sets and operations on them, should they ever come.
_AMBIGUOUS: Final = re.compile(r"\A\[\^?\[|--|&&|~~|\|\|")


def compile_pattern(text: str) -> re.Pattern[str]:
    """The pattern, compiled. Raises InvalidPattern where it is no regular expression, or could take too long."""
    if len(text) > _MAX_PATTERN:
        raise InvalidPattern(f"the pattern has {len(text)} characters; at most {_MAX_PATTERN} are allowed")
    if any(atom[0] == "[" and _AMBIGUOUS.search(atom) for atom in _ATOM.findall(text)):
        raise InvalidPattern(f"{text!r} has a set that a later Python reads in another way; escape [ - & ~ | in it")
    try:
        pattern = re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise InvalidPattern(f"{text!r} is no regular expression: {error}") from error
    _check_cost(text)
    return pattern


def _check_cost(text: str) -> None:
    """Raise InvalidPattern where matching could take longer than a polynomial of low degree."""
    open_groups = [False]  # per open group: whether it holds a repeat or alternatives
    closed = False  # whether the atom just read is a group that does
    repeats = 0
    for atom in _ATOM.findall(text):
        if atom == "(":
            open_groups.append(False)
            closed = False
        elif atom == ")" and len(open_groups) > 1:
            closed = open_groups.pop()
            open_groups[-1] |= closed
        elif atom[0] in "*+{" and len(atom) <= 12:
            repeats += 1
            if closed or repeats > _MAX_REPEATS:
                raise InvalidPattern(
                    f"{text!r} could take too long: no repeat around a repeat or around alternatives, "
                    f"and at most {_MAX_REPEATS} repeats"
                )
            open_groups[-1] = True
        elif atom == "|":
            open_groups[-1] = True
            closed = False
        elif atom[0] != "?":
            closed = False


def matches_fully(pattern: re.Pattern[str], subject: str) -> bool:
    """Whether the pattern matches the whole subject; never for one so long that it could take too long."""
    return len(subject) <= _MAX_SUBJECT and pattern.fullmatch(subject) is not None
