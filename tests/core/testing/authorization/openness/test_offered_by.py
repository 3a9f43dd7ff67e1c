"""Who offers something is told with it."""

import json
from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.exposure import is_at_stake
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

JSON = (b"Content-Type", b"application/json")


def at_stake(target: bytes, told: object) -> bool:
    """Of a program that sends its key with everything."""
    good = Response(200, (JSON,), json.dumps(told).encode())
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(Request("GET", target), good)),
        point=Point(),
        value=b"",
        credentials=(Point.of("header", "AUTHORIZATION"),),
        policy=DEFAULT,
        random=Random(1),
        everywhere=True,
        identities=(Identity("recorded 1", known=("ann",)), Identity("recorded 2", known=("ben",))),
    )
    return is_at_stake(situation, good)


@pytest.mark.parametrize(
    ("field", "told"), [("maintainers", False), ("contributors", False), ("publisher", False), ("members", True)]
)
def test_who_keeps_what_a_search_finds_is_told_with_it(field, told):
    ann = {"username": "ann", "email": "ann@club.example"}
    found = {"name": "lamp-shade", field: [ann], "author": {"name": "ann"}}
    assert at_stake(b"/v1/search?text=lamp", {"objects": [found]}) is told


@pytest.mark.parametrize(("field", "told"), [("who", False), ("posted_by", False), ("recipient", True)])
def test_who_wrote_on_a_wall_is_told_with_it(field, told):
    assert at_stake(b"/wall", [{field: "ann", "text": "Good wind"}]) is told
