"""What a walk gives is a plain value."""

import gc

from gatecrash.core.point import Point
from gatecrash.core.points.found import Found


def test_what_was_found_compares_by_value_and_costs_the_collector_nothing() -> None:
    found = Found(Point.of("get", "q"), b"1")
    assert found == Found(Point.of("get", "q"), b"1", container=False)
    assert found != Found(Point.of("get", "q"), b"1", container=True)
    assert not gc.is_tracked(found)
