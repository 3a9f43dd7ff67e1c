"""How long a refused request's values should be, as the error message tells it: `number: must be 8 to 14 digits`.

What stands in the place of a value that nobody told is a word or a 1, and is often too short to be a name, a code or a telephone
number. `lengths_told(found, message)` gives the values of that kind that the message names in the length that it tells; what a
document shows is left as it is.
"""

import re
from collections.abc import Iterable

from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.formats.descriptions.sample_text import text_for

LONGEST = 200
_UNIT = r"(?:digits?|numbers|characters?|chars?|letters|symbols|signs|long)\b"
_BOTH = re.compile(
    rf"(?:between|from)\s{{1,3}}(\d{{1,3}})\s{{1,3}}(?:and|to)\s{{1,3}}(\d{{1,3}})|(\d{{1,3}})\s?(?:to|[-\u2013])\s?(\d{{1,3}})\s{{1,3}}{_UNIT}",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"(?:at least|minimum(?: length)?(?: is| of)?|no less than|longer than or equal to|fewer than|less than|shorter than)\s{1,3}(\d{1,3})\b",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"(?:at most|maximum(?: length)?(?: is| of)?|no more than|shorter than or equal to|not exceed|more than|longer than)\s{1,3}(\d{1,3})\b",
    re.IGNORECASE,
)
_EXACTLY = re.compile(
    rf"(?:exactly|must be|needs|has|have)\s{{1,3}}(\d{{1,3}})\s{{1,3}}{_UNIT}|(?<![\d-])(\d{{1,3}})[\s-]digits?\b",
    re.IGNORECASE,
)
_IS_LENGTH = re.compile(rf"\d\s{{1,3}}{_UNIT}|\d[\s-]digits?\b|\blength\b|\bsize\b|too (?:short|long)", re.IGNORECASE)
_OF_DIGITS = re.compile(r"\bdigits?\b|\bnumeric\b", re.IGNORECASE)
# A refusal of several fields says one thing of each.
_CLAUSE = re.compile(r"[;\n]|\.\s|[\"'][,}\]]")


def lengths_told(found: Iterable[Found], message: str) -> dict[Point, bytes]:
    """What stands in the place of the values that are too short or too long; empty where the message tells of none."""
    values: dict[Point, bytes] = {}
    clauses = [clause for clause in _CLAUSE.split(message) if _IS_LENGTH.search(clause)]
    for one in found:
        told = next((clause for clause in clauses if _names(clause, one.point[-1])), None)
        bounds = _bounds(told) if told is not None and _is_made_up(one) else None
        if told is None or bounds is None:
            continue
        better = _fitting(one.value, *bounds, digits=_OF_DIGITS.search(told) is not None)
        if better != one.value:
            values[one.point] = better
    return values


def _names(clause: str, name: str) -> bool:
    return len(name) > 1 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", clause) is not None


def _is_made_up(one: Found) -> bool:
    return one.point[0] in ("get", "post") and one.value == text_for({}, one.point[-1]).encode()


def _bounds(clause: str) -> tuple[int, int] | None:
    """How many at least and at most; None where the clause tells neither, or more than anybody wants to be sent."""
    both = _BOTH.search(clause)
    if both is not None:
        least, most = (int(one) for one in both.groups() if one is not None)
        return (least, most) if least <= min(most, LONGEST) else None
    at_least, at_most = _LEAST.search(clause), _MOST.search(clause)
    if at_least is None and at_most is None:
        exactly = _EXACTLY.search(clause)
        length = int(exactly[1] or exactly[2]) if exactly is not None else 0
        return (length, length) if 0 < length <= LONGEST else None
    least, most = int(at_least[1]) if at_least else 1, int(at_most[1]) if at_most else LONGEST
    return (least, most) if least <= min(most, LONGEST) else None


def _fitting(value: bytes, least: int, most: int, *, digits: bool) -> bytes:
    """The value in that length, of digits alone where these are told."""
    if digits:
        value = b"".join(re.findall(rb"\d", value)) or b"5"
    return value[:most].ljust(least, b"5" if digits else b"a")
