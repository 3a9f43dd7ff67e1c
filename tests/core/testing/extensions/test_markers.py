"""Markers are fresh, and what is expected of an answer is never what was sent."""

import re
from random import Random

from gatecrash.core.point import Point
from gatecrash.core.testing.extensions.markers import address_of, fresh
from gatecrash.core.testing.out_of_band import Listening, addresses


def oob(zone: str = ""):
    return addresses(Listening(host="127.0.0.1", port=81, zone=zone), b"k", "tr", "bl", Point(), "x")


def test_each_request_has_markers_of_its_own():
    random = Random(1)
    made = [fresh(random, oob("oob.example.com"), number) for number in range(50)]
    assert len({markers.word for markers in made}) == len({markers.address for markers in made}) == 50


def test_a_task_is_sent_and_its_result_is_expected():
    markers = fresh(Random(1), None, 1)
    sent = markers.fill("{CALC_MARKER}")
    left, right = map(int, re.fullmatch(r"\{(\d+)\*(\d+)\}", sent).groups())
    assert markers.expect("x CALC_MARKER") == f"x {left * right}"
    assert str(left * right) not in sent


def test_the_word_is_the_same_on_both_sides():
    markers = fresh(Random(1), None, 1)
    assert markers.fill("STR_MARKER") == markers.expect("STR_MARKER") == markers.word


def test_the_address_is_a_name_of_the_zone_or_stands_behind_a_scheme():
    assert address_of(oob("oob.example.com"), 1) == f"{oob().name(1)}.oob.example.com"
    assert address_of(oob(), 1) == f"127.0.0.1:81/{oob().name(1)}"
    assert address_of(None, 1) == ""
