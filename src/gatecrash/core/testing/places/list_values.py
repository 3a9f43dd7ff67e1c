"""Values with several in one: applications that divide them often trust the first, where no payload at the end comes to."""

import re
from collections.abc import Mapping

from gatecrash.core.point import Point
from gatecrash.core.points.codec import LIMITS
from gatecrash.core.points.formats.list import LIST

# What servers read and applications do not; and what is a list of its own kind.
_NOT_DIVIDED = re.compile(
    r"ACCEPT|ACCEPT-(?:ENCODING|CHARSET|RANGES)|CACHE-CONTROL|COOKIE|DATE|IF-.*|PRAGMA|SEC-.*|UPGRADE-.*|USER-AGENT|VIA|DNT|PRIORITY"
)
_PAIR = re.compile(rb"[\w.\-\[\]]+[:=][^:=]+")
_MOST_PAIRS = 4


def firsts_of_lists(places: Mapping[Point, bytes]) -> dict[Point, bytes]:
    """The first value of each list; of pairs (`city:Ulm,sku:A1`) each but the last, since a name stands before each.

    The last value needs no point of its own: what is added to the whole is added to it.
    """
    found: dict[Point, bytes] = {}
    for point, value in places.items():
        if not _may_be_divided(point) or not LIST.looks(value):
            continue
        parts = LIST.parts(value, LIMITS, 1)
        are_pairs = all(_PAIR.fullmatch(part.value) for part in parts)
        for part in parts[: min(_MOST_PAIRS, len(parts) - 1)] if are_pairs else parts[:1]:
            found[Point((*point, LIST.step, *part.steps))] = part.value
    return found


def _may_be_divided(point: Point) -> bool:
    if point[0] == "header":
        return _NOT_DIVIDED.fullmatch(point[1]) is None or len(point) > 3
    return (
        len(point) > 1 and point[0] in ("get", "path", "post") and point[-1] not in ("name", "filename", "content_type")
    )
