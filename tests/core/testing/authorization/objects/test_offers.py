"""Whom an offer is for, and whether that is somebody else."""

import json
from random import Random
from typing import Any

import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.offers import answers_an_offer, is_for_a_third
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

ANN, BEN = Identity("ann", 0, ("7", "ann@a.example")), Identity("ben", 0, ("8", "ben@a.example"))


def offered(other: Identity = BEN, **body: Any) -> bool:
    maker = Request("POST", b"/gifts", ((b"Content-Type", b"application/json"),), json.dumps(body).encode())
    baseline = record(lambda _: Response(200), Request("POST", b"/gifts/4/accept"))
    situation = Situation(
        baseline=baseline,
        point=Point(()),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        identities=(ANN, BEN),
    )
    return is_for_a_third(maker, situation, other)


def test_it_is_for_who_is_named_where_that_is_neither():
    assert offered(recipient_id=2, note="thanks")
    assert offered(to="ida@a.example")
    assert offered(toUserId=9)
    assert not offered(recipient_id=8), "it is for the other"
    assert not offered(recipient_id=7), "it is for its sender"
    assert not offered(to="ben@a.example")
    assert not offered(product_id=2), "it is for anybody"
    assert not offered(recipient_id=2, to="ida@a.example"), "two are named"
    assert not offered(Identity("ben", 0, ("ben@a.example",)), recipient_id=2), "that may be his number"


@pytest.mark.parametrize(
    ("path", "expected"), [(b"/gifts/4/accept", True), (b"/gifts/4/Decline/", True), (b"/accept/4", False)]
)
def test_what_answers_an_offer(path: bytes, expected: bool):
    assert answers_an_offer(Request("POST", path)) is expected
