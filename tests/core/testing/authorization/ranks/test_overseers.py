"""Lists of somebody who looks after what others have."""

import json
from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.ranks.overseers import oversees
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

STEWARD, DRIVER = ("stina", "is=steward"), ("dag", "is=driver")
TENANT = ("tenant=7",)


def listed(*numbers: int) -> Response:
    told = [{"id": number, "plate": f"KX {number}"} for number in numbers]
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())


@pytest.mark.parametrize(
    ("own", "other", "theirs", "overseen"),
    [
        (STEWARD, DRIVER, (82,), True),
        (STEWARD, DRIVER, (83,), False),
        (STEWARD, DRIVER, (), False),
        (STEWARD + TENANT, DRIVER + TENANT, (), True),
        (STEWARD + TENANT, (*DRIVER, "tenant=8"), (), False),
        (DRIVER, ("ove", "is=driver"), (82,), False),
        (STEWARD, ("ove",), (82,), False),
    ],
    ids=["all", "apart", "nothing", "colleagues", "of another tenant", "equals", "an unknown role"],
)
def test_whose_list_shows_what_others_have_too(own, other, theirs, overseen) -> None:
    lower = Identity("recorded 2", 0, other)
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(Request("GET", b"/vehicles/81"), Response(200))),
        point=Point(), value=b"", credentials=(), policy=DEFAULT, random=Random(1),
        identities=(Identity("recorded 1", 0, own), lower),
    )  # fmt: skip
    assert oversees(situation, lower, listed(81, 82), listed(*theirs), "81") is overseen
