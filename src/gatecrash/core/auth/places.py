"""Where a point of contract 2.3 stands: one of five locations, and the name there."""

from gatecrash.core.auth.parameters import COOKIE_STEPS, FORM_STEPS, HEADER_STEPS, JSON_STEPS, QUERY_STEPS
from gatecrash.core.auth.scheme import Place
from gatecrash.core.point import Point

_STEPS = (
    (Place.HEADER, HEADER_STEPS),
    (Place.COOKIE, COOKIE_STEPS),
    (Place.QUERY, QUERY_STEPS),
    (Place.FORM, FORM_STEPS),
    (Place.JSON, JSON_STEPS),
)


def place_of(point: Point) -> tuple[Place, str] | None:
    """The location and name of a point of contract 2.3; None for any other point."""
    for place, steps in _STEPS:
        if len(point) == len(steps) + 1 and point[:-1] == steps:
            return place, point[-1]
    return None
