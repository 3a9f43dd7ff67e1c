"""What walking a request gives: its points with their values, and the places that could not be read."""

import msgspec

from gatecrash.core.point import Point


class Found(msgspec.Struct, gc=False):
    """A point and the decoded value there.

    container: something inside the value was decoded, and is listed as well.
    """

    point: Point
    value: bytes
    container: bool = False


class Walk(msgspec.Struct):
    """The points of a request in its order, and the places that could not be read, each with the reason."""

    points: list[Found]
    unreadable: list[tuple[Point, str]]
