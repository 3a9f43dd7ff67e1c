"""Documents of many records: one of each kind is tested, since the application does the same with every other."""

from collections.abc import Mapping

from gatecrash.core.point import Point

_ROW = "csv_row"
_LINES = ("ndjson", "json_array")


def one_of_each(places: Mapping[Point, bytes]) -> dict[Point, bytes]:
    """The places without those of further rows and lines; of a CSV document's rows the second, as the first has names."""
    rows = {(*point[:at], point[at + 1]) for point in places if (at := _row_of(point)) is not None}
    kept: dict[Point, bytes] = {}
    seen: set[tuple[str, ...]] = set()
    for point, value in places.items():
        at = _number_of(point)
        if at is not None:
            before, number, behind = point[:at], point[at], point[at + 1 :]
            is_head = before[-1] == _ROW and number == "0" and (*before[:-1], "1") in rows
            if is_head or (*before, "*", *behind) in seen:
                continue
            seen.add((*before, "*", *behind))
        kept[point] = value
    return kept


def _row_of(point: Point) -> int | None:
    return point.index(_ROW) if _ROW in point[:-1] else None


def _number_of(point: Point) -> int | None:
    """Where a point has its row's or line's number."""
    row = _row_of(point)
    if row is not None:
        return row + 1
    return next((at + 2 for at in range(1, len(point) - 2) if point[at : at + 2] == _LINES), None)
