"""When a refused request's dates should be, as the error message tells it: one after the other, still to come, or past.

`dates_told(found, message)` gives the dates to write anew: those that the message names, else all. A pair keeps its order.
"""

import re
from collections.abc import Sequence

from gatecrash.core.point import Point
from gatecrash.core.points.found import Found

YEARS_AHEAD, YEARS_BACK = 10, 30
_DATE = re.compile(rb"(\d{4})(-\d{2}-)(\d{2})(.*)", re.DOTALL)
_MUST = r"(?:must|should|has to|needs to|cannot|can't|may not)"
_AFTER = re.compile(
    rf"([\w ]{{1,60}}?)\W{{0,3}}\b(?:{_MUST} (?:be|come|lie)|(?:is )?not) (?:after|later than)\b", re.IGNORECASE
)
_TO_COME = re.compile(
    rf"{_MUST} (?:be|lie) (?:in the future|after (?:today|now)|later than (?:today|now))|(?:not|never|cannot|can't) (?:be |lie )?in the past"
    r"|(?:is|are|was|lies|already) (?:in the past|past|over|expired)|has (?:already )?(?:passed|expired)",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"(?:must|should|has to|needs to) (?:be|lie) (?:in the past|before (?:today|now))|(?:not|never|cannot|can't) (?:be |lie )?in the future",
    re.IGNORECASE,
)


def dates_told(found: Sequence[Found], message: str) -> dict[Point, bytes]:
    """What stands in the place of the dates that do not suit; empty where the message tells nothing of them."""
    dated = [(one.point, date) for one in found if (date := _DATE.fullmatch(one.value))]
    named = [each for each in dated if _is_named(each[0], message)] or dated
    if _TO_COME.search(message):
        return {point: _moved(date, YEARS_AHEAD) for point, date in named}
    if _PAST.search(message):
        return {point: _moved(date, -YEARS_BACK) for point, date in named}
    after = _AFTER.search(message)
    later = [each for each in dated if after is not None and _plain(after[1]).endswith(_plain(each[0][-1]))]
    return {point: _moved(date, 1) for point, date in later}


def _moved(date: re.Match[bytes], years: int) -> bytes:
    # No month has fewer days.
    return b"%04d%s%02d%s" % (int(date[1]) + years, date[2], min(int(date[3]), 28), date[4])


def _is_named(point: Point, message: str) -> bool:
    return len(point[-1]) > 1 and _plain(point[-1]) in _plain(message)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
