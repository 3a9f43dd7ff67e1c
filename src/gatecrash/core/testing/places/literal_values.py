"""Values within expressions that filter (`$filter=Name eq 'x'`): who divides the expression refuses a payload behind it."""

from collections.abc import Mapping

from gatecrash.core.point import Point
from gatecrash.core.points.codec import LIMITS
from gatecrash.core.points.formats.literal import LITERAL

_MOST = 3
_PLACES = frozenset({"get", "post"})


def literals(places: Mapping[Point, bytes]) -> dict[Point, bytes]:
    """The first values of each expression in a query or a body."""
    found: dict[Point, bytes] = {}
    for point, value in places.items():
        if point[0] in _PLACES and len(point) > 1 and LITERAL.looks(value):
            parts = LITERAL.parts(value, LIMITS, 1)[:_MOST]
            found |= {Point((*point, LITERAL.step, *part.steps)): part.value for part in parts}
    return found
