"""The five locations of contract 2.3, and no other point."""

import pytest

from gatecrash.core.auth.parameters import DEFAULTS
from gatecrash.core.auth.places import place_of
from gatecrash.core.auth.scheme import Place
from gatecrash.core.point import Point


def test_every_default_stands_at_one_of_the_five():
    assert {place_of(point)[0] for point in DEFAULTS} == set(Place)
    assert place_of(Point.of("header", "COOKIE", "cookie", "sid")) == (Place.COOKIE, "sid")


@pytest.mark.parametrize("steps", [("path", "0"), ("post", "json_doc", "json_obj", "a", "json_obj", "b"), ("get",)])
def test_any_other_point_stands_at_none(steps):
    assert place_of(Point(steps)) is None
