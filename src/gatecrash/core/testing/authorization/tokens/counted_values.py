"""Session values made from a counter or a clock, so that the next one can be predicted.

number_in(b"1043")                   1043
number_in(b"a87ff679a2f3e71d9181a67b7542122c")   4, of which it is the MD5
is_counted([1043, 1044, 1046])       whether each is a little more than the one before
is_of_clock(1790000000, 1790000001)  whether a number is a moment, in seconds or thousandths
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from gatecrash.core.testing.authorization.tokens.made_values import HASHES, hashed

_NUMBER = re.compile(rb"\d{1,13}")
_HEX = re.compile(rb"[0-9a-f]{32}|[0-9a-f]{40}", re.IGNORECASE)
# A number with one short word before it, as in `sess_1043`.
_WORDED = re.compile(rb"[A-Za-z_-]{1,12}?[-_]?(\d{1,13})")
_MOST_COUNTED = 20_000
_MOST_BETWEEN = 50
_LEEWAY = 5
_THOUSANDTHS = 1000


def number_in(value: bytes, around: float | None = None) -> int | None:
    """The number that a value is, or is the hash of: a small one, or a second near a moment. None where it is none.

    around: the moment at which the value was given out, in UNIX time.
    """
    if _NUMBER.fullmatch(value):
        return int(value)
    worded = _WORDED.fullmatch(value)
    if worded is not None:
        return int(worded[1])
    if not _HEX.fullmatch(value):
        return None
    sought, digest = value.lower(), HASHES[len(value)]
    small = _hashes(digest).get(sought)
    if small is not None or around is None:
        return small
    near = range(int(around) - _LEEWAY, int(around) + _LEEWAY + 1)
    return next((moment for moment in near if hashed(digest, str(moment)) == sought), None)


def is_counted(numbers: Sequence[int]) -> bool:
    """Whether each number is a little more than the one before; others are given out between."""
    return all(0 < after - before <= _MOST_BETWEEN for before, after in pairwise(numbers))


def is_of_clock(number: int, moment: float) -> bool:
    """Whether a number says a moment, in seconds or in thousandths of them."""
    return any(abs(number / unit - moment) <= _LEEWAY for unit in (1, _THOUSANDTHS))


@cache
def _hashes(digest: str) -> dict[bytes, int]:
    return {hashed(digest, str(number)): number for number in range(_MOST_COUNTED)}
