"""Documents of many records: one of each kind is tested, since the application does the same with every other.

Of the elements of an array three are, in JSON, in XML and in forms: an array of a hundred objects would cost as much as a
hundred requests. Of XML in an archive the texts are: its attributes say how an office document looks.
"""

from collections import Counter
from collections.abc import Mapping

from gatecrash.core.point import Point

_ROW = "csv_row"
_LINES = ("ndjson", "json_array")
_NUMBERED = ("json_array", "array")
_ARCHIVE, _ATTRIBUTE = "zip", "xml_attr"
_MOST_ELEMENTS = 3


def one_of_each(places: Mapping[Point, bytes]) -> dict[Point, bytes]:
    """The places without those of further rows, lines and elements; of a CSV document's rows the second, as the first has names."""
    rows = {(*point[:at], point[at + 1]) for point in places if (at := _row_of(point)) is not None}
    kept: dict[Point, bytes] = {}
    seen: set[tuple[str, ...]] = set()
    elements: Counter[tuple[str, ...]] = Counter()
    for point, value in places.items():
        at = _number_of(point)
        if at is not None:
            before, number, behind = point[:at], point[at], point[at + 1 :]
            is_head = before[-1] == _ROW and number == "0" and (*before[:-1], "1") in rows
            if is_head or (*before, "*", *behind) in seen:
                continue
            seen.add((*before, "*", *behind))
        elif _ARCHIVE in point and _ATTRIBUTE in point:
            continue
        elif (kind := _without_numbers(point)) != tuple(point):
            elements[kind] += 1
            if elements[kind] > _MOST_ELEMENTS:
                continue
        kept[point] = value
    return kept


def _without_numbers(point: Point) -> tuple[str, ...]:
    """The point with all its arrays' numbers the same; a member that is called as the step is may lose its name's next step too."""
    return tuple("*" if step.isdigit() and at and point[at - 1] in _NUMBERED else step for at, step in enumerate(point))


def _row_of(point: Point) -> int | None:
    return point.index(_ROW) if _ROW in point[:-1] else None


def _number_of(point: Point) -> int | None:
    """Where a point has its row's or line's number."""
    row = _row_of(point)
    if row is not None:
        return row + 1
    return next((at + 2 for at in range(1, len(point) - 2) if point[at : at + 2] == _LINES), None)
