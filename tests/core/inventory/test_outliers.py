"""An open one among guarded ones stands apart, and chance alone makes none."""

import random

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.outliers import Outliers, is_unlike


def counted(rows) -> Outliers:
    outliers = Outliers()
    for member, requests, authenticated in rows:
        for number in range(requests):
            outliers.count("group", member, authenticated=number < authenticated)
    return outliers


def test_an_open_one_among_guarded_ones_stands_apart():
    outliers = counted([*((f"m{number}", 10, 10) for number in range(40)), ("debug", 8, 0)])
    assert outliers.stands_apart("group", "debug")
    assert not any(outliers.stands_apart("group", f"m{number}") for number in range(40))


def test_few_requests_say_nothing():
    assert not counted([("m", 100, 100), ("debug", 4, 0)]).stands_apart("group", "debug")


def test_where_all_are_open_none_stands_apart():
    outliers = counted([(f"m{number}", 50, 0) for number in range(40)])
    assert not any(outliers.stands_apart("group", f"m{number}") for number in range(40))


def test_a_guarded_one_among_open_ones_stays():
    assert not counted([("m", 1000, 0), ("mine", 50, 50)]).stands_apart("group", "mine")


def test_one_that_turns_out_to_be_guarded_comes_back():
    outliers = counted([("m", 100, 100), ("late", 6, 0)])
    assert outliers.stands_apart("group", "late")
    for _ in range(200):
        outliers.count("group", "late", authenticated=True)
    assert not outliers.stands_apart("group", "late")


def test_what_was_never_counted_stands_nowhere():
    assert not Outliers().stands_apart("group", "x")


def test_chance_makes_no_outliers():
    draw = random.Random(11)
    for share in (0.05, 0.5, 0.9):
        outliers = Outliers()
        for _ in range(20_000):
            outliers.count("group", draw.randrange(200), authenticated=draw.random() < share)
        assert not any(outliers.stands_apart("group", member) for member in range(200))


@given(st.integers(1, 1000), st.floats(0, 1), st.floats(0, 1))
def test_only_those_below_the_share_are_unlike(requests, part, share):
    authenticated = int(requests * part)
    assert not (is_unlike(requests, authenticated, share) and authenticated / requests >= share)


def test_memory_is_bounded():
    outliers = Outliers(remembered=100)
    for number in range(1000):
        outliers.count(number, number, authenticated=False)
    assert len(outliers._members) <= 200
    assert len(outliers._groups) <= 200
